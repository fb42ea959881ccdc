/**
 * Tombstones: a removed document is hidden from every read at once, and its row
 * is purged later, in bounded runs.
 */
import type { Index } from '../sql/index-database.ts'
import { SEGMENTS_PER_DOCUMENT } from '../limits.ts'
import { packJson } from '../sql/json-rows.ts'

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

/** A removed document; its version proves that nobody has put it again. */
export interface RemovedDocument {
  readonly document: number
  readonly version: number
  /** It may have vectors, which must be gone before it is purged. */
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

/** Purges tombstones with all they hold; returns how many. */
export async function purgeTombstones({ database }: Index, doomed: readonly RemovedDocument[]): Promise<number> {
  const json = JSON.stringify(doomed.map(({ document, version }) => [document, version]))
  const still = `SELECT g.document FROM json_each(?1) e JOIN documents g ON g.document = e.value ->> 0
    WHERE g.version = e.value ->> 1 AND g.deleted_at IS NOT NULL`
  const sqls = [
    `DELETE FROM segments WHERE segment IN (SELECT s.segment FROM (${still}) d JOIN segments s
       ON s.segment >= d.document * ${SEGMENTS_PER_DOCUMENT} AND s.segment < (d.document + 1) * ${SEGMENTS_PER_DOCUMENT})`,
    ...['labels', 'assignees', 'retries'].map((table) => `DELETE FROM ${table} WHERE document IN (${still})`),
    `DELETE FROM documents WHERE document IN (${still})`,
  ]
  const results = await database.batch(sqls.map((sql) => database.prepare(sql).bind(json)))
  return results.at(-1)!.meta.changes
}
