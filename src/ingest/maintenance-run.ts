/**
 * The maintenance run: processes pending work for a limited time. It makes
 * pending derived rows, embeds pending documents, purges removed documents after
 * their vectors, refreshes the word index, counts common terms, and reads again
 * from GitHub what is pending there. Its state is in the rows, so the next run
 * continues an interrupted one.
 */
import type { Log } from '../base/log.ts'
import type { Index } from '../index/sql/index-database.ts'
import { renewCommonTerms } from '../index/maintenance/common-terms.ts'
import { dropRetryStatement, listPending, retryLater, type DerivedKind } from '../index/maintenance/pending.ts'
import { dropEdgesStatements, putEdgesStatements } from '../index/links/edges.ts'
import { isGuardFailure, versionGuards } from '../index/sql/guards.ts'
import { dropWordsStatements, putWordsStatements } from '../index/words/write-words.ts'
import { readStored, type VersionedDocument } from '../index/documents/read-stored.ts'
import { listRemoved, purgeTombstones, type RemovedDocument } from '../index/documents/tombstones.ts'
import { forgetOld } from '../index/ingestion/forget-old.ts'
import { listOrphaned, markVectorsPending } from '../index/vectors/orphaned-vectors.ts'
import type { VectorIndex } from '../index/vectors/vector-index.ts'
import type { Embedder } from '../models/embedder/embedder.ts'
import { NO_EMBEDDER } from '../models/embedder/none.ts'
import { refreshWords } from './refresh-words.ts'
import { embedDocuments } from './embed-documents.ts'

/** Documents in one batch, and the time after which a run begins no further batch. */
const BATCH = 40
const RUN_MS = 20_000

export interface MaintenanceDependencies {
  readonly index: Index
  readonly vectors: VectorIndex
  readonly now: () => number
  readonly log: Log
  /** If absent, vectors are neither made nor pending. */
  readonly embedder?: Embedder
  /** Reads again what is pending to be read from GitHub; returns how many things. */
  readonly readPending?: () => Promise<number>
}

export interface MaintenanceSummary {
  readonly processed: number
  readonly retried: number
  readonly purged: number
  /** Things that were read again. */
  readonly fetched: number
}

/** Statements that replace the derived rows of a document, by kind; kinds are processed in this order. */
const PROCESS: Record<
  DerivedKind,
  (database: D1Database, document: number, read: VersionedDocument) => D1PreparedStatement[]
> = {
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
  const { index, vectors, now, embedder = NO_EMBEDDER, readPending } = deps
  const fetched = (await readPending?.()) ?? 0
  let mayEmbed = true
  const deadlineMs = now() + RUN_MS
  const summary = { processed: 0, retried: 0, purged: 0, fetched }
  let more = true
  while (more && now() < deadlineMs) {
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
    const purged = await purgeSome(index, vectors)
    summary.purged += purged
    more ||= purged === BATCH
  }
  if ((await refreshWords(deps, deadlineMs)) === 'requested') await dropOrphaned(index, vectors)
  await renewCommonTerms(index)
  await forgetOld(index, now())
  return summary
}

/** Ends a rebuild: drops vectors whose document or chunk no longer exists. */
async function dropOrphaned(index: Index, vectors: VectorIndex): Promise<void> {
  for (;;) {
    const orphaned = await listOrphaned(index, BATCH)
    if (orphaned.length === 0) return
    await markVectorsPending(index, orphaned)
    await vectors.drop(orphaned)
  }
}

/** Purges rows after their vectors, so that every vector has a row that owns it, and after their words and edges. */
async function purgeSome(index: Index, vectors: VectorIndex): Promise<number> {
  const removed = await listRemoved(index, BATCH)
  if (removed.length === 0) return 0
  if (!(await dropDerived(index, removed))) return 0
  const withVectors = removed.filter(({ mayHaveVectors }) => mayHaveVectors)
  if (withVectors.length > 0) await vectors.drop(withVectors.map(({ document }) => document))
  return purgeTombstones(index, removed)
}

/** Documents of a dropped repository still have words and edges. False if a page has put one of them again. */
async function dropDerived({ database }: Index, removed: readonly RemovedDocument[]): Promise<boolean> {
  const documents = removed.map(({ document }) => document)
  try {
    await database.batch([
      ...versionGuards(
        database,
        removed.map(({ vectorId, version }) => [vectorId, version] as const),
      ),
      ...dropWordsStatements(database, documents),
      ...dropEdgesStatements(database, documents),
    ])
    return true
  } catch (error) {
    if (isGuardFailure(error)) return false
    throw error
  }
}

async function processSome({ index, now, log }: MaintenanceDependencies, kind: DerivedKind) {
  const pending = await listPending(index, kind, now(), BATCH)
  const done = { taken: pending.length, processed: 0, retried: 0 }
  for (const document of pending) {
    try {
      await processPending(index, kind, document)
      done.processed += 1
    } catch (error) {
      // A page has rewritten the document, with its derived rows.
      if (isGuardFailure(error)) continue
      done.retried += 1
      await retryLater(index, kind, document, error, now())
      log.error(`${kind}_retried_later`, { document })
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
