/**
 * The options, the progress and the summary of importing a checkout. `npm run
 * import` and `npm start` both call `importCheckout(options)`; a refusal is in
 * `Summary.failure`, worded for the person at the terminal.
 */
import { invalid, type Failure } from '../../../src/base/failure.ts'
import { REPOSITORY_NAME } from '../../../src/base/repository-name.ts'
import { ok, refuse, type Result } from '../../../src/base/result.ts'
import { parseTime } from '../../../src/base/time.ts'
import type { ImportCounts } from '../../../src/contracts/admin/import-contract.ts'
import type { ClientOptions } from '../admin-client.ts'
import type { ExcludedKind } from '../git/excluded-paths.ts'

/** Which part of a checkout is imported, and under which name. */
export interface ImportScope {
  /** `owner/name`. Default: the `origin` remote's, else `local/<folder>`. */
  readonly repo?: string
  /** Only commits at or after this time: a date or an RFC 3339 date-time, compared with the committer date. */
  readonly since?: string
  /** Stop after this many commits; a later run continues there. */
  readonly maxCommits?: number
  /** Include the diffs that git/excluded-paths.ts excludes: of lock files, vendored, minified, generated and binary files. */
  readonly allFiles?: boolean
}

/** The signal ends the import between two pages; the pages sent before stay, and a later run continues. */
export interface ImportOptions extends ImportScope, ClientOptions {
  /** A folder of the checkout, at its top or below. */
  readonly path: string
  /** A checkout of the wiki. */
  readonly wiki?: string
  readonly onProgress?: (progress: ImportProgress) => void
  /** Lines a page; default 100. */
  readonly pageLines?: number
}

export interface ImportProgress {
  /** `owner/name` as it is stored. */
  readonly repo: string
  /** The kind that is being read. */
  readonly phase: 'documents' | 'wiki' | 'releases' | 'commits' | 'done'
  /** Commits, documents, wiki pages and tags that are stored, of all that there are. */
  readonly done: number
  readonly total: number
}

/**
 * `unchanged`: nothing new since the last run. `complete`: everything is stored.
 * `partial`: stopped by `maxCommits`. `aborted`: stopped by the signal.
 * `failed`: see `failure`; the pages before it are stored.
 */
export type Outcome = 'unchanged' | 'complete' | 'partial' | 'aborted' | 'failed'

export interface ExcludedCount {
  readonly kind: ExcludedKind
  /** Changes of files in commits. */
  readonly changes: number
  /** The first files or package folders. */
  readonly names: readonly string[]
  readonly moreNames: number
}

export interface Summary {
  readonly outcome: Outcome
  /** Absent when the import failed before the repository had a name. */
  readonly repo?: string
  readonly counts: ImportCounts
  /** Commits read by this run. */
  readonly commits: number
  readonly pages: number
  readonly done: number
  readonly total: number
  readonly elapsedMs: number
  /** Facts that a user should know, each a sentence: cut history, refused lines, no history at all. */
  readonly notes: readonly string[]
  /** The files that this run excluded from diffs, by kind. */
  readonly excluded: readonly ExcludedCount[]
  readonly failure?: Failure
}

/** The time of `since` in milliseconds UTC, where it is given. The failure's message begins with the option's flag. */
export function checkScope({ repo, since, maxCommits }: ImportScope): Result<number | undefined> {
  if (repo !== undefined && !REPOSITORY_NAME.test(repo)) {
    return refuse(invalid('repo', `a repository is named owner/name, not ${JSON.stringify(repo)}`))
  }
  if (maxCommits !== undefined && !(Number.isSafeInteger(maxCommits) && maxCommits >= 0)) {
    return refuse(invalid('max-commits', 'must be a whole number, 0 or more'))
  }
  const sinceMs = since === undefined ? undefined : parseTime(since)
  if (since !== undefined && sinceMs === undefined) {
    return refuse(invalid('since', `${JSON.stringify(since)} is not a date or RFC 3339 date-time`))
  }
  return ok(sinceMs)
}
