/**
 * When an FTS5 table should be made anew. FTS5 counts every row that was ever
 * inserted and forgets none, so as rows are rewritten its averages drift, and
 * with them the ranks that choose candidates.
 */
import { Buffer } from 'node:buffer'

export interface RowCounts {
  /** Rows ever inserted into the word index, as FTS5 counts them. */
  readonly inserted: number
  /** Rows in it. */
  readonly live: number
}

/** Rows ever inserted, over rows there are, from which the statistics count as drifted. */
const DRIFT_RATIO = 2

/** What to select from the table's `_data` for `insertedRows`. */
export const SELECT_AVERAGES_HEAD = 'SELECT hex(substr(block, 1, 9)) AS head'

/** FTS5 begins its averages record, block 1, with the number of rows: seven bits a byte, the high bit says that more follow. */
export function insertedRows(head: string): number {
  let value = 0
  for (const byte of Buffer.from(head, 'hex')) {
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) break
  }
  return value
}

export function hasDrifted({ inserted, live }: RowCounts): boolean {
  return inserted > live * DRIFT_RATIO
}
