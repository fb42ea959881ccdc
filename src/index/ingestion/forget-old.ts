/** Forgets what is kept for a limited time: removals, deliveries, and leases that have expired. */
import { MEMORY_MS } from '../limits.ts'
import type { Index } from '../sql/index-database.ts'

/** Rows of a table that one call deletes. */
const ROWS_A_CALL = 1_000

/** Returns how many rows are gone; more may be left. */
export async function forgetOld({ database }: Index, nowMs: number): Promise<number> {
  const before = nowMs - MEMORY_MS
  const results = await database.batch([
    database
      .prepare(
        `DELETE FROM removals WHERE vector_id IN (
           SELECT vector_id FROM removals WHERE removed_at < ?1 ORDER BY removed_at LIMIT ${ROWS_A_CALL})`,
      )
      .bind(before),
    database
      .prepare(
        `DELETE FROM deliveries WHERE (hook, delivery) IN (
           SELECT hook, delivery FROM deliveries WHERE received_at < ?1 ORDER BY received_at LIMIT ${ROWS_A_CALL})`,
      )
      .bind(before),
    database.prepare('DELETE FROM leases WHERE expires_at < ?1').bind(before),
  ])
  return results.reduce((rows, { meta }) => rows + meta.changes, 0)
}
