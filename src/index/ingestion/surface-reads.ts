/**
 * How far each surface of a repository is read: one row for each walk, the poll
 * and the lap. A position moves only in the transaction of the page that it has
 * passed. A round reads each of its surfaces once to the end.
 */
import type { Surface, SurfaceState } from '../../base/vocabulary.ts'
import { MAX_ERROR_CHARS } from '../limits.ts'
import type { Index } from '../sql/index-database.ts'
import { statementsFor } from '../sql/json-rows.ts'

export type Walk = 'poll' | 'lap'

export interface SurfaceMove {
  readonly repoId: number
  readonly surface: Surface
  readonly walk: Walk
  /** Plain JSON that only the surface reads. */
  readonly position: unknown
  /** The walk has come to its end. */
  readonly ended: boolean
  readonly done?: number
  readonly total?: number
  /** Made since the last move or trouble. */
  readonly requests: number
  /** GitHub has nothing to read here, or does not let us. */
  readonly closed?: { readonly state: 'off' | 'unreadable'; readonly reason: string }
}

export interface SurfaceRead {
  readonly repoId: number
  readonly surface: Surface
  readonly walk: Walk
  readonly state: SurfaceState
  /** Undefined at the beginning. */
  readonly position: unknown
  /** It is still to be read to its end in the current round. */
  readonly isUnread: boolean
  readonly done?: number
  readonly total?: number
  /** All that were ever made for it. */
  readonly requests: number
  /** Failures since the last move. */
  readonly attempts: number
  /** Unix milliseconds of the last page, of the last read to the end, and of the next try. */
  readonly movedAtMs?: number
  readonly endedAtMs?: number
  readonly retryAtMs?: number
  readonly lastError?: string
}

export interface SurfaceTrouble {
  readonly repoId: number
  readonly surface: Surface
  readonly walk: Walk
  readonly state: SurfaceState
  readonly error: string
  readonly retryAtMs?: number
  readonly requests: number
}

/** Which surface of which repository. */
export interface SurfaceKey {
  readonly repoId: number
  readonly surface: Surface
}

const KEY_OF_REPOSITORY = '(SELECT repository FROM repositories WHERE repo_id = ?1)'

/** Moves a position; the error and the retry of an earlier trouble are over. */
export function surfaceStatement(database: D1Database, move: SurfaceMove, nowMs: number): D1PreparedStatement {
  const { closed, ended } = move
  const isOver = ended || closed !== undefined
  return database
    .prepare(
      `INSERT INTO surface_reads (repository, surface, walk, state, position, unread, done, total, requests, attempts,
         moved_at, ended_at, last_error)
       SELECT repository, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, ?10, ?11, ?12 FROM repositories WHERE repo_id = ?1
       ON CONFLICT (repository, surface, walk) DO UPDATE SET state = excluded.state, position = excluded.position,
         unread = min(unread, excluded.unread), done = excluded.done, total = excluded.total,
         requests = requests + excluded.requests, attempts = 0, moved_at = excluded.moved_at,
         ended_at = coalesce(excluded.ended_at, ended_at), last_error = excluded.last_error, retry_at = NULL`,
    )
    .bind(
      move.repoId,
      move.surface,
      move.walk,
      closed?.state ?? (ended ? 'current' : 'reading'),
      move.position === undefined ? null : JSON.stringify(move.position),
      isOver ? 0 : 1,
      move.done ?? null,
      move.total ?? null,
      move.requests,
      nowMs,
      ended && closed === undefined ? nowMs : null,
      closed?.reason.slice(0, MAX_ERROR_CHARS) ?? null,
    )
}

/** Records why a surface could not be read; its position stays. */
export async function recordTrouble({ database }: Index, trouble: SurfaceTrouble): Promise<void> {
  await database
    .prepare(
      `INSERT INTO surface_reads (repository, surface, walk, state, unread, requests, attempts, last_error, retry_at)
       SELECT repository, ?2, ?3, ?4, 1, ?5, 1, ?6, ?7 FROM repositories WHERE repo_id = ?1
       ON CONFLICT (repository, surface, walk) DO UPDATE SET state = excluded.state,
         requests = requests + excluded.requests, attempts = attempts + 1,
         last_error = excluded.last_error, retry_at = excluded.retry_at`,
    )
    .bind(
      trouble.repoId,
      trouble.surface,
      trouble.walk,
      trouble.state,
      trouble.requests,
      trouble.error.slice(0, MAX_ERROR_CHARS),
      trouble.retryAtMs ?? null,
    )
    .run()
}

/** Counts requests that neither a move nor a trouble has counted. */
export async function countRequests(
  { database }: Index,
  repoId: number,
  walk: Walk,
  requests: ReadonlyMap<Surface, number>,
): Promise<void> {
  const rows = [...requests].filter(([, made]) => made > 0).map(([surface, made]) => [repoId, surface, walk, made])
  const statements = statementsFor(
    database,
    `INSERT INTO surface_reads (repository, surface, walk, state, unread, requests, attempts)
     SELECT r.repository, e.value ->> 1, e.value ->> 2, 'reading', 1, e.value ->> 3, 0
     FROM json_each(?1) e JOIN repositories r ON r.repo_id = e.value ->> 0 WHERE true
     ON CONFLICT (repository, surface, walk) DO UPDATE SET requests = requests + excluded.requests`,
    rows,
  )
  if (statements.length > 0) await database.batch(statements)
}

/** Begins a round: each of these surfaces is to be read to its end once, by a poll from its position, by a lap from the beginning. */
export async function beginRound({ database }: Index, walk: Walk, surfaces: readonly SurfaceKey[]): Promise<void> {
  const statements = statementsFor(
    database,
    `INSERT INTO surface_reads (repository, surface, walk, state, unread, requests, attempts)
     SELECT r.repository, e.value ->> 1, ?2, 'reading', 1, 0, 0
     FROM json_each(?1) e JOIN repositories r ON r.repo_id = e.value ->> 0 WHERE true
     ON CONFLICT (repository, surface, walk) DO UPDATE SET unread = 1, position = iif(walk = 'lap', NULL, position)`,
    surfaces.map(({ repoId, surface }) => [repoId, surface]),
    walk,
  )
  if (statements.length > 0) await database.batch(statements)
}

/**
 * Sends the laps of all surfaces of a repository back to their beginning if one of
 * them is not at its end. Rows that they compared before may have changed since.
 */
export async function restartOpenLaps({ database }: Index): Promise<void> {
  await database
    .prepare(
      `UPDATE surface_reads SET unread = 1, position = NULL
       WHERE walk = 'lap' AND (unread = 0 OR position IS NOT NULL)
         AND repository IN (SELECT repository FROM surface_reads WHERE walk = 'lap' AND unread = 1)`,
    )
    .run()
}

interface ReadRow {
  readonly repo_id: number
  readonly surface: Surface
  readonly walk: Walk
  readonly state: SurfaceState
  readonly position: string | null
  readonly unread: number
  readonly done: number | null
  readonly total: number | null
  readonly requests: number
  readonly attempts: number
  readonly moved_at: number | null
  readonly ended_at: number | null
  readonly last_error: string | null
  readonly retry_at: number | null
}

/** Every row, by repository, surface and walk. */
export async function listSurfaceReads({ database }: Index): Promise<SurfaceRead[]> {
  const { results } = await database
    .prepare(
      `SELECT r.repo_id, s.surface, s.walk, s.state, s.position, s.unread, s.done, s.total, s.requests, s.attempts,
         s.moved_at, s.ended_at, s.last_error, s.retry_at
       FROM surface_reads s JOIN repositories r USING (repository) ORDER BY s.repository, s.surface, s.walk`,
    )
    .all<ReadRow>()
  return results.map(toSurfaceRead)
}

function toSurfaceRead(row: ReadRow): SurfaceRead {
  return {
    repoId: row.repo_id,
    surface: row.surface,
    walk: row.walk,
    state: row.state,
    position: row.position === null ? undefined : JSON.parse(row.position),
    isUnread: row.unread === 1,
    ...(row.done !== null && { done: row.done }),
    ...(row.total !== null && { total: row.total }),
    requests: row.requests,
    attempts: row.attempts,
    ...(row.moved_at !== null && { movedAtMs: row.moved_at }),
    ...(row.ended_at !== null && { endedAtMs: row.ended_at }),
    ...(row.retry_at !== null && { retryAtMs: row.retry_at }),
    ...(row.last_error !== null && { lastError: row.last_error }),
  }
}

/**
 * Forgets positions, ETags and versions of the source, so that everything is read
 * again: of one surface or all, of one walk or both. Deletes no document.
 */
export async function forgetSurfaces(
  { database }: Index,
  repoId: number,
  { surface, walk }: { readonly surface?: Surface; readonly walk?: Walk } = {},
): Promise<void> {
  await database.batch([
    database
      .prepare(
        `UPDATE surface_reads SET position = NULL, state = 'reading', unread = 1, done = NULL, total = NULL,
           attempts = 0, retry_at = NULL, last_error = NULL
         WHERE repository = ${KEY_OF_REPOSITORY} AND surface = coalesce(?2, surface) AND walk = coalesce(?3, walk)`,
      )
      .bind(repoId, surface ?? null, walk ?? null),
    database
      .prepare(
        `UPDATE documents SET source_version = NULL
         WHERE repository = ${KEY_OF_REPOSITORY} AND type = coalesce(?2, type) AND deleted_at IS NULL
           AND source_version IS NOT NULL`,
      )
      .bind(repoId, surface ?? null),
  ])
}
