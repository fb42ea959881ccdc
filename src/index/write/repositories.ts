/**
 * Repositories and their names. A repository is identified by GitHub's numeric
 * id, or by an id derived from its name until GitHub's is known. Names are
 * aliases: they ignore case, remain after a rename, and may pass to another
 * repository. The internal key never changes, so that rows stay as they are.
 */
import { toNameKey } from '../../base/repository-name.ts'
import type { RepositoryName } from '../../documents/document.ts'
import type { Index } from '../sql/index-database.ts'
import { packJson, statementsFor } from '../sql/json-rows.ts'
import { rekeyStatements } from './rekey.ts'
import { derivedRepoId } from '../documents/vector-id.ts'

/** A repository that a page mentions, as it was when the page was planned. */
export interface ResolvedRepository {
  readonly repoId: number
  readonly name: string
  /** Undefined leaves an existing repository as it is. */
  readonly private: boolean | undefined
  /** The page gives its name together with its id, so this is its current name. */
  readonly renames: boolean
  /** The id that the name referred to before this page; undefined for a new name. */
  readonly namedBefore: number | undefined
}

/**
 * Resolves each name to its repository, by lower-case name. A repository whose
 * GitHub id becomes known is re-keyed here, in a transaction of its own: ids of
 * documents are derived from it.
 */
export async function resolveRepositories(
  index: Index,
  given: readonly RepositoryName[],
): Promise<Map<string, ResolvedRepository>> {
  const wanted = mergeMentions(given)
  const known = await readKnown(index, wanted)
  const resolved = new Map<string, ResolvedRepository>()
  for (const [key, mention] of wanted) {
    let namedBefore = known.byName.get(key)
    const { id } = mention
    if (id !== undefined && namedBefore !== undefined && namedBefore < 0) {
      await index.database.batch(await rekeyStatements(index, namedBefore, id))
      namedBefore = id
    }
    const repoId = id ?? namedBefore ?? derivedRepoId(key)
    const isNew = !known.ids.has(repoId) && namedBefore === undefined
    resolved.set(key, {
      repoId,
      name: mention.name,
      private: mention.private ?? (isNew ? true : undefined),
      renames: id !== undefined,
      namedBefore,
    })
  }
  return resolved
}

/** One mention a name; an id or a visibility given by one line applies to the whole page. */
function mergeMentions(given: readonly RepositoryName[]): Map<string, RepositoryName> {
  const merged = new Map<string, RepositoryName>()
  for (const mention of given) {
    const key = toNameKey(mention.name)
    merged.set(key, { ...merged.get(key), ...mention })
  }
  return merged
}

async function readKnown(index: Index, wanted: ReadonlyMap<string, RepositoryName>) {
  const ids = [...wanted.values()].flatMap(({ id }) => (id === undefined ? [] : [id]))
  const [names, found] = await index.database.batch<{ name_key: string; repo_id: number }>([
    index.database
      .prepare(
        `SELECT n.name_key, r.repo_id FROM json_each(?1) e
         JOIN repository_names n ON n.name_key = e.value JOIN repositories r USING (repository)`,
      )
      .bind(JSON.stringify([...wanted.keys()])),
    index.database
      .prepare('SELECT repo_id FROM json_each(?1) e JOIN repositories r ON r.repo_id = e.value')
      .bind(JSON.stringify(ids)),
  ])
  return {
    byName: new Map(names!.results.map((row) => [row.name_key, row.repo_id])),
    ids: new Set(found!.results.map((row) => row.repo_id)),
  }
}

/**
 * Creates and renames repositories and sets their visibility. Only a mention
 * with an id renames; without one, a former name refers to its repository.
 */
export function repositoryStatements(
  database: D1Database,
  resolved: ReadonlyMap<string, ResolvedRepository>,
): D1PreparedStatement[] {
  const rows = [...resolved].map(([key, of]) => [
    key,
    key.slice(key.indexOf('/') + 1),
    of.repoId,
    of.name,
    of.private === undefined ? null : Number(of.private),
    Number(of.renames),
  ])
  const sqls = [
    `INSERT INTO repositories (repo_id, name, private)
     SELECT e.value ->> 2, e.value ->> 3, coalesce(e.value ->> 4, 1) FROM json_each(?1) e WHERE true
     ON CONFLICT (repo_id) DO NOTHING`,
    `UPDATE repositories
     SET name = iif(e.value ->> 5, e.value ->> 3, name), private = coalesce(e.value ->> 4, private)
     FROM json_each(?1) e WHERE repo_id = e.value ->> 2`,
    `INSERT INTO repository_names (name_key, short_key, repository)
     SELECT e.value ->> 0, e.value ->> 1, r.repository
     FROM json_each(?1) e JOIN repositories r ON r.repo_id = e.value ->> 2 WHERE true
     ON CONFLICT (name_key) DO UPDATE SET repository = excluded.repository`,
  ]
  return sqls.flatMap((sql) => statementsFor(database, sql, rows))
}

/** Fails the transaction if a name refers to another repository than when the page was planned. */
export function repositoryGuards(
  database: D1Database,
  resolved: ReadonlyMap<string, ResolvedRepository>,
): D1PreparedStatement[] {
  const rows = [...resolved].map(([key, { namedBefore }]) => [key, namedBefore ?? 0])
  return packJson(rows).map((json) =>
    database
      .prepare(
        `INSERT INTO guards (holds) SELECT 0 FROM json_each(?1) e
         LEFT JOIN repository_names n ON n.name_key = e.value ->> 0 LEFT JOIN repositories r USING (repository)
         WHERE coalesce(r.repo_id, 0) <> e.value ->> 1`,
      )
      .bind(json),
  )
}
