/**
 * The viewer's rights as SQL. A row is visible when its repository is public, or
 * private and in the viewer's list. Every read of the index for an answer
 * contains one of these conditions, and a hidden repository gets the same
 * statement, with the same values, as one that does not exist.
 */
import type { Viewer } from '../../access/viewer.ts'
import { sql } from '../sql/sql.ts'
import type { Sql } from '../sql/sql.ts'
import type { RepositoryReference } from './repository-reference.ts'

/** The rows that a read may return: all that the viewer may see, or those of one repository among them. */
export interface Scope {
  readonly viewer: Viewer
  readonly repository?: RepositoryReference
  /** Only repositories of this owner, in lower case. Never beside `repository`. */
  readonly owner?: string
  /** Names as `excludedName` returns them: their repositories are excluded. */
  readonly except?: readonly string[]
}

/** True for a row of `repositories AS r` that the viewer may see. */
export function isVisible(viewer: Viewer): Sql {
  const { seesAll, list } = rightsOf(viewer)
  return sql`(r.private = 0 OR ${seesAll} OR r.repo_id IN (SELECT value FROM json_each(${list})))`
}

/** A subquery of the repository keys in scope. */
export function repositoriesIn(scope: Scope): Sql {
  const { viewer, repository, owner } = scope
  const named = repository ? sql`r.repository = ${keyOf(viewer, repository)} AND ` : sql``
  const owned = owner === undefined ? sql`` : sql`substr(lower(r.name), 1, ${owner.length + 1}) = ${`${owner}/`} AND `
  const kept = scope.except ? sql`r.repository NOT IN ${excludedRepositories(scope.except)} AND ` : sql``
  return sql`(SELECT r.repository FROM repositories r WHERE ${named}${owned}${kept}${isVisible(viewer)})`
}

/** A subquery of the keys of repositories with one of these names, present or former. */
function excludedRepositories(names: readonly string[]): Sql {
  return sql`(SELECT n.repository FROM json_each(${JSON.stringify(names)}) e JOIN repository_names n
    ON n.name_key = e.value OR n.short_key = e.value OR substr(n.name_key, 1, instr(n.name_key, '/')) = e.value)`
}

/** True for a row of `documents AS d` in scope. The unary plus keeps the planner from walking by repository. */
export function isInScope(scope: Scope): Sql {
  const { seesAll } = rightsOf(scope.viewer)
  if (scope.repository) return sql`d.repository = ${repositoriesIn(scope)}`
  if (scope.owner !== undefined) return sql`+d.repository IN ${repositoriesIn(scope)}`
  const { except, ...rest } = scope
  const visible = sql`(${seesAll} OR +d.repository IN ${repositoriesIn(rest)})`
  return except ? sql`${visible} AND +d.repository NOT IN ${excludedRepositories(except)}` : visible
}

/**
 * The scope as the tail of a MATCH expression, appended with `||` to one in
 * parentheses. It excludes the hidden repositories or, where they are many and
 * more than the visible ones, requires a visible one; it is empty where no
 * repository is hidden.
 */
export function matchScope(scope: Scope): Sql {
  const { seesAll, list } = rightsOf(scope.viewer)
  if (scope.repository) return sql`(' AND f : "r' || coalesce(${repositoriesIn(scope)}, 0) || '"')`
  if (scope.owner !== undefined)
    return sql`(' AND f : (' || coalesce(${tokensOf(repositoriesIn(scope))}, '"r0"') || ')')`
  if (scope.except) {
    const excluded = sql`coalesce(' NOT f : (' || ${tokensOf(excludedRepositories(scope.except))} || ')', '')`
    return sql`(${matchScope({ viewer: scope.viewer })} || ${excluded})`
  }
  const visible = sql`(SELECT group_concat('"r' || r.repository || '"', ' OR ')
    FROM repositories r WHERE ${isVisible(scope.viewer)})`
  return sql`(CASE WHEN ${seesAll} THEN '' ELSE (
    SELECT CASE
      WHEN count(*) > ${FEW_REPOSITORIES} AND count(*) > (SELECT count(*) FROM repositories) / 2
        THEN ' AND f : (' || coalesce(${visible}, '"r0"') || ')'
      ELSE coalesce(' NOT f : (' || group_concat('"r' || r.repository || '"', ' OR ') || ')', '')
    END
    FROM repositories r WHERE r.private = 1 AND r.repo_id NOT IN (SELECT value FROM json_each(${list}))) END)`
}

/** Filter tokens of the repositories of a subquery, joined by OR; NULL without one. */
function tokensOf(repositories: Sql): Sql {
  return sql`(SELECT group_concat('"r' || repository || '"', ' OR ') FROM (SELECT DISTINCT repository FROM ${repositories}))`
}

/**
 * A subquery of the repository keys out of a scope without repository and owner:
 * private ones that the viewer may not see, and those that the scope excludes.
 */
export function repositoriesOutOf({ viewer, except }: Scope): Sql {
  const { seesAll, list } = rightsOf(viewer)
  const excluded = except ? sql`r.repository IN ${excludedRepositories(except)} OR ` : sql``
  return sql`(SELECT r.repository FROM repositories r
    WHERE ${excluded}(r.private = 1 AND NOT ${seesAll} AND r.repo_id NOT IN (SELECT value FROM json_each(${list}))))`
}

/** Up to this many hidden repositories are excluded by key, without counting the visible ones. */
const FEW_REPOSITORIES = 50

/**
 * The key of the referenced repository, or NULL. A bare name refers to a
 * repository only while a single visible one has it; former names count where no
 * repository has the name at present.
 */
function keyOf(viewer: Viewer, reference: RepositoryReference): Sql {
  if ('nameKey' in reference) {
    return sql`(SELECT repository FROM repository_names WHERE name_key = ${reference.nameKey})`
  }
  return sql`(
    SELECT CASE
      WHEN count(DISTINCT r.repository) FILTER (WHERE n.name_key = lower(r.name)) = 1 THEN max(r.repository) FILTER (WHERE n.name_key = lower(r.name))
      WHEN count(DISTINCT r.repository) = 1 THEN max(r.repository)
    END
    FROM repository_names n JOIN repositories r ON r.repository = n.repository
    WHERE n.short_key = ${reference.shortKey} AND ${isVisible(viewer)})`
}

function rightsOf(viewer: Viewer): { readonly seesAll: number; readonly list: string } {
  const { privateRepositories } = viewer
  if (privateRepositories === 'all') return { seesAll: 1, list: '[]' }
  return { seesAll: 0, list: JSON.stringify(privateRepositories) }
}
