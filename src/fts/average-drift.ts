/**
 * Decides when an FTS5 table must be rebuilt. FTS5 counts every row that was ever
 * inserted. When rows are rewritten, its averages drift, and so do the ranks that
 * choose candidates.
 */
import { Buffer } from 'node:buffer'

export interface RowCounts {
  /** Rows ever inserted, as FTS5 counts them. */
  readonly inserted: number
  /** Rows in the table. */
  readonly live: number
}

/** Inserted rows over live rows above which the statistics have drifted. */
const DRIFT_RATIO = 2

/** Selects the input of `insertedRows`, from the `_data` table of an FTS5 table. */
export const SELECT_AVERAGES_HEAD = 'SELECT hex(substr(block, 1, 9)) AS head'

/** The first number of FTS5's averages record (block 1): a varint of seven bits a byte, high bit set while more follow. */
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
