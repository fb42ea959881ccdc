/**
 * The pump: settles owed work in bounded runs, from the scheduled handler. It
 * makes derived rows again where the code that makes them has moved on, purges
 * what was removed, and refreshes the word index. Killed anywhere, it goes on from the rows.
 */
import type { Log } from '../base/log.ts'
import type { Index } from '../index/database.ts'
import { dropDebtStatement, listOwed, putOff, type DebtKind } from '../index/debts.ts'
import { dropWordsStatements } from '../index/drop-words.ts'
import { dropEdgesStatements, putEdgesStatements } from '../index/edges.ts'
import { isGuardFailure, versionGuards } from '../index/guards.ts'
import { putWordsStatements } from '../index/put-words.ts'
import { readStored, type ReadBack } from '../index/read-stored.ts'
import { purgeTombstones } from '../index/tombstones.ts'
import { refreshWords } from './refresh-words.ts'

/** Documents taken at a time, and how long one run goes on taking more. */
const BATCH = 40
const RUN_MS = 20_000

export interface PumpDeps {
  readonly index: Index
  readonly now: () => number
  readonly log: Log
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
  const { index, now } = deps
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
    const gone = await purgeTombstones(index, BATCH)
    summary.purged += gone
    more ||= gone === BATCH
  }
  await refreshWords(deps, deadline)
  return summary
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
