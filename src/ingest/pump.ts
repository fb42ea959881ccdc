/**
 * The pump: settles owed work in bounded runs, from the scheduled handler. It
 * makes words again where the analysis has moved on, and purges what was
 * removed. Killed anywhere, it goes on from the rows.
 */
import type { Log } from '../base/log.ts'
import type { Index } from '../index/database.ts'
import { dropDebtStatement, listOwedWords, putOffWords } from '../index/debts.ts'
import { dropWordsStatements } from '../index/drop-words.ts'
import { isGuardFailure, versionGuards } from '../index/guards.ts'
import { putWordsStatements } from '../index/put-words.ts'
import { readStored } from '../index/read-stored.ts'
import { purgeTombstones } from '../index/tombstones.ts'

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

export async function pump({ index, now, log }: PumpDeps): Promise<PumpSummary> {
  const deadline = now() + RUN_MS
  let [settled, putOff, purged] = [0, 0, 0]
  while (now() < deadline) {
    const owed = await listOwedWords(index, now(), BATCH)
    for (const document of owed) {
      try {
        await settleWords(index, document)
        settled += 1
      } catch (error) {
        // Rewritten meanwhile: the newer page has settled it.
        if (isGuardFailure(error)) continue
        putOff += 1
        await putOffWords(index, document, error, now())
        log.error('words put off', { document })
      }
    }
    const gone = await purgeTombstones(index, BATCH)
    purged += gone
    if (owed.length < BATCH && gone < BATCH) break
  }
  return { settled, putOff, purged }
}

async function settleWords(index: Index, document: number): Promise<void> {
  const read = await readStored(index, document)
  if (read === undefined) return
  await index.database.batch([
    ...versionGuards(index.database, [[read.vectorId, read.version]]),
    ...dropWordsStatements(index.database, [document]),
    ...putWordsStatements(index.database, [read]),
    dropDebtStatement(index.database, document),
  ])
}
