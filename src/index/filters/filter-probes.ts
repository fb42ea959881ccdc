/**
 * What to ask when nothing was found: does a filter select anything at all in
 * the visible index, and which values near it do. Asked for every filter by
 * itself, of rows the viewer may see and no others.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import type { Filters } from './filters.ts'
import { exactEdges, filterMatches } from './filters.ts'
import { constant, sql } from '../sql/sql.ts'
import type { Query, Row, Sql } from '../sql/sql.ts'
import { isInScope, isVisible, matchScope } from './visibility.ts'
import type { Scope } from './visibility.ts'

/** True when the scope's repository holds a visible row. */
export function repositoryHasRows(scope: Scope): Query<boolean> {
  return {
    statement: sql`SELECT 1 FROM documents d WHERE d.deleted_at IS NULL AND ${isInScope(scope)} LIMIT 1`,
    toValue: (rows) => rows.length > 0,
  }
}

/** True when some row in scope passes the filters, of which there must be at least one. */
export function selectsSomething(scope: Scope, filters: Filters): Query<boolean> {
  return {
    statement: sql`SELECT 1 ${selected(scope, filters)}`,
    toValue: (rows) => rows.length > 0,
  }
}

function selected(scope: Scope, filters: Filters): Sql {
  const match = filterMatches(filters)
    .map((one) => `(${one})`)
    .join(' AND ')
  return sql`
    FROM words CROSS JOIN chunks c ON c.chunk = words.rowid
    CROSS JOIN documents d ON d.document = c.chunk / ${constant(String(CHUNKS_PER_DOCUMENT))}
    WHERE words MATCH '(' || ${match} || ')' || ${matchScope(scope)}
    AND ${exactEdges(filters)} AND d.deleted_at IS NULL LIMIT 1`
}

/** Most visible values looked at for one suggestion, and most values walked to find them. */
const MAX_VALUES = 500
const MAX_WALKED = 5_000

/** Kinds of value that a near one can be suggested for. */
export type SuggestedKind = 'repo' | 'labels' | 'assignee' | 'author' | 'milestone'

const SOURCES: Record<
  Exclude<SuggestedKind, 'repo'>,
  { readonly table: string; readonly key: string; readonly value: string }
> = {
  labels: { table: 'labels', key: 'label_key', value: 'label' },
  assignee: { table: 'assignees', key: 'login_key', value: 'login' },
  author: { table: 'documents', key: 'author_key', value: 'author' },
  milestone: { table: 'documents', key: 'milestone', value: 'milestone' },
}

/**
 * Values that visible rows bear, as they spell them. Of logins only those that
 * begin like `near`: there can be many, and a first letter is seldom wrong.
 */
export function visibleValues(scope: Scope, kind: SuggestedKind, near: string): Query<readonly string[]> {
  if (kind === 'repo') {
    const statement = sql`SELECT r.name AS value FROM repositories r WHERE ${isVisible(scope.viewer)} LIMIT ${MAX_VALUES}`
    return { statement, toValue: toValues }
  }
  const { table, key, value } = SOURCES[kind]
  const begin = kind === 'author' || kind === 'assignee' ? near.replace(/^@/, '').slice(0, 1).toLowerCase() : ''
  return {
    // Steps from one distinct key to the next along the index.
    statement: sql`
      WITH RECURSIVE keys(k) AS (
        SELECT (SELECT min(${constant(key)}) FROM ${constant(table)} WHERE ${constant(key)} >= ${begin} ${live(table)})
        UNION ALL
        SELECT (SELECT min(${constant(key)}) FROM ${constant(table)} WHERE ${constant(key)} > k ${live(table)})
        FROM keys WHERE k IS NOT NULL AND substr(k, 1, ${begin.length}) = ${begin} LIMIT ${MAX_WALKED}
      )
      SELECT value FROM (SELECT (
        SELECT o.${constant(value)} FROM ${constant(table)} o CROSS JOIN documents d ON d.document = o.document
        WHERE o.${constant(key)} = k AND d.deleted_at IS NULL AND ${isInScope({ viewer: scope.viewer })} LIMIT 1
      ) AS value FROM keys WHERE k IS NOT NULL) WHERE value IS NOT NULL LIMIT ${MAX_VALUES}`,
    toValue: toValues,
  }
}

function toValues(rows: readonly Row[]): readonly string[] {
  return rows.flatMap((row) => (typeof row['value'] === 'string' ? [row['value']] : []))
}

/** The partial indexes of documents hold live rows only. */
function live(table: string): Sql {
  return table === 'documents' ? sql`AND deleted_at IS NULL` : sql``
}
