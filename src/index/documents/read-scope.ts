/**
 * Reads the state of a scope for an answer: the present name of the repository, and
 * the sources of visible repositories that have not been read to their end, so
 * that rows may be missing.
 */
import { ok } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import { isVisible, repositoriesIn } from '../filters/visibility.ts'
import type { Scope } from '../filters/visibility.ts'
import { MAX_UNFINISHED_SOURCES } from '../limits.ts'
import type { IndexReader } from '../reader.ts'
import { constant, runQueries, sql } from '../sql/sql.ts'
import type { Query } from '../sql/sql.ts'

/** A source that was read as far as `done` of `total` steps, in the source's own unit. A surface of GitHub may not know its total. */
interface ReadingProgress {
  readonly repo: string
  readonly source: string
  readonly done: number | null
  readonly total: number | null
}

export interface ScopeState {
  /** The present name of the repository in scope; undefined if the scope names no visible repository. */
  readonly name: string | undefined
  /** The first few unfinished sources, by repository and name. */
  readonly unfinished: readonly ReadingProgress[]
  /** True if the index may have more unfinished sources. */
  readonly mayBeMore: boolean
}

/** One round trip; UNAVAILABLE where it fails. */
export async function readScope(reader: IndexReader, scope: Scope): Promise<Result<ScopeState>> {
  const read = await runQueries(reader, { name: repositoryName(scope), unfinished: unfinishedSources(scope) })
  if (!read.ok) return read
  return ok({ ...read.value, mayBeMore: read.value.unfinished.length >= MAX_UNFINISHED_SOURCES })
}

function repositoryName(scope: Scope): Query<string | undefined> {
  const named = scope.repository ? sql`r.repository = ${repositoriesIn(scope)}` : sql`0`
  return {
    statement: sql`SELECT r.name FROM repositories r WHERE ${named}`,
    toValue: ([row]) => row?.['name'] as string | undefined,
  }
}

function unfinishedSources(scope: Scope): Query<readonly ReadingProgress[]> {
  const { viewer, ...place } = scope
  // A subquery would read all repositories, however few sources are unfinished.
  const inScope = Object.keys(place).length === 0 ? isVisible(viewer) : sql`r.repository IN ${repositoriesIn(scope)}`
  return {
    statement: sql`
      SELECT r.name AS repo, c.source, c.done, c.total
      FROM cursors c CROSS JOIN repositories r ON r.repository = c.repository
      WHERE c.done < c.total AND ${inScope}
      UNION ALL
      SELECT r.name, s.surface, s.done, s.total
      FROM surface_reads s CROSS JOIN repositories r ON r.repository = s.repository
      WHERE s.walk = 'poll' AND s.ended_at IS NULL AND s.state IN ('reading', 'waiting') AND ${inScope}
      ORDER BY 1, 2 LIMIT ${constant(String(MAX_UNFINISHED_SOURCES))}`,
    toValue: (rows) => rows as unknown as readonly ReadingProgress[],
  }
}
