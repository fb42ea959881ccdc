/**
 * The index as its adapters hold it: one D1 database. D1 runs a `batch()` as
 * one transaction and has no other kind.
 */

export interface Index {
  readonly database: D1Database
}
