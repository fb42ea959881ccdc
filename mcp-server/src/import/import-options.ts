/**
 * What an import of a checkout is asked and what it answers. `npm run import`
 * and `npm start` both call `importCheckout(options): Promise<Summary>` in
 * import-checkout.ts; it never throws for trouble outside itself: a refusal
 * stands in `Summary.failure`, worded for the person at the keyboard.
 */
import type { Failure } from '../../../src/base/failure.ts'

export interface ImportOptions {
  /** A folder of the checkout; any folder below its top will do. */
  readonly path: string
  /** `owner/name`. Default: the `origin` remote's, else `local/<folder>`. */
  readonly repo?: string
  /** A checkout of the wiki. */
  readonly wiki?: string
  /** Only commits at or after this time: a date or an RFC 3339 date-time, compared with the committer date. */
  readonly since?: string
  /** Stop after so many commits; a later run goes on from there. */
  readonly maxCommits?: number
  /** Take lock files, vendored, minified, generated and binary files into diffs too. */
  readonly allFiles?: boolean
  /** Base URL of the Worker, for instance http://127.0.0.1:8787. */
  readonly endpoint: string
  readonly adminToken: string
  readonly onProgress?: (progress: ImportProgress) => void
  /** Ends the import between two pages; what was posted stays, and a later run goes on. */
  readonly signal?: AbortSignal
  /** Pauses in milliseconds before a failed request is sent again. Default: five, of 0.25 to 8 s. */
  readonly retryPausesMs?: readonly number[]
  /** Lines a page; default 100. */
  readonly pageLines?: number
}

export interface ImportProgress {
  /** `owner/name` as it is filed. */
  readonly repo: string
  /** What is being read now. */
  readonly phase: 'documents' | 'wiki' | 'releases' | 'commits' | 'done'
  /** Commits, documents, wiki pages and tags: how many of all are in the index. */
  readonly done: number
  readonly total: number
}

export interface Counts {
  readonly written: number
  readonly unchanged: number
  /** Not taken, because the index holds something newer. */
  readonly stale: number
  readonly removed: number
}

/**
 * `unchanged`: nothing new since the last run. `complete`: all is in the index.
 * `partial`: stopped by `maxCommits`. `aborted`: stopped by the signal.
 * `failed`: see `failure`; the pages before it stay.
 */
export type Outcome = 'unchanged' | 'complete' | 'partial' | 'aborted' | 'failed'

export interface Summary {
  readonly outcome: Outcome
  /** Absent when the import failed before the repository had a name. */
  readonly repo?: string
  readonly counts: Counts
  /** Commits read by this run. */
  readonly commits: number
  readonly pages: number
  readonly done: number
  readonly total: number
  readonly elapsedMs: number
  /** Things worth knowing, each a sentence: cut history, refused lines, no history at all. */
  readonly notes: readonly string[]
  readonly failure?: Failure
}
