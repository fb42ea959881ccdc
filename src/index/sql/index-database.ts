/**
 * The index as its adapters hold it: one D1 database. D1 runs a `batch()` as
 * one transaction and has no other kind.
 */

/** Whether a write failed because there is no room left for it, and not by a bug. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && /SQLITE_FULL|database or disk is full/.test(error.message)
}

export interface Index {
  readonly database: D1Database
}
