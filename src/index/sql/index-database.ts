/**
 * The database of the index: one D1 database. D1 runs a `batch()` as one
 * transaction and has no other transactions.
 */

/** True for a write that failed because the disk is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && /SQLITE_FULL|database or disk is full/.test(error.message)
}

export interface Index {
  readonly database: D1Database
}
