/**
 * Guards: statements that fail a transaction when what it was planned on is no
 * longer so. D1 cannot read and write in one interactive transaction, so a
 * writer reads, plans, and proves its reading as the first step of the batch.
 */
import { packJson } from './json-rows.ts'

/** Fails unless every document still has the version; 0 stands for one that is not there. */
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

/** Whether a batch failed on a guard, and so changed nothing and may be planned anew. */
export function isGuardFailure(error: unknown): boolean {
  return error instanceof Error && /CHECK constraint failed: holds/.test(error.message)
}
