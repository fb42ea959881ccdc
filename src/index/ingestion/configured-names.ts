/**
 * Configured repositories: the GitHub id that each name of the settings stands
 * for now, and why a name leads to none. A former id stays known while its
 * repository is out of reach.
 */
import { toNameKey } from '../../base/repository-name.ts'
import { MAX_ERROR_CHARS } from '../limits.ts'
import type { Index } from '../sql/index-database.ts'

export interface ConfiguredName {
  /** In lower case. */
  readonly nameKey: string
  readonly repoId?: number
  readonly checkedAtMs: number
  /** It is still to be looked up in the current round. */
  readonly isDue: boolean
  /** Failures in a row. */
  readonly attempts: number
  /** Of the last check, if it failed. */
  readonly error?: string
  readonly retryAtMs?: number
}

/** Those of the names that were checked at least once. */
export async function listConfiguredNames({ database }: Index, names: readonly string[]): Promise<ConfiguredName[]> {
  const { results } = await database
    .prepare(
      `SELECT c.name_key AS nameKey, c.repo_id AS repoId, c.checked_at AS checkedAtMs, c.due, c.attempts,
         c.error, c.retry_at AS retryAtMs
       FROM json_each(?1) e JOIN configured_names c ON c.name_key = e.value ORDER BY e.key`,
    )
    .bind(JSON.stringify(names.map(toNameKey)))
    .all<{
      nameKey: string
      repoId: number | null
      checkedAtMs: number
      due: number
      attempts: number
      error: string | null
      retryAtMs: number | null
    }>()
  return results.map(({ nameKey, repoId, checkedAtMs, due, attempts, error, retryAtMs }) => ({
    nameKey,
    checkedAtMs,
    isDue: due === 1,
    attempts,
    ...(repoId !== null && { repoId }),
    ...(error !== null && { error }),
    ...(retryAtMs !== null && { retryAtMs }),
  }))
}

/** Records a check of a name: the id, or an error beside which a former id stays. With `retryAtMs` it is still due. */
export async function putConfiguredName(
  { database }: Index,
  {
    name,
    repoId,
    error,
    retryAtMs,
  }: {
    readonly name: string
    readonly repoId?: number
    readonly error?: string
    readonly retryAtMs?: number
  },
  nowMs: number,
): Promise<void> {
  await database
    .prepare(
      `INSERT INTO configured_names (name_key, repo_id, checked_at, due, attempts, error, retry_at)
       VALUES (?1, ?2, ?3, ?6, ?7, ?4, ?5)
       ON CONFLICT (name_key) DO UPDATE SET repo_id = coalesce(excluded.repo_id, repo_id),
         checked_at = excluded.checked_at, due = excluded.due, error = excluded.error, retry_at = excluded.retry_at,
         attempts = iif(excluded.attempts = 0, 0, attempts + 1)`,
    )
    .bind(
      toNameKey(name),
      repoId ?? null,
      nowMs,
      error?.slice(0, MAX_ERROR_CHARS) ?? null,
      retryAtMs ?? null,
      Number(retryAtMs !== undefined),
      Number(error !== undefined),
    )
    .run()
}

/** Takes the id of a name about which nothing is known from a signed delivery; the name stays due. */
export async function adoptConfiguredName({ database }: Index, name: string, repoId: number): Promise<void> {
  await database
    .prepare(
      `INSERT INTO configured_names (name_key, repo_id, checked_at, due, attempts) VALUES (?1, ?2, 0, 1, 0)
       ON CONFLICT (name_key) DO UPDATE SET repo_id = excluded.repo_id, due = 1 WHERE repo_id IS NULL`,
    )
    .bind(toNameKey(name), repoId)
    .run()
}

/** A round begins: these names are to be looked up again. */
export async function markNamesDue({ database }: Index, names: readonly string[]): Promise<void> {
  await database
    .prepare('UPDATE configured_names SET due = 1 WHERE name_key IN (SELECT value FROM json_each(?1))')
    .bind(JSON.stringify(names.map(toNameKey)))
    .run()
}

/** The ids of the repositories in the index that these names stand for; a name that was never checked by its aliases. */
export async function listConfiguredIds({ database }: Index, names: readonly string[]): Promise<ReadonlySet<number>> {
  const { results } = await database
    .prepare(
      `SELECT coalesce(c.repo_id, r.repo_id) AS repoId FROM json_each(?1) e
       LEFT JOIN configured_names c ON c.name_key = e.value
       LEFT JOIN repository_names n ON n.name_key = e.value LEFT JOIN repositories r USING (repository)`,
    )
    .bind(JSON.stringify(names.map(toNameKey)))
    .all<{ repoId: number | null }>()
  return new Set(results.flatMap(({ repoId }) => repoId ?? []))
}
