/**
 * The first release of a commit or a merged pull request: the release whose list
 * of commits has it. A pull request is found by the commit that merged it.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import { EDGES_PER_DOCUMENT, MAX_MERGE_LINKS, MAX_RELEASE_KEYS } from '../limits.ts'
import { constant, sql } from '../sql/sql.ts'
import type { Sql } from '../sql/sql.ts'
import { matchScope, repositoriesIn } from './visibility.ts'
import type { Scope } from './visibility.ts'

const EDGES = constant(String(EDGES_PER_DOCUMENT))

/** If several releases list one commit, a full one counts before a pre-release, then the older one. */
const ORDER = constant('ORDER BY coalesce(t.prerelease, 0), t.created_at, t.document LIMIT 1')

/** An expression over the first release `t` of the row `d` of `documents`; NULL for a row without one. */
export function ofFirstRelease(expression: Sql): Sql {
  return sql`CASE
    WHEN d.type IN ('commit', 'diff') THEN (
      SELECT ${expression} FROM released l CROSS JOIN documents t ON t.document = l.document
      WHERE l.commit_sha = d.commit_sha AND t.repository = d.repository AND t.deleted_at IS NULL ${ORDER})
    WHEN d.type = 'pull_request' AND d.merged = 1 THEN (
      SELECT ${expression} FROM (
        SELECT e.edge FROM edges e INDEXED BY edges_by_target
        WHERE e.target = 'n' || d.number AND e.repo = CAST(d.repository AS TEXT) AND e.kind = 'pull_request'
        LIMIT ${constant(String(MAX_MERGE_LINKS))}) m
      CROSS JOIN documents x ON x.document = m.edge / ${EDGES} AND x.repository = d.repository AND x.deleted_at IS NULL
      CROSS JOIN released l ON l.commit_sha = x.commit_sha
      CROSS JOIN documents t ON t.document = l.document AND t.repository = d.repository AND t.deleted_at IS NULL
      ${ORDER})
    END`
}

/** True for a row of `documents AS d` that was first released in this tag, an expression. */
export function isFirstReleasedIn(tag: Sql): Sql {
  return sql`(${ofFirstRelease(constant('t.tag_name'))}) IS ${tag}`
}

/** The same for a row of `chunks AS c`. */
export function isChunkFirstReleasedIn(tag: string): Sql {
  return sql`EXISTS (SELECT 1 FROM documents d
    WHERE d.document = c.chunk / ${constant(String(CHUNKS_PER_DOCUMENT))} AND ${isFirstReleasedIn(sql`${tag}`)})`
}

/** The commits of the releases with this tag in scope: rows of `documents AS t` and `released AS l`. */
function commitsOf(scope: Scope, tag: string): Sql {
  return sql`documents t INDEXED BY documents_by_tag CROSS JOIN released l ON l.document = t.document
    AND t.tag_name = ${tag} AND t.deleted_at IS NULL AND t.repository IN ${repositoriesIn(scope)}`
}

/** Stored rows of such a commit. */
const STORED = sql`documents s INDEXED BY documents_by_commit
  WHERE s.repository = t.repository AND s.commit_sha = l.commit_sha AND s.type IN ('commit', 'diff')
  AND s.deleted_at IS NULL`

/** One stored row of each of those commits, and its links to pull requests. */
const LINKS = sql`
  CROSS JOIN documents y ON y.document = (SELECT s.document FROM ${STORED} ORDER BY s.type LIMIT 1)
  CROSS JOIN edges e ON e.edge >= y.document * ${EDGES} AND e.edge < (y.document + 1) * ${EDGES}
    AND e.kind = 'pull_request'`

/**
 * A subquery of the documents that may have been first released in this tag: its
 * commits, their diffs, their pull requests. With `isWhole` diffs only of commits
 * that are not stored themselves.
 */
export function documentsOfRelease(scope: Scope, tag: string, isWhole = false): Sql {
  const commits = commitsOf(scope, tag)
  const types = isWhole ? sql`(SELECT s.type FROM ${STORED} ORDER BY s.type LIMIT 1)` : sql`('commit', 'diff')`
  return sql`(
    SELECT x.document FROM ${commits}
    CROSS JOIN documents x INDEXED BY documents_by_commit
      ON x.repository = t.repository AND x.commit_sha = l.commit_sha AND x.type IN ${types}
      AND x.deleted_at IS NULL
    UNION ALL
    SELECT p.document FROM ${commits} ${LINKS}
    CROSS JOIN documents p INDEXED BY documents_by_anchor
      ON p.repository = t.repository AND p.anchor = e.target AND p.deleted_at IS NULL)`
}

/**
 * The scope and a release as the tail of a MATCH expression, appended with `||` to
 * one in parentheses. The keys of a release's commits and pull requests select its
 * rows roughly; those of one with very many commits are left to `isFirstReleasedIn`.
 */
export function matchTail(scope: Scope, tag: string | undefined): Sql {
  return tag === undefined ? matchScope(scope) : sql`${matchScope(scope)} || ${matchRelease(scope, tag)}`
}

function matchRelease(scope: Scope, tag: string): Sql {
  const commits = commitsOf(scope, tag)
  const most = constant(String(MAX_RELEASE_KEYS))
  return sql`(
    SELECT CASE WHEN count(*) > ${most} THEN ''
      ELSE ' AND k : (' || coalesce(group_concat('"' || term || '"', ' OR '), '"r0"') || ')' END
    FROM (SELECT DISTINCT term FROM (
      SELECT l.commit_sha AS term FROM ${commits} UNION ALL SELECT e.target FROM ${commits} ${LINKS})
      LIMIT ${most} + 1))`
}
