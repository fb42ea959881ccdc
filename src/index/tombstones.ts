/**
 * Tombstones: a removed document is hidden from every read at once, and its row
 * is purged later, in bounded runs.
 */
import type { Index } from './database.ts'
import { SEGMENTS_PER_DOCUMENT } from './limits.ts'
import { packJson } from './json-rows.ts'

export function tombstoneStatements(
  database: D1Database,
  documents: readonly number[],
  nowMs: number,
): D1PreparedStatement[] {
  return packJson(documents).map((json) =>
    database
      .prepare(
        `UPDATE documents SET deleted_at = ?2, version = version + 1, words_mark = 0
         WHERE document IN (SELECT value FROM json_each(?1)) AND deleted_at IS NULL`,
      )
      .bind(json, nowMs),
  )
}

/** Purges up to `limit` tombstones with all they hold; returns how many. */
export async function purgeTombstones(index: Index, limit: number): Promise<number> {
  const { database } = index
  const doomed = `SELECT document FROM documents WHERE deleted_at IS NOT NULL ORDER BY deleted_at, document LIMIT ${limit}`
  const sqls = [
    `DELETE FROM segments WHERE segment IN (SELECT s.segment FROM (${doomed}) d JOIN segments s
       ON s.segment >= d.document * ${SEGMENTS_PER_DOCUMENT} AND s.segment < (d.document + 1) * ${SEGMENTS_PER_DOCUMENT})`,
    ...['labels', 'assignees', 'debts'].map((table) => `DELETE FROM ${table} WHERE document IN (${doomed})`),
    `DELETE FROM documents WHERE document IN (${doomed})`,
  ]
  const results = await database.batch(sqls.map((sql) => database.prepare(sql)))
  return results.at(-1)!.meta.changes
}
