/**
 * Imports a checkout: documents and tags, then commits, newest first, in pages
 * that each carry the position that is true once they are in. Killed anywhere
 * and run again, it ends where an uninterrupted run ends.
 */
import type { Failure } from '../../../src/base/failure.ts'
import { invalid } from '../../../src/base/failure.ts'
import { REPOSITORY_NAME } from '../../../src/base/repository-name.ts'
import { ok, refuse, type Result } from '../../../src/base/result.ts'
import { parseTime } from '../../../src/base/time.ts'
import { GitError } from '../git/git-command.ts'
import { AdminClient } from '../admin-client.ts'
import { openCheckout, type Checkout } from './checkout.ts'
import type { ImportOptions, Summary } from './import-options.ts'
import { isUpToDate, planImport } from './import-plan.ts'
import { parsePosition, START } from './position.ts'
import { Posting } from './post-pages.ts'

/** See `ImportOptions` and `Summary`. Never throws for trouble outside the program. */
export async function importCheckout(options: ImportOptions): Promise<Summary> {
  const startedAt = performance.now()
  const posting = new Posting(options)
  const failure = await importAll(options, posting).catch((error: unknown) => toFailure(error, options.signal))
  // What fails on the way out of an aborted import is the abort.
  const told = options.signal?.aborted === true ? undefined : failure
  return posting.summary(told, Math.round(performance.now() - startedAt))
}

/** A failure, or undefined when it ended as it should. */
async function importAll(options: ImportOptions, posting: Posting): Promise<Failure | undefined> {
  const checked = checkOptions(options)
  if (!checked.ok) return checked.failure
  const checkouts = await openCheckouts(options)
  if (!checkouts.ok) return checkouts.failure
  const { main, wiki } = checkouts.value
  const repo = options.repo ?? main.name
  posting.begin(repo, notesOf(main, wiki))
  if (main.kind === 'git' && main.head === undefined) return undefined

  const client = new AdminClient(options)
  const known = await client.findRepository(repo)
  if (!known.ok) return known.failure
  const source = sourceName(options)
  const cursor = known.value?.cursors.find((one) => one.source === source)
  const before = parsePosition(cursor?.position)
  const request = {
    main,
    wiki,
    repo: known.value?.repo ?? repo,
    sinceMs: checked.value,
    allFiles: options.allFiles ?? false,
    maxCommits: options.maxCommits ?? Infinity,
    before: before ?? START,
    ...(known.value === undefined ? {} : { client }),
  }
  if (before !== undefined && (await isUpToDate(request))) {
    posting.finish(cursor?.total ?? 0)
    return undefined
  }
  const plan = await planImport(request)
  if (!plan.ok) return plan.failure
  return posting.post(client, source, plan.value)
}

/** Refuses what no import can be asked; else the time of `since`, when there is one. */
export function checkOptions({
  repo,
  since,
  maxCommits,
}: Pick<ImportOptions, 'repo' | 'since' | 'maxCommits'>): Result<number | undefined> {
  if (repo !== undefined && !REPOSITORY_NAME.test(repo)) {
    return refuse(invalid('repo', `a repository is named owner/name, not ${JSON.stringify(repo)}`))
  }
  if (maxCommits !== undefined && !(Number.isSafeInteger(maxCommits) && maxCommits >= 0)) {
    return refuse(invalid('max-commits', 'must be a whole number, 0 or more'))
  }
  const sinceMs = since === undefined ? undefined : parseTime(since)
  if (since !== undefined && sinceMs === undefined) {
    return refuse(invalid('since', `${JSON.stringify(since)} is no date or RFC 3339 date-time`))
  }
  return ok(sinceMs)
}

interface Checkouts {
  readonly main: Checkout
  readonly wiki: Checkout | undefined
}

async function openCheckouts({ path, wiki, signal }: ImportOptions): Promise<Result<Checkouts>> {
  const main = await openCheckout(path, signal)
  if (!main.ok || wiki === undefined) return main.ok ? ok({ main: main.value, wiki: undefined }) : main
  const opened = await openCheckout(wiki, signal)
  return opened.ok ? ok({ main: main.value, wiki: opened.value }) : opened
}

/** What changes the set of things that are read has a cursor of its own. */
function sourceName({ allFiles, since }: ImportOptions): string {
  return ['git', ...(allFiles === true ? ['all-files'] : []), ...(since === undefined ? [] : [`since=${since}`])].join(
    ' ',
  )
}

function notesOf(main: Checkout, wiki: Checkout | undefined): string[] {
  const notes: string[] = []
  if (main.kind === 'folder') notes.push(main.note)
  else if (main.head === undefined) notes.push('The repository has no commit yet: there is nothing to read.')
  else if (main.shallow !== undefined) {
    notes.push(
      'This is a shallow clone: its history is cut, and what is there was read. `git fetch --unshallow` gets the rest.',
    )
  }
  if (wiki?.kind === 'folder') notes.push(`Wiki: ${wiki.note}`)
  else if (wiki?.kind === 'git' && wiki.head === undefined) notes.push('The wiki has no commit yet.')
  return notes
}

/** Undefined when the import was asked to end. A bug is thrown on. */
function toFailure(error: unknown, signal: AbortSignal | undefined): Failure | undefined {
  if (signal?.aborted === true) return undefined
  if (error instanceof GitError) {
    const partial = /promisor|transport '.*' not allowed|lazy fetch/i.test(error.stderr)
    return {
      code: 'UNAVAILABLE',
      message: partial ? 'This is a partial clone: file contents are missing.' : `Git failed: ${error.message}`,
      ...(partial ? { hint: 'Fetch them once with `git fetch --refetch --no-filter`, then run this again.' } : {}),
    }
  }
  const { code, message } = error as NodeJS.ErrnoException
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) return { code: 'IO_ERROR', message }
  throw error
}
