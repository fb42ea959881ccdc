/**
 * The pump's part in making the word index anew: begins when its statistics
 * have drifted, waits while words are owed, fills the fresh table in bounded
 * steps, and swaps when it holds everything.
 */
import type { Log } from '../base/log.ts'
import type { Index } from '../index/sql/index-database.ts'
import { countPending } from '../index/maintenance/pending.ts'
import { hasDrifted } from '../fts/average-drift.ts'
import {
  beginStatement,
  dropStale,
  fillShadow,
  listMissing,
  readDrift,
  readRebuildState,
  swapShadow,
} from '../index/maintenance/shadow-index.ts'
import { isGuardFailure } from '../index/sql/guards.ts'
import { readStored } from '../index/documents/read-stored.ts'

/** Documents taken at a time. */
const BATCH = 40

export interface RefreshDependencies {
  readonly index: Index
  readonly now: () => number
  readonly log: Log
}

/**
 * Goes on until `deadline` in milliseconds; what is left is the next run's. Told
 * is what this run has ended: a rebuild that was asked for, a making for drift.
 */
export async function refreshWords(
  { index, now, log }: RefreshDependencies,
  deadline: number,
): Promise<'asked' | 'drift' | undefined> {
  const making = await readRebuildState(index)
  if (making === undefined) {
    if (!hasDrifted(await readDrift(index))) return undefined
    await beginStatement(index.database, 'drift').run()
  }
  // Their rows are about to change, and the fresh table would have to follow.
  if ((await countPending(index, 'words')) > 0) return undefined
  let after = 0
  for (;;) {
    const some = await listMissing(index, after, BATCH)
    for (const document of some) if (!(await fill(index, document, log))) return undefined
    after = some.at(-1) ?? after
    if (now() >= deadline) return undefined
    if (some.length < BATCH) break
  }
  while ((await dropStale(index, BATCH)) === BATCH) if (now() >= deadline) return undefined
  try {
    await swapShadow(index)
    log.info('words refreshed')
    return making ?? 'drift'
  } catch (error) {
    // A page came in between; the next run fills in what it changed.
    if (!isGuardFailure(error)) throw error
    return undefined
  }
}

/** False when the document cannot be filled in now: the swap has to wait for it. */
async function fill(index: Index, document: number, log: Log): Promise<boolean> {
  const read = await readStored(index, document)
  if (read === undefined) return true
  try {
    await fillShadow(index, document, read)
    return true
  } catch (error) {
    if (isGuardFailure(error)) return true
    log.error('refreshing words failed', { document })
    return false
  }
}
