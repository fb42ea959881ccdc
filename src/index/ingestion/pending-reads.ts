/**
 * Pending reads: things of GitHub to read again one by one, because an event only
 * names them or contradicts what the index has. They are queued in the
 * transaction of the page that found them, and finished by the page that read them.
 */
import type { ReadKind } from '../../base/vocabulary.ts'
import { MAX_BACKOFF_MS, MAX_ERROR_CHARS } from '../limits.ts'
import type { Index } from '../sql/index-database.ts'
import { statementsFor } from '../sql/json-rows.ts'
import { advanceMarkerStatement, MARKER } from '../sql/markers.ts'

const FIRST_BACKOFF_MS = 60_000

export interface ReadRequest {
  readonly repoId: number
  readonly kind: ReadKind
  /** A number, an id or a tag; the pull request's number for its reviews; empty for what a repository has once. */
  readonly key: string
}

export interface QueuedRead extends ReadRequest {
  /** The marker at which it was queued last. */
  readonly queued: number
  readonly attempts: number
  /** Of the last attempt. */
  readonly error?: string
}

/** Queues reads for now; one that waits already is due at once. The marker was advanced before. */
export function queueStatements(
  database: D1Database,
  reads: readonly ReadRequest[],
  nowMs: number,
): D1PreparedStatement[] {
  return statementsFor(
    database,
    `INSERT INTO pending_reads (repository, kind, key, queued, attempts, due_at)
     SELECT r.repository, e.value ->> 1, e.value ->> 2, ${MARKER}, 0, ?2
     FROM json_each(?1) e JOIN repositories r ON r.repo_id = e.value ->> 0 WHERE true
     ON CONFLICT (repository, kind, key) DO UPDATE SET queued = excluded.queued, attempts = 0, due_at = excluded.due_at`,
    reads.map(({ repoId, kind, key }) => [repoId, kind, key]),
    nowMs,
  )
}

/** Ends reads, but those that were queued again since they were listed. */
export function finishStatements(database: D1Database, reads: readonly QueuedRead[]): D1PreparedStatement[] {
  return statementsFor(
    database,
    `DELETE FROM pending_reads WHERE (repository, kind, key) IN (
       SELECT r.repository, e.value ->> 1, e.value ->> 2
       FROM json_each(?1) e JOIN repositories r ON r.repo_id = e.value ->> 0
       JOIN pending_reads p ON p.repository = r.repository AND p.kind = e.value ->> 1 AND p.key = e.value ->> 2
       WHERE p.queued <= e.value ->> 3)`,
    reads.map(({ repoId, kind, key, queued }) => [repoId, kind, key, queued]),
  )
}

/** Queues reads outside of a page. */
export async function queueReads({ database }: Index, reads: readonly ReadRequest[], nowMs: number): Promise<void> {
  if (reads.length === 0) return
  await database.batch([advanceMarkerStatement(database), ...queueStatements(database, reads, nowMs)])
}

/**
 * Up to `limit` reads that are due, of these repositories or of all, the longest due
 * first. `isForced` lists those that wait for a retry as well.
 */
export async function listPendingReads(
  { database }: Index,
  nowMs: number,
  limit: number,
  { repoIds, isForced = false }: { readonly repoIds?: readonly number[]; readonly isForced?: boolean } = {},
): Promise<QueuedRead[]> {
  const { results } = await database
    .prepare(
      `SELECT r.repo_id AS repoId, p.kind, p.key, p.queued, p.attempts, p.error
       FROM pending_reads p JOIN repositories r USING (repository)
       WHERE (?3 OR p.due_at <= ?1) AND (?4 IS NULL OR r.repo_id IN (SELECT value FROM json_each(?4)))
       ORDER BY p.due_at, p.repository, p.kind, p.key LIMIT ?2`,
    )
    .bind(nowMs, limit, Number(isForced), repoIds === undefined ? null : JSON.stringify(repoIds))
    .all<Omit<QueuedRead, 'error'> & { error: string | null }>()
  return results.map(({ error, ...read }) => ({ ...read, ...(error !== null && { error }) }))
}

/**
 * Schedules the retry of a read that failed: at `retryAtMs`, or without it after a
 * minute, then after twice as long each time. One that was queued again meanwhile stays due.
 */
export async function retryPendingRead(
  { database }: Index,
  { repoId, kind, key, queued }: QueuedRead,
  { error, nowMs, retryAtMs }: { readonly error: string; readonly nowMs: number; readonly retryAtMs?: number },
): Promise<void> {
  await database
    .prepare(
      `UPDATE pending_reads SET attempts = attempts + 1, error = ?5,
         due_at = coalesce(?6, ?7 + min(?8 * (1 << min(attempts, 20)), ?9))
       WHERE repository = (SELECT repository FROM repositories WHERE repo_id = ?1)
         AND kind = ?2 AND key = ?3 AND queued <= ?4`,
    )
    .bind(
      repoId,
      kind,
      key,
      queued,
      error.slice(0, MAX_ERROR_CHARS),
      retryAtMs ?? null,
      nowMs,
      FIRST_BACKOFF_MS,
      MAX_BACKOFF_MS,
    )
    .run()
}

export interface PendingReadCount {
  readonly repoId: number
  readonly kind: ReadKind
  readonly count: number
  /** The error of one that failed. */
  readonly error?: string
}

/** How many reads are pending, by repository and kind. */
export async function countPendingReads({ database }: Index): Promise<PendingReadCount[]> {
  const { results } = await database
    .prepare(
      `SELECT r.repo_id AS repoId, p.kind, count(*) AS count, max(p.error) AS error
       FROM pending_reads p JOIN repositories r USING (repository)
       GROUP BY r.repo_id, p.kind ORDER BY r.repo_id, p.kind`,
    )
    .all<Omit<PendingReadCount, 'error'> & { error: string | null }>()
  return results.map(({ error, ...row }) => ({ ...row, ...(error !== null && { error }) }))
}
