/**
 * Tombstones: a removed document is soft-deleted, which hides it from every read
 * at once. A maintenance run purges its rows later, in batches.
 */
import type { Index } from '../sql/index-database.ts'
import { SEGMENTS_PER_DOCUMENT } from '../limits.ts'
import { packJson } from '../sql/json-rows.ts'
import { LIST_FIELDS } from '../../documents/fields.ts'

/** Soft-deletes documents by number. */
export function tombstoneStatements(
  database: D1Database,
  documents: readonly number[],
  nowMs: number,
): D1PreparedStatement[] {
  return packJson(documents).map((json) =>
    database
      .prepare(
        `UPDATE documents SET deleted_at = ?2, version = version + 1, words_version = 0
         WHERE document IN (SELECT value FROM json_each(?1)) AND deleted_at IS NULL`,
      )
      .bind(json, nowMs),
  )
}

/** A removed document; an unchanged version proves that no page has put it again. */
export interface RemovedDocument {
  readonly document: number
  readonly version: number
  /** It may have vectors, which must be dropped before it is purged. */
  readonly mayHaveVectors: boolean
}

/** Up to `limit` tombstones, oldest first. */
export async function listRemoved({ database }: Index, limit: number): Promise<RemovedDocument[]> {
  const { results } = await database
    .prepare(
      `SELECT document, version, vectors_version IS NOT NULL AS vectors FROM documents
       WHERE deleted_at IS NOT NULL ORDER BY deleted_at, document LIMIT ?1`,
    )
    .bind(limit)
    .all<{ document: number; version: number; vectors: number }>()
  return results.map(({ vectors, ...row }) => ({ ...row, mayHaveVectors: vectors === 1 }))
}

/** Deletes the rows of tombstones and their parts; returns how many documents. Documents put again since are kept. */
export async function purgeTombstones({ database }: Index, toPurge: readonly RemovedDocument[]): Promise<number> {
  const json = JSON.stringify(toPurge.map(({ document, version }) => [document, version]))
  const unchanged = `SELECT g.document FROM json_each(?1) e JOIN documents g ON g.document = e.value ->> 0
    WHERE g.version = e.value ->> 1 AND g.deleted_at IS NOT NULL`
  const sqls = [
    `DELETE FROM segments WHERE segment IN (SELECT s.segment FROM (${unchanged}) d JOIN segments s
       ON s.segment >= d.document * ${SEGMENTS_PER_DOCUMENT} AND s.segment < (d.document + 1) * ${SEGMENTS_PER_DOCUMENT})`,
    ...[...LIST_FIELDS.map(({ property }) => property), 'retries'].map(
      (table) => `DELETE FROM ${table} WHERE document IN (${unchanged})`,
    ),
    `DELETE FROM author_names WHERE author_key IN (
       SELECT d.author_key FROM (${unchanged}) u JOIN documents d ON d.document = u.document
       WHERE NOT EXISTS (SELECT 1 FROM documents o WHERE o.author_key = d.author_key AND o.deleted_at IS NULL))`,
    `DELETE FROM documents WHERE document IN (${unchanged})`,
  ]
  const results = await database.batch(sqls.map((sql) => database.prepare(sql).bind(json)))
  return results.at(-1)!.meta.changes
}
