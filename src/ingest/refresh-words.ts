/**
 * Replaces the word index by its shadow, as a part of the maintenance run: begins
 * when the averages of the word index have drifted, waits while words are
 * pending, fills the shadow index in batches, and swaps when it is complete.
 */
import type { Log } from '../base/log.ts'
import type { Index } from '../index/sql/index-database.ts'
import { countPending } from '../index/maintenance/pending.ts'
import { hasDrifted } from '../fts/average-drift.ts'
import {
  beginShadowStatement,
  dropOrphans,
  fillShadow,
  listMissing,
  readRowCounts,
  readRebuildReason,
  swapShadow,
  type RebuildReason,
} from '../index/maintenance/shadow-index.ts'
import { isGuardFailure } from '../index/sql/guards.ts'
import { readStored } from '../index/documents/read-stored.ts'

/** Documents in one batch. */
const BATCH = 40

export interface RefreshDependencies {
  readonly index: Index
  readonly now: () => number
  readonly log: Log
}

/**
 * Continues until `deadlineMs`; the next run does the rest. Returns the reason of
 * the rebuild if this run swapped the shadow index in, else undefined.
 */
export async function refreshWords(
  { index, now, log }: RefreshDependencies,
  deadlineMs: number,
): Promise<RebuildReason | undefined> {
  const reason = await readRebuildReason(index)
  if (reason === undefined) {
    if (!hasDrifted(await readRowCounts(index))) return undefined
    await beginShadowStatement(index.database, 'drift').run()
  }
  // Rows of pending documents will change, and would be filled in twice.
  if ((await countPending(index, 'words')) > 0) return undefined
  let after = 0
  for (;;) {
    const batch = await listMissing(index, after, BATCH)
    for (const document of batch) if (!(await fill(index, document, log))) return undefined
    after = batch.at(-1) ?? after
    if (now() >= deadlineMs) return undefined
    if (batch.length < BATCH) break
  }
  while ((await dropOrphans(index, BATCH)) === BATCH) if (now() >= deadlineMs) return undefined
  try {
    await swapShadow(index)
    log.info('words_refreshed')
    return reason ?? 'drift'
  } catch (error) {
    // A page was written in between; the next run fills in what it changed.
    if (!isGuardFailure(error)) throw error
    return undefined
  }
}

/** False when the document cannot be filled in; the swap waits for it. */
async function fill(index: Index, document: number, log: Log): Promise<boolean> {
  const read = await readStored(index, document)
  if (read === undefined) return true
  try {
    await fillShadow(index, document, read)
    return true
  } catch (error) {
    if (isGuardFailure(error)) return true
    log.error('words_refresh_failed', { document })
    return false
  }
}
