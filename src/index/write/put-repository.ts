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
import { advanceMarkerStatement, MARKER } from '../sql/markers.ts'
import { repositoryGuards, repositoryStatements, resolveRepositories } from './repositories.ts'

export interface SourceRepository {
  readonly repoId: number
  /** `owner/name` as it is now. */
  readonly name: string
  readonly private: boolean
  /** Undefined for a repository without commits. */
  readonly defaultBranch: string | undefined
  readonly archived: boolean
}

export interface KnownRepository {
  readonly repoId: number
  readonly name: string
  readonly private: boolean
  readonly archived: boolean
  readonly defaultBranch?: string
}

interface RepositoryRow {
  readonly repo_id: number
  readonly name: string
  readonly private: number
  readonly archived: number
  readonly default_branch: string | null
}

const COLUMNS = 'r.repo_id, r.name, r.private, r.archived, r.default_branch'

/** Of what is said: a read that began at a marker, or a webhook delivery, which counts more than reads that began before it. */
export type RepositoryOrigin = { readonly kind: 'read'; readonly marker: number } | { readonly kind: 'delivery' }

/**
 * Creates or updates a repository; writes nothing if all is as it was, or if a
 * delivery said something after the read began. BUSY when other writers keep
 * renaming it.
 */
export async function putRepository(
  index: Index,
  given: SourceRepository,
  origin: RepositoryOrigin,
): Promise<Result<KnownRepository>> {
  const { database } = index
  const { repoId, name, defaultBranch, archived } = given
  const known = toKnown({
    repo_id: repoId,
    name,
    private: Number(given.private),
    archived: Number(archived),
    default_branch: defaultBranch ?? null,
  })
  for (let attempt = 0; attempt < PAGE_ATTEMPTS; attempt += 1) {
    if (origin.kind === 'read' && (await isStored(index, known))) return ok(known)
    const outdated = origin.kind === 'read' ? await findDelivered(index, repoId, origin.marker) : undefined
    if (outdated !== undefined) return ok(outdated)
    try {
      const resolved = await resolveRepositories(index, [{ name, id: repoId, private: given.private }])
      await database.batch([
        ...repositoryGuards(database, resolved),
        ...(origin.kind === 'read' ? [deliveryGuard(database, repoId, origin.marker)] : []),
        movePagesStatement(database, repoId, name),
        ...repositoryStatements(database, resolved),
        database
          .prepare('UPDATE repositories SET default_branch = ?2, archived = ?3 WHERE repo_id = ?1')
          .bind(repoId, defaultBranch ?? null, Number(archived)),
        ...(origin.kind === 'delivery' ? deliveredStatements(database, repoId) : []),
      ])
      return ok(known)
    } catch (error) {
      if (!isGuardFailure(error)) throw error
    }
  }
  return refuse({ code: 'BUSY', message: 'Other writers keep changing this repository.', retryAfterMs: 1_000 })
}

/**
 * Pages of a renamed repository have other addresses, which not every reader
 * gives again: a file or commit that did not change is not read again. Comes
 * before the statement that renames.
 */
function movePagesStatement(database: D1Database, repoId: number, name: string): D1PreparedStatement {
  return database
    .prepare(
      `UPDATE documents
       SET url = substr(url, 1, instr(url, former) - 1) || ?2 || substr(url, instr(url, former) + length(former)),
         version = version + 1
       FROM (SELECT repository AS renamed, '/' || name || '/' AS former FROM repositories WHERE repo_id = ?1)
       WHERE repository = renamed AND former <> ?2 AND instr(url, former) > 0 AND deleted_at IS NULL`,
    )
    .bind(repoId, `/${name}/`)
}

/** The repository, if a delivery said something of it after the marker. */
async function findDelivered(
  { database }: Index,
  repoId: number,
  marker: number,
): Promise<KnownRepository | undefined> {
  const row = await database
    .prepare(`SELECT ${COLUMNS} FROM repositories r WHERE r.repo_id = ?1 AND r.delivered > ?2`)
    .bind(repoId, marker)
    .first<RepositoryRow>()
  return row === null ? undefined : toKnown(row)
}

function deliveryGuard(database: D1Database, repoId: number, marker: number): D1PreparedStatement {
  return database
    .prepare('INSERT INTO guards (holds) SELECT 0 FROM repositories WHERE repo_id = ?1 AND delivered > ?2')
    .bind(repoId, marker)
}

function deliveredStatements(database: D1Database, repoId: number): D1PreparedStatement[] {
  return [
    advanceMarkerStatement(database),
    database.prepare(`UPDATE repositories SET delivered = ${MARKER} WHERE repo_id = ?1`).bind(repoId),
  ]
}

/** The repository is as given, and its name leads to it. */
async function isStored(index: Index, given: KnownRepository): Promise<boolean> {
  const stored = await findRepository(index, given.name)
  return (
    stored !== undefined &&
    stored.repoId === given.repoId &&
    stored.name === given.name &&
    stored.private === given.private &&
    stored.archived === given.archived &&
    stored.defaultBranch === given.defaultBranch
  )
}

/** The repository that a name stands for, present or former, in any letter case. */
export async function findRepository({ database }: Index, name: string): Promise<KnownRepository | undefined> {
  const row = await database
    .prepare(`SELECT ${COLUMNS} FROM repository_names n JOIN repositories r USING (repository) WHERE n.name_key = ?1`)
    .bind(toNameKey(name))
    .first<RepositoryRow>()
  return row === null ? undefined : toKnown(row)
}

/** Every repository with an id of GitHub or one derived from its name, by id. */
export async function listRepositories({ database }: Index): Promise<KnownRepository[]> {
  const { results } = await database
    .prepare(`SELECT ${COLUMNS} FROM repositories r ORDER BY r.repo_id`)
    .all<RepositoryRow>()
  return results.map(toKnown)
}

function toKnown(row: RepositoryRow): KnownRepository {
  return {
    repoId: row.repo_id,
    name: row.name,
    private: row.private === 1,
    archived: row.archived === 1,
    ...(row.default_branch !== null && { defaultBranch: row.default_branch }),
  }
}
