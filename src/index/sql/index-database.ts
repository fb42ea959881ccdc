/**
 * The database of the index: one D1 database. D1 runs a `batch()` as one
 * transaction and has no other transactions.
 */

export interface Index {
  readonly database: D1Database
}
