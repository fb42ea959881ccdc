/**
 * Probes of filters for an answer without rows: whether a filter selects any
 * visible row, and which values visible rows have. Only rows that the viewer
 * may see are read.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import type { Result } from '../../base/result.ts'
import { DOCUMENT_TYPES } from '../../base/vocabulary.ts'
import { MAX_VALUES_READ, MAX_VALUES_WALKED } from '../limits.ts'
import type { IndexReader, Row } from '../reader.ts'
import { constant, knownValue, runQueries, sql } from '../sql/sql.ts'
import type { Query, Sql } from '../sql/sql.ts'
import { filterToken } from './filter-tokens.ts'
import { exactConditions, filterMatches } from './filters.ts'
import type { Filters } from './filters.ts'
import { matchTail } from './first-release.ts'
import { isInScope, isVisible } from './visibility.ts'
import type { Scope } from './visibility.ts'

/** Filters whose values can be suggested. */
export type SuggestedKind = 'repo' | 'labels' | 'assignee' | 'author' | 'milestone' | 'release'

interface ProbeQuery {
  /** Sets of filters, each with at least one filter. */
  readonly filters: readonly Filters[]
  /** Kinds of value to list; of logins only those that begin like `near`. */
  readonly values: readonly { readonly kind: SuggestedKind; readonly near: string }[]
}

interface ProbeAnswer {
  /** False where the scope names a repository without a visible row. */
  readonly repositoryHasRows: boolean
  /** Whether a visible row of any repository passes each set of filters, in their order. */
  readonly selects: readonly boolean[]
  /** Values of visible rows of any repository, as they spell them, in the order of the query. */
  readonly values: readonly (readonly string[])[]
}

/** One round trip, or none where there is nothing to probe. UNAVAILABLE where it fails. */
export async function probeFilters(reader: IndexReader, scope: Scope, query: ProbeQuery): Promise<Result<ProbeAnswer>> {
  const everywhere = { viewer: scope.viewer }
  return runQueries(reader, {
    repositoryHasRows: scope.repository ? hasRows(scope) : knownValue(true),
    selects: query.filters.map((filters) => selectsSomething(everywhere, filters)),
    values: query.values.map(({ kind, near }) => visibleValues(everywhere, kind, near)),
  })
}

function hasRows(scope: Scope): Query<boolean> {
  return {
    statement: sql`SELECT 1 FROM documents d WHERE d.deleted_at IS NULL AND ${isInScope(scope)} LIMIT 1`,
    toValue: (rows) => rows.length > 0,
  }
}

/** Every row has the token of its type: a MATCH expression cannot begin with the tail. */
const EVERY_TYPE = `f : (${DOCUMENT_TYPES.map((type) => `"${filterToken('type', type)}"`).join(' OR ')})`

function selectsSomething(scope: Scope, filters: Filters): Query<boolean> {
  const matches = filterMatches(filters)
  const match = (matches.length === 0 ? [EVERY_TYPE] : matches).map((one) => `(${one})`).join(' AND ')
  return {
    statement: sql`
      SELECT 1 FROM words CROSS JOIN chunks c ON c.chunk = words.rowid
      CROSS JOIN documents d ON d.document = c.chunk / ${constant(String(CHUNKS_PER_DOCUMENT))}
      WHERE words MATCH '(' || ${match} || ')' || ${matchTail(scope, filters.release)}
      AND ${exactConditions(filters)} AND d.deleted_at IS NULL LIMIT 1`,
    toValue: (rows) => rows.length > 0,
  }
}

const SOURCES: Record<
  Exclude<SuggestedKind, 'repo'>,
  { readonly table: string; readonly key: string; readonly value: string }
> = {
  labels: { table: 'labels', key: 'label_key', value: 'label' },
  assignee: { table: 'assignees', key: 'login_key', value: 'login' },
  author: { table: 'documents', key: 'author_key', value: 'author' },
  milestone: { table: 'documents', key: 'milestone', value: 'milestone' },
  release: { table: 'documents', key: 'tag_name', value: 'tag_name' },
}

/** Of logins only those with the first letter of `near`: there can be many, and a first letter is seldom wrong. */
function visibleValues(scope: Scope, kind: SuggestedKind, near: string): Query<readonly string[]> {
  if (kind === 'repo') {
    const statement = sql`
      SELECT r.name AS value FROM repositories r WHERE ${isVisible(scope.viewer)} LIMIT ${MAX_VALUES_READ}`
    return { statement, toValue: toValues }
  }
  const { table, key, value } = SOURCES[kind]
  const prefix = kind === 'author' || kind === 'assignee' ? near.replace(/^@/, '').slice(0, 1).toLowerCase() : ''
  return {
    // Steps from one distinct key to the next along the index.
    statement: sql`
      WITH RECURSIVE keys(k) AS (
        SELECT (SELECT min(${constant(key)}) FROM ${constant(table)} WHERE ${constant(key)} >= ${prefix} ${live(table)})
        UNION ALL
        SELECT (SELECT min(${constant(key)}) FROM ${constant(table)} WHERE ${constant(key)} > k ${live(table)})
        FROM keys WHERE k IS NOT NULL AND substr(k, 1, ${prefix.length}) = ${prefix} LIMIT ${MAX_VALUES_WALKED}
      )
      SELECT value FROM (SELECT (
        SELECT o.${constant(value)} FROM ${constant(table)} o CROSS JOIN documents d ON d.document = o.document
        WHERE o.${constant(key)} = k AND d.deleted_at IS NULL AND ${isInScope({ viewer: scope.viewer })} LIMIT 1
      ) AS value FROM keys WHERE k IS NOT NULL) WHERE value IS NOT NULL LIMIT ${MAX_VALUES_READ}`,
    toValue: toValues,
  }
}

function toValues(rows: readonly Row[]): readonly string[] {
  return rows.flatMap((row) => (typeof row['value'] === 'string' ? [row['value']] : []))
}

/** The partial indexes of documents contain only rows that are not deleted. */
function live(table: string): Sql {
  return table === 'documents' ? sql`AND deleted_at IS NULL` : sql``
}
