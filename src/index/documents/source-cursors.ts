/**
 * Cursors: how far each source of a repository has been read. A cursor is data
 * of its source; the index stores it, moves it only together with the page that
 * makes it true, and reads nothing in it but how much of how much is done.
 */
import type { Index } from '../sql/index-database.ts'

export interface SourceCursorMove {
  /** `owner/name`. */
  readonly repository: string
  readonly source: string
  /** The source's own words for where it is. */
  readonly position: string
  /** Steps done, of how many, when the source can tell. */
  readonly done?: number
  readonly total?: number
}

/** The repository must be named in the same transaction or before. */
export function cursorStatement(database: D1Database, move: SourceCursorMove, nowMs: number): D1PreparedStatement {
  return database
    .prepare(
      `INSERT INTO cursors (repository, source, position, done, total, moved_at)
       SELECT repository, ?2, ?3, ?4, ?5, ?6 FROM repository_names WHERE name_key = ?1
       ON CONFLICT (repository, source) DO UPDATE SET position = excluded.position,
         done = excluded.done, total = excluded.total, moved_at = excluded.moved_at`,
    )
    .bind(move.repository.toLowerCase(), move.source, move.position, move.done ?? null, move.total ?? null, nowMs)
}

export interface SourceCursor {
  readonly repository: number
  readonly source: string
  readonly position: string
  readonly done: number | null
  readonly total: number | null
  readonly movedAt: number
}

/** Every cursor, by repository and source. */
export async function listCursors(index: Index): Promise<SourceCursor[]> {
  const { results } = await index.database
    .prepare(
      'SELECT repository, source, position, done, total, moved_at AS movedAt FROM cursors ORDER BY repository, source',
    )
    .all<SourceCursor>()
  return results
}
