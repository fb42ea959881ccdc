/**
 * Repositories as their source describes them. Rows follow the id: a new name
 * becomes an alias, a name that passes to another id mixes nothing, and a
 * repository that an import knew by its name alone is adopted with its rows.
 */
import { refuse, ok, type Result } from '../../base/result.ts'
import { toNameKey } from '../../base/repository-name.ts'
import { PAGE_ATTEMPTS } from '../limits.ts'
import { isGuardFailure } from '../sql/guards.ts'
import type { Index } from '../sql/index-database.ts'
import { repositoryGuards, repositoryStatements, resolveRepositories } from './repositories.ts'

export interface IndexedRepository {
  readonly repoId: number
  /** `owner/name`. */
  readonly name: string
  readonly private: boolean
  readonly archived: boolean
  /** Absent while no source has named it. */
  readonly defaultBranch?: string
}

/** What a source says; what it leaves out stays. */
export type RepositoryUpdate = Pick<IndexedRepository, 'repoId'> & Partial<Omit<IndexedRepository, 'repoId'>>

interface RepositoryRow {
  readonly repo_id: number
  readonly name: string
  readonly private: number
  readonly archived: number
  readonly default_branch: string | null
}

const COLUMNS = 'r.repo_id, r.name, r.private, r.archived, r.default_branch'

/**
 * Creates or updates a repository; writes nothing if all is as it was. A new one
 * needs a name, and is private unless the update says otherwise. Undefined for an
 * unknown id without a name; BUSY when other writers keep renaming it.
 */
export async function updateRepository(
  index: Index,
  update: RepositoryUpdate,
): Promise<Result<IndexedRepository | undefined>> {
  const { database } = index
  const { repoId } = update
  for (let attempt = 0; attempt < PAGE_ATTEMPTS; attempt += 1) {
    const stored = await readRepository(index, repoId)
    const name = update.name ?? stored?.name
    if (name === undefined) return ok(undefined)
    const wanted: IndexedRepository = { private: true, archived: false, ...stored, ...update, name }
    const named = update.name === undefined ? stored : await findRepository(index, name)
    if (stored !== undefined && named?.repoId === repoId && isEqual(stored, wanted)) return ok(stored)
    try {
      await database.batch([
        ...(update.name === undefined ? [] : await nameStatements(index, wanted)),
        database
          .prepare('UPDATE repositories SET private = ?2, archived = ?3, default_branch = ?4 WHERE repo_id = ?1')
          .bind(repoId, Number(wanted.private), Number(wanted.archived), wanted.defaultBranch ?? null),
      ])
      return ok(wanted)
    } catch (error) {
      if (!isGuardFailure(error)) throw error
    }
  }
  return refuse({ code: 'BUSY', message: 'Other writers keep changing this repository.', retryAfterMs: 1_000 })
}

/** Adopts a repository that is known by this name alone, then creates or renames the one with the id. */
async function nameStatements(
  index: Index,
  { name, repoId: id, private: hidden }: IndexedRepository,
): Promise<D1PreparedStatement[]> {
  const resolved = await resolveRepositories(index, [{ name, id, private: hidden }])
  return [...repositoryGuards(index.database, resolved), ...repositoryStatements(index.database, resolved)]
}

function isEqual(one: IndexedRepository, other: IndexedRepository): boolean {
  const keys = ['name', 'private', 'archived', 'defaultBranch'] as const
  return keys.every((key) => one[key] === other[key])
}

async function readRepository({ database }: Index, repoId: number): Promise<IndexedRepository | undefined> {
  const statement = database.prepare(`SELECT ${COLUMNS} FROM repositories r WHERE r.repo_id = ?1`).bind(repoId)
  const row = await statement.first<RepositoryRow>()
  return row === null ? undefined : toRepository(row)
}

/** The repository that a name stands for, present or former, in any letter case. */
export async function findRepository({ database }: Index, name: string): Promise<IndexedRepository | undefined> {
  const row = await database
    .prepare(`SELECT ${COLUMNS} FROM repository_names n JOIN repositories r USING (repository) WHERE n.name_key = ?1`)
    .bind(toNameKey(name))
    .first<RepositoryRow>()
  return row === null ? undefined : toRepository(row)
}

/** Every repository, by id; ids that are derived from names are negative. */
export async function listRepositories({ database }: Index): Promise<IndexedRepository[]> {
  const { results } = await database
    .prepare(`SELECT ${COLUMNS} FROM repositories r ORDER BY r.repo_id`)
    .all<RepositoryRow>()
  return results.map(toRepository)
}

function toRepository(row: RepositoryRow): IndexedRepository {
  return {
    repoId: row.repo_id,
    name: row.name,
    private: row.private === 1,
    archived: row.archived === 1,
    ...(row.default_branch !== null && { defaultBranch: row.default_branch }),
  }
}
