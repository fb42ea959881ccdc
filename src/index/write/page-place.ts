/**
 * The repositories of a page. An import creates, renames and re-keys what it
 * mentions. A page with an origin writes only below repositories that are in the
 * index: its names and visibility may be older than what was delivered meanwhile.
 */
import { toNameKey } from '../../base/repository-name.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import type { Index } from '../sql/index-database.ts'
import type { SourceCursorMove } from '../documents/source-cursors.ts'
import type { DocumentChange, RepositoryName } from '../../documents/document.ts'
import { repositoryGuards, repositoryStatements, resolveRepositories, type ResolvedRepository } from './repositories.ts'

/** The parts of a page that name repositories. */
interface NamingPage {
  readonly changes: readonly DocumentChange[]
  readonly cursor?: SourceCursorMove
  /** Absent for an import. */
  readonly origin?: { readonly kind: 'read' | 'delivery' }
  readonly surface?: { readonly repoId: number }
  readonly pending?: readonly { readonly repoId: number }[]
}

export interface PagePlace {
  /** By the lower-case names that the page uses. */
  readonly repositories: ReadonlyMap<string, ResolvedRepository>
  readonly guards: readonly D1PreparedStatement[]
  /** Create and rename. */
  readonly statements: readonly D1PreparedStatement[]
}

/** A row for each id of a repository that is not in the index. */
const ABSENT = `SELECT 0 FROM json_each(?1) e WHERE NOT EXISTS (SELECT 1 FROM repositories WHERE repo_id = e.value)`

/** A row for each repository that has another name than a read knows: the addresses of its pages are out of date. */
const RENAMED = `SELECT 0 FROM json_each(?1) e JOIN repositories r ON r.repo_id = e.value ->> 0 WHERE r.name <> e.value ->> 1`

/** NOT_FOUND when a repository of a page with an origin is not in the index. */
export async function placePage(index: Index, page: NamingPage): Promise<Result<PagePlace>> {
  const mentions = page.changes.map((change) => ('put' in change ? change.put : change.remove).repository)
  if (page.origin === undefined) return ok(await placeImport(index, page, mentions))
  const { surface, pending = [] } = page
  const resolved = new Map(mentions.flatMap((mention) => toResolved(mention)))
  const ids = new Set([...resolved.values()].map(({ repoId }) => repoId))
  for (const { repoId } of pending) ids.add(repoId)
  if (surface !== undefined) ids.add(surface.repoId)
  const expected = JSON.stringify([...ids])
  const isNamed = mentions.every(({ id }) => id !== undefined)
  if (!isNamed || (await index.database.prepare(ABSENT).bind(expected).first()) !== null) {
    return refuse({ code: 'NOT_FOUND', message: 'The repository is not in the index; this page was not written.' })
  }
  const guards = [index.database.prepare(`INSERT INTO guards (holds) ${ABSENT}`).bind(expected)]
  if (page.origin.kind === 'read') {
    const names = JSON.stringify([...resolved.values()].map(({ repoId, name }) => [repoId, name]))
    if ((await index.database.prepare(RENAMED).bind(names).first()) !== null) {
      return refuse({ code: 'BUSY', message: 'The repository was renamed meanwhile; this page was not written.' })
    }
    guards.push(index.database.prepare(`INSERT INTO guards (holds) ${RENAMED}`).bind(names))
  }
  return ok({ repositories: resolved, guards, statements: [] })
}

async function placeImport(index: Index, page: NamingPage, mentions: readonly RepositoryName[]): Promise<PagePlace> {
  const { database } = index
  const named = page.cursor === undefined ? mentions : [...mentions, { name: page.cursor.repository }]
  const repositories = await resolveRepositories(index, named)
  const toCreate = repositoriesToCreate(page)
  return {
    repositories,
    guards: repositoryGuards(database, repositories),
    statements: repositoryStatements(database, new Map([...repositories].filter(([key]) => toCreate.has(key)))),
  }
}

/** A removal creates no repository. */
function repositoriesToCreate({ changes, cursor }: NamingPage): Set<string> {
  const names = changes.flatMap((change) => ('put' in change ? [change.put.repository.name] : []))
  if (cursor !== undefined) names.push(cursor.repository)
  return new Set(names.map(toNameKey))
}

function toResolved({ name, id }: RepositoryName): [string, ResolvedRepository][] {
  if (id === undefined) return []
  return [[toNameKey(name), { repoId: id, name, private: undefined, renames: false, namedBefore: undefined }]]
}
