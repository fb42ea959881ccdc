/**
 * Configured repositories: the GitHub id that each name of the settings stands
 * for now, and why a name leads to none. A former id stays known while its
 * repository is out of reach.
 */
import { toNameKey } from '../../base/repository-name.ts'
import { MAX_ERROR_CHARS } from '../limits.ts'
import type { Index } from '../sql/index-database.ts'

/** The answer to a look-up of a name. */
export interface NameCheck {
  /** In lower case. */
  readonly nameKey: string
  /** Absent after a failure; a former one stays. */
  readonly repoId?: number
  readonly checkedAtMs: number
  readonly error?: string
  readonly retryAtMs?: number
}

export interface ConfiguredName extends NameCheck {
  /** It is to be looked up again in this round. */
  readonly isDue: boolean
  /** Failures in a row. */
  readonly attempts: number
}

interface NameRow {
  readonly name_key: string
  readonly repo_id: number | null
  readonly due: number
  readonly checked_at: number
  readonly attempts: number
  readonly error: string | null
  readonly retry_at: number | null
}

/** Every name that was looked up at least once, also those that are no longer configured. */
export async function listConfiguredNames({ database }: Index): Promise<ConfiguredName[]> {
  const { results } = await database.prepare('SELECT * FROM configured_names ORDER BY name_key').all<NameRow>()
  return results.map((row) => ({
    nameKey: row.name_key,
    isDue: row.due === 1,
    checkedAtMs: row.checked_at,
    attempts: row.attempts,
    ...(row.repo_id !== null && { repoId: row.repo_id }),
    ...(row.error !== null && { error: row.error }),
    ...(row.retry_at !== null && { retryAtMs: row.retry_at }),
  }))
}

/** Records a look-up: the id, or an error. */
export async function putConfiguredName({ database }: Index, check: NameCheck): Promise<void> {
  const { nameKey, repoId, checkedAtMs, error, retryAtMs } = check
  await database
    .prepare(
      `INSERT INTO configured_names (name_key, repo_id, due, checked_at, attempts, error, retry_at)
       VALUES (?1, ?2, 0, ?3, ?4 IS NOT NULL, ?4, ?5)
       ON CONFLICT (name_key) DO UPDATE SET repo_id = coalesce(excluded.repo_id, repo_id), due = 0,
         checked_at = excluded.checked_at, attempts = iif(excluded.error IS NULL, 0, attempts + 1),
         error = excluded.error, retry_at = excluded.retry_at`,
    )
    .bind(nameKey, repoId ?? null, checkedAtMs, error?.slice(0, MAX_ERROR_CHARS) ?? null, retryAtMs ?? null)
    .run()
}

/** The names are to be looked up again; those that never were stay as they are. */
export async function markNamesDue({ database }: Index, nameKeys: readonly string[]): Promise<void> {
  await database
    .prepare('UPDATE configured_names SET due = 1, retry_at = NULL WHERE name_key IN (SELECT value FROM json_each(?1))')
    .bind(JSON.stringify(nameKeys))
    .run()
}

/** A name of which nothing is known stands for this id until it is looked up. */
export async function adoptName({ database }: Index, nameKey: string, repoId: number): Promise<void> {
  await database
    .prepare(
      `INSERT INTO configured_names (name_key, repo_id, due, checked_at, attempts) VALUES (?1, ?2, 1, 0, 0)
       ON CONFLICT (name_key) DO UPDATE SET repo_id = excluded.repo_id, due = 1 WHERE configured_names.repo_id IS NULL`,
    )
    .bind(nameKey, repoId)
    .run()
}

/** The ids of the repositories in the index that these names stand for; a name that was never looked up by its aliases. */
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
