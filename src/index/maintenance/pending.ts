/**
 * Owed work. A document owes a kind of derived rows when its mark is older than
 * the code that makes them; a row that fails is put off, twice as long each
 * time, with its error kept for the operator, and never holds up the others.
 */
import type { Index } from '../sql/index-database.ts'
import { EDGES_VERSION } from '../links/edges.ts'
import { ANALYSIS_VERSION } from '../words/word-rows.ts'

const FIRST_BACKOFF_MS = 60_000
const MAX_BACKOFF_MS = 86_400_000
const MAX_ERROR_CHARS = 200

export type DerivedKind = 'words' | 'edges'

/** The mark of each kind, a column of documents, and what it should be. */
export const DERIVED_VERSIONS: Record<DerivedKind, { readonly column: string; readonly version: number }> = {
  words: { column: 'words_version', version: ANALYSIS_VERSION },
  edges: { column: 'edges_version', version: EDGES_VERSION },
}

/** True, in SQL, for a row of documents that owes the kind, put off or not. */
export function isPending(kind: DerivedKind): string {
  return `${DERIVED_VERSIONS[kind].column} < ${DERIVED_VERSIONS[kind].version} AND deleted_at IS NULL`
}

/** How many documents owe the kind. */
export async function countPending({ database }: Index, kind: DerivedKind): Promise<number> {
  return (
    (await database.prepare(`SELECT count(*) AS owed FROM documents WHERE ${isPending(kind)}`).first<number>('owed')) ??
    0
  )
}

/** Numbers of up to `limit` documents that owe the kind and are due, oldest first. */
export async function listPending(index: Index, kind: DerivedKind, nowMs: number, limit: number): Promise<number[]> {
  const { column, version } = DERIVED_VERSIONS[kind]
  const { results } = await index.database
    .prepare(
      `SELECT document FROM documents d WHERE ${column} < ?1 AND deleted_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM retries o WHERE o.document = d.document AND o.kind = ?4 AND o.due_at > ?2)
       ORDER BY ${column}, document LIMIT ?3`,
    )
    .bind(version, nowMs, limit, kind)
    .all<{ document: number }>()
  return results.map(({ document }) => document)
}

/** Vectors are owed by marks of their own: index/vectors/owed.ts. */
export type PendingKind = DerivedKind | 'vectors'

/** Puts the document's debt off: a minute, then twice as long each time, a day at most. */
export async function retryLater(
  index: Index,
  kind: PendingKind,
  document: number,
  error: unknown,
  nowMs: number,
): Promise<void> {
  const text = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_CHARS)
  await index.database
    .prepare(
      `INSERT INTO retries (document, kind, attempts, due_at, error) VALUES (?1, ?6, 1, ?2 + ?3, ?5)
       ON CONFLICT (document, kind) DO UPDATE SET attempts = attempts + 1, error = excluded.error,
         due_at = ?2 + min(?3 * (1 << min(attempts, 20)), ?4)`,
    )
    .bind(document, nowMs, FIRST_BACKOFF_MS, MAX_BACKOFF_MS, text, kind)
    .run()
}

export function dropRetryStatement(database: D1Database, kind: DerivedKind, document: number): D1PreparedStatement {
  return database.prepare('DELETE FROM retries WHERE document = ?1 AND kind = ?2').bind(document, kind)
}
