/**
 * The pump: settles owed work in bounded runs, from the scheduled handler. It
 * makes derived rows again where the code that makes them has moved on, purges
 * what was removed once its vectors are gone, and refreshes the word index.
 * Killed anywhere, it goes on from the rows.
 */
import type { Log } from '../base/log.ts'
import type { Index } from '../index/sql/index-database.ts'
import { dropRetryStatement, listPending, retryLater, type DerivedKind } from '../index/maintenance/pending.ts'
import { dropWordsStatements } from '../index/words/drop-words.ts'
import { dropEdgesStatements, putEdgesStatements } from '../index/links/edges.ts'
import { isGuardFailure, versionGuards } from '../index/sql/guards.ts'
import { putWordsStatements } from '../index/words/put-words.ts'
import { readStored, type ReadBack } from '../index/documents/read-stored.ts'
import { listRemoved, purgeTombstones } from '../index/documents/tombstones.ts'
import { listOrphaned, markVectorsPending } from '../index/vectors/orphaned-vectors.ts'
import type { VectorIndex } from '../index/vectors/vector-index.ts'
import type { Embedder } from '../models/embedder/embedder.ts'
import { NO_EMBEDDER } from '../models/embedder/none.ts'
import { refreshWords } from './refresh-words.ts'
import { embedDocuments } from './embed-documents.ts'

/** Documents taken at a time, and how long one run goes on taking more. */
const BATCH = 40
const RUN_MS = 20_000

export interface MaintenanceDependencies {
  readonly index: Index
  readonly vectors: VectorIndex
  readonly now: () => number
  readonly log: Log
  /** None unless given: then no vector is owed. */
  readonly embedder?: Embedder
}

export interface MaintenanceSummary {
  readonly processed: number
  readonly retried: number
  readonly purged: number
}

/** How each kind of debt is processed, in the order in which they are: a row's new state from the row alone. */
const PROCESS: Record<DerivedKind, (database: D1Database, document: number, read: ReadBack) => D1PreparedStatement[]> =
  {
    words: (database, document, read) => [
      ...dropWordsStatements(database, [document]),
      ...putWordsStatements(database, [read]),
    ],
    edges: (database, document, read) => [
      ...dropEdgesStatements(database, [document]),
      ...putEdgesStatements(database, [read]),
    ],
  }

const KINDS = Object.keys(PROCESS) as DerivedKind[]

export async function runMaintenance(deps: MaintenanceDependencies): Promise<MaintenanceSummary> {
  const { index, vectors, now, embedder = NO_EMBEDDER } = deps
  let mayEmbed = true
  const deadline = now() + RUN_MS
  const summary = { processed: 0, retried: 0, purged: 0 }
  let more = true
  while (more && now() < deadline) {
    more = false
    for (const kind of KINDS) {
      const done = await processSome(deps, kind)
      summary.processed += done.processed
      summary.retried += done.retried
      more ||= done.taken === BATCH
    }
    if (embedder.weight > 0 && mayEmbed) {
      const done = await embedDocuments({ ...deps, embedder })
      summary.processed += done.embedded
      summary.retried += done.retried
      mayEmbed = done.more
      more ||= done.more
    }
    const gone = await purgeSome(index, vectors)
    summary.purged += gone
    more ||= gone === BATCH
  }
  if ((await refreshWords(deps, deadline)) === 'asked') await dropOrphaned(index, vectors)
  return summary
}

/** The end of a rebuild: vectors of chunks that it left without a document, or cut anew. */
async function dropOrphaned(index: Index, vectors: VectorIndex): Promise<void> {
  for (;;) {
    const some = await listOrphaned(index, BATCH)
    if (some.length === 0) return
    await markVectorsPending(index, some)
    await vectors.drop(some)
  }
}

/** Rows outlive their vectors, so that a vector always has a row that says whose it is. */
async function purgeSome(index: Index, vectors: VectorIndex): Promise<number> {
  const doomed = await listRemoved(index, BATCH)
  if (doomed.length === 0) return 0
  const withVectors = doomed.filter(({ mayHaveVectors }) => mayHaveVectors)
  if (withVectors.length > 0) await vectors.drop(withVectors.map(({ document }) => document))
  return purgeTombstones(index, doomed)
}

async function processSome({ index, now, log }: MaintenanceDependencies, kind: DerivedKind) {
  const owed = await listPending(index, kind, now(), BATCH)
  const done = { taken: owed.length, processed: 0, retried: 0 }
  for (const document of owed) {
    try {
      await processPending(index, kind, document)
      done.processed += 1
    } catch (error) {
      // Rewritten meanwhile: the newer page has processed it.
      if (isGuardFailure(error)) continue
      done.retried += 1
      await retryLater(index, kind, document, error, now())
      log.error(`${kind} put off`, { document })
    }
  }
  return done
}

async function processPending(index: Index, kind: DerivedKind, document: number): Promise<void> {
  const read = await readStored(index, document)
  if (read === undefined) return
  await index.database.batch([
    ...versionGuards(index.database, [[read.vectorId, read.version]]),
    ...PROCESS[kind](index.database, document, read),
    dropRetryStatement(index.database, kind, document),
  ])
}
