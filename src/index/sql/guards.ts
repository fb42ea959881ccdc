/**
 * Guards: statements that fail a transaction if the rows that it was planned on
 * have changed. D1 has no interactive transactions, so a writer reads, plans,
 * and checks what it read in the first statements of its batch.
 */
import { packJson } from './json-rows.ts'

/** Fail unless every document still has its version; version 0 means that the document does not exist. */
export function versionGuards(
  database: D1Database,
  versions: readonly (readonly [vectorId: string, version: number])[],
): D1PreparedStatement[] {
  return packJson(versions).map((json) =>
    database
      .prepare(
        `INSERT INTO guards (holds) SELECT 0 FROM json_each(?1) e
         LEFT JOIN documents d ON d.vector_id = e.value ->> 0
         WHERE coalesce(d.version, 0) <> e.value ->> 1`,
      )
      .bind(json),
  )
}

/** True for a batch that failed on a guard: it changed nothing and can be planned again. */
export function isGuardFailure(error: unknown): boolean {
  return error instanceof Error && /CHECK constraint failed: holds/.test(error.message)
}
