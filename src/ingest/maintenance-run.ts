/**
 * The pump: settles owed work in bounded runs, from the scheduled handler. It
 * makes derived rows again where the code that makes them has moved on, purges
 * what was removed once its vectors are gone, and refreshes the word index.
 * Killed anywhere, it goes on from the rows.
 */
import type { Log } from '../base/log.ts'
import type { Index } from '../index/sql/index-database.ts'
import { dropDebtStatement, listOwed, putOff, type DebtKind } from '../index/maintenance/pending.ts'
import { dropWordsStatements } from '../index/words/drop-words.ts'
import { dropEdgesStatements, putEdgesStatements } from '../index/links/edges.ts'
import { isGuardFailure, versionGuards } from '../index/sql/guards.ts'
import { putWordsStatements } from '../index/words/put-words.ts'
import { readStored, type ReadBack } from '../index/documents/read-stored.ts'
import { listDoomed, purgeTombstones } from '../index/documents/tombstones.ts'
import { d1Vectors } from '../index/vectors/d1-vectors.ts'
import { listOrphaned, oweVectors } from '../index/vectors/orphaned-vectors.ts'
import type { VectorIndex } from '../index/vectors/vector-index.ts'
import type { Embedder } from '../models/embedder/embedder.ts'
import { NO_EMBEDDER } from '../models/embedder/none.ts'
import { refreshWords } from './refresh-words.ts'
import { settleVectors } from './embed-documents.ts'

/** Documents taken at a time, and how long one run goes on taking more. */
const BATCH = 40
const RUN_MS = 20_000

export interface PumpDeps {
  readonly index: Index
  readonly now: () => number
  readonly log: Log
  /** None unless given: then no vector is owed. */
  readonly embedder?: Embedder
}

export interface PumpSummary {
  readonly settled: number
  readonly putOff: number
  readonly purged: number
}

/** How each kind of debt is settled, in the order in which they are: a row's new state from the row alone. */
const SETTLE: Record<DebtKind, (database: D1Database, document: number, read: ReadBack) => D1PreparedStatement[]> = {
  words: (database, document, read) => [
    ...dropWordsStatements(database, [document]),
    ...putWordsStatements(database, [read]),
  ],
  edges: (database, document, read) => [
    ...dropEdgesStatements(database, [document]),
    ...putEdgesStatements(database, [read]),
  ],
}

const KINDS = Object.keys(SETTLE) as DebtKind[]

export async function pump(deps: PumpDeps): Promise<PumpSummary> {
  const { index, now, embedder = NO_EMBEDDER } = deps
  const vectors = d1Vectors(index)
  let mayEmbed = true
  const deadline = now() + RUN_MS
  const summary = { settled: 0, putOff: 0, purged: 0 }
  let more = true
  while (more && now() < deadline) {
    more = false
    for (const kind of KINDS) {
      const done = await settleSome(deps, kind)
      summary.settled += done.settled
      summary.putOff += done.putOff
      more ||= done.taken === BATCH
    }
    if (embedder.weight > 0 && mayEmbed) {
      const done = await settleVectors({ ...deps, embedder, vectors })
      summary.settled += done.settled
      summary.putOff += done.putOff
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
    await oweVectors(index, some)
    await vectors.drop(some)
  }
}

/** Rows outlive their vectors, so that a vector always has a row that says whose it is. */
async function purgeSome(index: Index, vectors: VectorIndex): Promise<number> {
  const doomed = await listDoomed(index, BATCH)
  if (doomed.length === 0) return 0
  const withVectors = doomed.filter(({ mayHaveVectors }) => mayHaveVectors)
  if (withVectors.length > 0) await vectors.drop(withVectors.map(({ document }) => document))
  return purgeTombstones(index, doomed)
}

async function settleSome({ index, now, log }: PumpDeps, kind: DebtKind) {
  const owed = await listOwed(index, kind, now(), BATCH)
  const done = { taken: owed.length, settled: 0, putOff: 0 }
  for (const document of owed) {
    try {
      await settle(index, kind, document)
      done.settled += 1
    } catch (error) {
      // Rewritten meanwhile: the newer page has settled it.
      if (isGuardFailure(error)) continue
      done.putOff += 1
      await putOff(index, kind, document, error, now())
      log.error(`${kind} put off`, { document })
    }
  }
  return done
}

async function settle(index: Index, kind: DebtKind, document: number): Promise<void> {
  const read = await readStored(index, document)
  if (read === undefined) return
  await index.database.batch([
    ...versionGuards(index.database, [[read.vectorId, read.version]]),
    ...SETTLE[kind](index.database, document, read),
    dropDebtStatement(index.database, kind, document),
  ])
}
