/**
 * Pending work. A kind of derived rows is pending for a document whose version
 * of it is older than the code that makes them. A document that fails is retried
 * with backoff, keeps its error for the operator, and does not block the others.
 */
import type { Index } from '../sql/index-database.ts'
import { MAX_BACKOFF_MS, MAX_ERROR_CHARS } from '../limits.ts'
import { EDGES_VERSION } from '../links/edges.ts'
import { ANALYSIS_VERSION } from '../words/word-rows.ts'

const FIRST_BACKOFF_MS = 60_000

export type DerivedKind = 'words' | 'edges'

/** Of each kind: its version column in `documents`, and the current version. */
export const DERIVED_VERSIONS: Record<DerivedKind, { readonly column: string; readonly version: number }> = {
  words: { column: 'words_version', version: ANALYSIS_VERSION },
  edges: { column: 'edges_version', version: EDGES_VERSION },
}

/** Vectors are pending too; index/vectors/pending-vectors.ts lists them, because their version is a generation. */
export type PendingKind = DerivedKind | 'vectors'

/** SQL that is true for a row of `documents`, live or not, whose version of the kind is old. */
const IS_OLD: Record<PendingKind, string> = {
  words: isOlder(DERIVED_VERSIONS.words),
  edges: isOlder(DERIVED_VERSIONS.edges),
  vectors: 'vectors_version < (SELECT generation FROM vector_state)',
}

function isOlder({ column, version }: { readonly column: string; readonly version: number }): string {
  return `${column} < ${version}`
}

/** SQL that is true for a row of `documents` for which the kind is pending, waiting for a retry or not. */
export function isPending(kind: PendingKind): string {
  return `${IS_OLD[kind]} AND deleted_at IS NULL`
}

/** The same for any kind. */
export const IS_ANY_PENDING = `(${Object.values(IS_OLD).join(' OR ')}) AND deleted_at IS NULL`

/** The number of documents for which the kind is pending. */
export async function countPending({ database }: Index, kind: DerivedKind): Promise<number> {
  const sql = `SELECT count(*) AS pending FROM documents WHERE ${isPending(kind)}`
  return (await database.prepare(sql).first<number>('pending')) ?? 0
}

/** Numbers of up to `limit` documents for which the kind is pending and due, the oldest version first. */
export async function listPending(index: Index, kind: DerivedKind, nowMs: number, limit: number): Promise<number[]> {
  const { column, version } = DERIVED_VERSIONS[kind]
  const { results } = await index.database
    .prepare(
      `SELECT document FROM documents d WHERE ${column} < ?1 AND deleted_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM retries retry WHERE retry.document = d.document AND retry.kind = ?4 AND retry.due_at > ?2)
       ORDER BY ${column}, document LIMIT ?3`,
    )
    .bind(version, nowMs, limit, kind)
    .all<{ document: number }>()
  return results.map(({ document }) => document)
}

/** Schedules a retry after one minute, then after twice as long each time, up to MAX_BACKOFF_MS. */
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
