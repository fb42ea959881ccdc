/**
 * Owed work. A document owes its words when its mark is older than the analysis
 * in the code; a row that fails is put off, twice as long each time, with its
 * error kept for the operator, and never holds up the others.
 */
import type { Index } from './database.ts'
import { ANALYSIS_VERSION } from './word-rows.ts'

const FIRST_BACKOFF_MS = 60_000
const MAX_BACKOFF_MS = 86_400_000
const MAX_ERROR_CHARS = 200

/** Numbers of up to `limit` documents whose words are owed and due, oldest first. */
export async function listOwedWords(index: Index, nowMs: number, limit: number): Promise<number[]> {
  const { results } = await index.database
    .prepare(
      `SELECT document FROM documents d WHERE words_mark < ?1 AND deleted_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM debts o WHERE o.document = d.document AND o.kind = 'words' AND o.due_at > ?2)
       ORDER BY words_mark, document LIMIT ?3`,
    )
    .bind(ANALYSIS_VERSION, nowMs, limit)
    .all<{ document: number }>()
  return results.map(({ document }) => document)
}

/** Puts the document's words off: a minute, then twice as long each time, a day at most. */
export async function putOffWords(index: Index, document: number, error: unknown, nowMs: number): Promise<void> {
  const text = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_CHARS)
  await index.database
    .prepare(
      `INSERT INTO debts (document, kind, attempts, due_at, error) VALUES (?1, 'words', 1, ?2 + ?3, ?5)
       ON CONFLICT (document, kind) DO UPDATE SET attempts = attempts + 1, error = excluded.error,
         due_at = ?2 + min(?3 * (1 << min(attempts, 20)), ?4)`,
    )
    .bind(document, nowMs, FIRST_BACKOFF_MS, MAX_BACKOFF_MS, text)
    .run()
}

export function dropDebtStatement(database: D1Database, document: number): D1PreparedStatement {
  return database.prepare(`DELETE FROM debts WHERE document = ?1 AND kind = 'words'`).bind(document)
}
