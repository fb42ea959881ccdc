/**
 * Readings under way: sources of visible repositories that have not been read
 * to their end, so that an answer can say what it may not know yet.
 */
import { constant, sql } from '../sql/sql.ts'
import type { Query } from '../sql/sql.ts'
import { isVisible, repositoriesIn } from '../filters/visibility.ts'
import type { Scope } from '../filters/visibility.ts'

/** A source read as far as `done` of `total` steps, in the source's own unit. */
export interface ReadingProgress {
  readonly repo: string
  readonly source: string
  readonly done: number
  readonly total: number
}

/** Readings told of at most. */
export const MAX_READINGS = 10

export function unfinishedReadings(scope: Scope): Query<readonly ReadingProgress[]> {
  const inScope = scope.repository ? sql`r.repository = ${repositoriesIn(scope)}` : isVisible(scope.viewer)
  return {
    statement: sql`
      SELECT r.name AS repo, c.source, c.done, c.total
      FROM cursors c CROSS JOIN repositories r ON r.repository = c.repository
      WHERE c.done < c.total AND ${inScope}
      ORDER BY r.name, c.source LIMIT ${constant(String(MAX_READINGS))}`,
    toValue: (rows) => rows as unknown as readonly ReadingProgress[],
  }
}
