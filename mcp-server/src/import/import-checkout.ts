/**
 * Imports a checkout: documents and tags, then commits, newest first, in pages
 * that each move the cursor with their rows. Killed at any point and run again,
 * an import ends with the rows that an uninterrupted one has.
 *
 * open the checkouts -> read the cursor -> open the sources -> plan -> post -> summarise
 */
import type { Failure } from '../../../src/base/failure.ts'
import { ok, type Result } from '../../../src/base/result.ts'
import type { StatusAnswer } from '../../../src/contracts/admin/status-contract.ts'
import { AdminClient } from '../admin-client.ts'
import { GitError } from '../git/git-command.ts'
import { readItems } from './import-items.ts'
import { checkScope, type ImportOptions, type Summary } from './import-options.ts'
import { planImport } from './import-plan.ts'
import { coversSource, toSourceName } from './import-source.ts'
import { Posting } from './post-pages.ts'
import { openCheckout, type Checkout } from './read/checkout.ts'
import { openSources } from './read/import-sources.ts'
import { parsePosition, START, type ImportPosition } from './read/position.ts'
import { isUpToDate } from './read/up-to-date.ts'

/** Never throws for trouble outside the program; a bug is thrown on. */
export async function importCheckout(options: ImportOptions): Promise<Summary> {
  const startedAt = performance.now()
  const posting = new Posting(options)
  const failure = await importAll(options, posting).catch((error: unknown) => toFailure(error, options.signal))
  // A failure during an abort is a consequence of the abort.
  const reported = options.signal?.aborted === true ? undefined : failure
  return posting.summary(reported, Math.round(performance.now() - startedAt))
}

/** A failure; undefined when the import ended as it should. */
async function importAll(options: ImportOptions, posting: Posting): Promise<Failure | undefined> {
  const since = checkScope(options)
  if (!since.ok) return since.failure
  const checkouts = await openCheckouts(options)
  if (!checkouts.ok) return checkouts.failure
  const { main, wiki } = checkouts.value
  posting.begin(options.repo ?? main.name, notesOf(main, wiki))
  if (main.kind === 'git' && main.head === undefined) return undefined

  const client = new AdminClient(options)
  const source = toSourceName(options)
  const state = await readState(client, options.repo ?? main.name, source)
  if (!state.ok) return state.failure
  const { repo, isIndexed, total, position, unfinished } = state.value
  const finishCovered = async (): Promise<Failure | undefined> => {
    const covered = unfinished.filter((cursor) => cursor.source !== source && coversSource(options, cursor.source))
    return finishCursors(client, repo, covered)
  }

  const sources = await openSources(main, wiki, repo)
  if (position !== undefined && (await isUpToDate(sources, position))) {
    posting.finish(total)
    return finishCovered()
  }
  const listIndexed = isIndexed ? client.listPaths.bind(client, repo) : undefined
  const plan = await planImport(sources, position ?? START, since.value, listIndexed)
  if (!plan.ok) return plan.failure
  const { allFiles = false, maxCommits = Infinity } = options
  const items = readItems(sources, plan.value, { maxCommits, ...(allFiles ? {} : { excluded: posting.excluded }) })
  const failure = await posting.post(client, { repo, source }, plan.value, items)
  return failure === undefined && posting.isComplete ? finishCovered() : failure
}

type StatedCursor = StatusAnswer['repositories'][number]['cursors'][number]

/** Sources of which nothing is missing any more: a search must not say that they were not read to their end. */
async function finishCursors(
  client: AdminClient,
  repo: string,
  cursors: readonly StatedCursor[],
): Promise<Failure | undefined> {
  for (const { source, position, total = 0 } of cursors) {
    const posted = await client.postPage([], { repo, source, position, done: total, total })
    if (!posted.ok) return posted.failure
  }
  return undefined
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

/** The state of a repository in the index before the import. */
interface IndexedState {
  /** `owner/name` as it is stored, in the letter case of the index. */
  readonly repo: string
  /** Rows of earlier imports may be stored. */
  readonly isIndexed: boolean
  readonly total: number
  /** Undefined when there is none, or none that this version can read. */
  readonly position: ImportPosition | undefined
  /** Cursors of all sources that an earlier import did not read to the end. */
  readonly unfinished: readonly StatedCursor[]
}

async function readState(client: AdminClient, name: string, source: string): Promise<Result<IndexedState>> {
  const status = await client.readStatus()
  if (!status.ok) return status
  const key = name.toLowerCase()
  const known = status.value.repositories.find(({ repo }) => repo.toLowerCase() === key)
  const cursor = known?.cursors.find((one) => one.source === source)
  return ok({
    repo: known?.repo ?? name,
    isIndexed: known !== undefined,
    total: cursor?.total ?? 0,
    position: parsePosition(cursor?.position),
    unfinished: known?.cursors.filter(({ done = 0, total = 0 }) => done < total) ?? [],
  })
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

/** Git's words for an object that a partial clone lacks. Without its remote a clone no longer counts as partial. */
const MISSING_OBJECT =
  /promisor|transport '.*' not allowed|lazy fetch|(?:could not read|unable to read|missing \w+) [0-9a-f]{40}|[0-9a-f]{40} missing/i

/** Undefined when the signal ended the import. Throws what is a bug. */
function toFailure(error: unknown, signal: AbortSignal | undefined): Failure | undefined {
  if (signal?.aborted === true) return undefined
  if (error instanceof GitError) {
    const isMissing = MISSING_OBJECT.test(error.stderr)
    return {
      code: 'UNAVAILABLE',
      message: isMissing
        ? 'File contents are missing: this is a partial clone, or the repository is damaged.'
        : `Git failed: ${error.message}`,
      ...(isMissing ? { hint: 'Fetch them once with `git fetch --refetch --no-filter`, then run this again.' } : {}),
    }
  }
  const { code, message } = error as NodeJS.ErrnoException
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) return { code: 'IO_ERROR', message }
  throw error
}
