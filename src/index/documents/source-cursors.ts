/**
 * Cursors: how far each source of a repository has been read. A position is
 * opaque to the index. A cursor moves only in the transaction of the page that it
 * covers.
 */
import { toNameKey } from '../../base/repository-name.ts'
import type { Index } from '../sql/index-database.ts'

export interface SourceCursorMove {
  /** `owner/name`. */
  readonly repository: string
  readonly source: string
  /** Opaque; only the source interprets it. */
  readonly position: string
  /** Steps done, in the source's own unit, when the source knows. */
  readonly done?: number
  readonly total?: number
}

/** The repository's name must exist, or be inserted earlier in the same transaction. */
export function cursorStatement(database: D1Database, move: SourceCursorMove, nowMs: number): D1PreparedStatement {
  return database
    .prepare(
      `INSERT INTO cursors (repository, source, position, done, total, moved_at)
       SELECT repository, ?2, ?3, ?4, ?5, ?6 FROM repository_names WHERE name_key = ?1
       ON CONFLICT (repository, source) DO UPDATE SET position = excluded.position,
         done = excluded.done, total = excluded.total, moved_at = excluded.moved_at`,
    )
    .bind(toNameKey(move.repository), move.source, move.position, move.done ?? null, move.total ?? null, nowMs)
}

export interface SourceCursor {
  readonly repository: number
  readonly source: string
  readonly position: string
  readonly done: number | null
  readonly total: number | null
  readonly movedAt: number
}

/** Every cursor, in the order of repository and source. */
export async function listCursors(index: Index): Promise<SourceCursor[]> {
  const { results } = await index.database
    .prepare(
      'SELECT repository, source, position, done, total, moved_at AS movedAt FROM cursors ORDER BY repository, source',
    )
    .all<SourceCursor>()
  return results
}
