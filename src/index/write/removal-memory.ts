/**
 * The memory of removals: what was removed stays known by its id, and a thread by
 * its number too, without any text. A late delivery and a read that began before
 * are recognised by it.
 */
import { MARKER } from '../sql/markers.ts'
import type { Index } from '../sql/index-database.ts'
import { packJson, statementsFor } from '../sql/json-rows.ts'

/** A removal that is remembered. */
export interface Remembered {
  /** Of the transaction that removed it. */
  readonly marker: number
  /** The source's time of the change with which it was removed. */
  readonly updatedAt?: number
}

/** A document about which the memory is asked; `number` of its thread. */
export interface MemoryKey {
  readonly vectorId: string
  readonly repoId: number
  readonly number: number | undefined
}

export interface RemovalMemory {
  readonly byId: ReadonlyMap<string, Remembered>
  /** By `threadKey`. */
  readonly byThread: ReadonlyMap<string, Remembered>
}

/** `number` of a thread only: what has its number is gone with it. */
export interface NewRemoval extends MemoryKey {
  readonly updatedAt: number | undefined
}

export function threadKey(repoId: number, number: number): string {
  return `${repoId} ${number}`
}

/** The removals of these documents and of their threads. */
export async function readMemory({ database }: Index, keys: readonly MemoryKey[]): Promise<RemovalMemory> {
  const byId = new Map<string, Remembered>()
  const byThread = new Map<string, Remembered>()
  for (const json of packJson(keys.map(({ vectorId }) => vectorId))) {
    const { results } = await database
      .prepare(
        `SELECT m.vector_id AS vectorId, m.marker, m.updated_at AS updatedAt
         FROM json_each(?1) e JOIN removals m ON m.vector_id = e.value`,
      )
      .bind(json)
      .all<{ vectorId: string; marker: number; updatedAt: number | null }>()
    for (const { vectorId, marker, updatedAt } of results) {
      byId.set(vectorId, { marker, ...(updatedAt !== null && { updatedAt }) })
    }
  }
  const threads = new Map(
    keys.flatMap(({ repoId, number }) => (number === undefined ? [] : [[threadKey(repoId, number), [repoId, number]]])),
  )
  for (const json of packJson([...threads.values()])) {
    const { results } = await database
      .prepare(
        `SELECT r.repo_id AS repoId, m.number, max(m.marker) AS marker FROM json_each(?1) e
         JOIN repositories r ON r.repo_id = e.value ->> 0
         JOIN removals m ON m.repository = r.repository AND m.number = e.value ->> 1
         GROUP BY r.repo_id, m.number`,
      )
      .bind(json)
      .all<{ repoId: number; number: number; marker: number }>()
    for (const { repoId, number, marker } of results) byThread.set(threadKey(repoId, number), { marker })
  }
  return { byId, byThread }
}

/** Fails the transaction if something was removed, or forgotten, since the plan read the memory. */
export function memoryGuards(
  database: D1Database,
  keys: readonly MemoryKey[],
  { byId, byThread }: RemovalMemory,
): D1PreparedStatement[] {
  return statementsFor(
    database,
    `INSERT INTO guards (holds) SELECT 0 FROM json_each(?1) e
     WHERE coalesce((SELECT marker FROM removals WHERE vector_id = e.value ->> 0), 0) <> e.value ->> 3
       OR (e.value ->> 2 IS NOT NULL AND e.value ->> 4 <> coalesce((
         SELECT max(m.marker) FROM repositories r JOIN removals m ON m.repository = r.repository
         WHERE r.repo_id = e.value ->> 1 AND m.number = e.value ->> 2), 0))`,
    keys.map(({ vectorId, repoId, number }) => [
      vectorId,
      repoId,
      number ?? null,
      byId.get(vectorId)?.marker ?? 0,
      number === undefined ? 0 : (byThread.get(threadKey(repoId, number))?.marker ?? 0),
    ]),
  )
}

/** Remembers removals at the marker, which was advanced before. */
export function rememberStatements(
  database: D1Database,
  removals: readonly NewRemoval[],
  nowMs: number,
): D1PreparedStatement[] {
  return statementsFor(
    database,
    `INSERT INTO removals (vector_id, repository, number, marker, updated_at, removed_at)
     SELECT e.value ->> 0, r.repository, e.value ->> 2, ${MARKER}, e.value ->> 3, ?2
     FROM json_each(?1) e JOIN repositories r ON r.repo_id = e.value ->> 1 WHERE true
     ON CONFLICT (vector_id) DO UPDATE SET marker = excluded.marker, removed_at = excluded.removed_at,
       updated_at = max(coalesce(excluded.updated_at, updated_at), coalesce(updated_at, excluded.updated_at))`,
    removals.map(({ vectorId, repoId, number, updatedAt }) => [vectorId, repoId, number ?? null, updatedAt ?? null]),
    nowMs,
  )
}

/** Forgets the removals of documents that are put. */
export function forgetRemovalStatements(database: D1Database, vectorIds: readonly string[]): D1PreparedStatement[] {
  return packJson(vectorIds).map((json) =>
    database.prepare('DELETE FROM removals WHERE vector_id IN (SELECT value FROM json_each(?1))').bind(json),
  )
}
