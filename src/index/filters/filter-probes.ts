/**
 * Probes of filters for an answer without rows: whether a filter selects any
 * visible row, and which values visible rows have. Only rows that the viewer
 * may see are read.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import type { Result } from '../../base/result.ts'
import type { DocumentType } from '../../base/vocabulary.ts'
import { MAX_VALUES_READ, MAX_VALUES_WALKED } from '../limits.ts'
import type { IndexReader, Row } from '../reader.ts'
import { constant, knownValue, runQueries, sql } from '../sql/sql.ts'
import type { Query, Sql } from '../sql/sql.ts'
import { exactConditions, filterMatch } from './filters.ts'
import type { Filters } from './filters.ts'
import { matchTail } from './first-release.ts'
import type { TimeWindow } from './time-tokens.ts'
import { isInScope, isVisible, repositoriesIn } from './visibility.ts'
import type { Scope } from './visibility.ts'

/** Filters whose values can be suggested. */
export type SuggestedKind = 'repo' | 'labels' | 'assignee' | 'author' | 'milestone' | 'release'

export interface KnownValue {
  /** As the rows spell it. */
  readonly value: string
  /** A name that people may type for it: another name of an author, else the value. */
  readonly name: string
}

interface ProbeQuery {
  /** Sets of filters, each with at least one filter. */
  readonly filters: readonly Filters[]
  /** Kinds of value to list; of logins only those that begin like `near`. */
  readonly values: readonly { readonly kind: SuggestedKind; readonly near: string }[]
  /** Types of document to look for in scope. */
  readonly types: readonly DocumentType[]
}

interface ProbeAnswer {
  /** False where the scope names a repository or an owner without a visible row. */
  readonly placeHasRows: boolean
  /** Whether a visible row of any repository passes each set of filters, in their order. */
  readonly selects: readonly boolean[]
  /** Values of visible rows of any repository, of releases those in scope, in the order of the query. */
  readonly values: readonly (readonly KnownValue[])[]
  /** Whether a row in scope has each type, and whether a visible row of any repository has. */
  readonly holds: readonly boolean[]
  readonly holdsElsewhere: readonly boolean[]
}

/** One round trip, or none where there is nothing to probe. UNAVAILABLE where it fails. */
export async function probeFilters(reader: IndexReader, scope: Scope, query: ProbeQuery): Promise<Result<ProbeAnswer>> {
  const everywhere = { viewer: scope.viewer }
  return runQueries(reader, {
    placeHasRows: scope.repository || scope.owner !== undefined ? hasRows(scope) : knownValue(true),
    selects: query.filters.map((filters) => selectsSomething(everywhere, filters)),
    holds: query.types.map((type) => selectsSomething(scope, { type, window: ANY_TIME })),
    holdsElsewhere: query.types.map((type) => selectsSomething(everywhere, { type, window: ANY_TIME })),
    // Every repository has tags of its own.
    values: query.values.map(({ kind, near }) => visibleValues(kind === 'release' ? scope : everywhere, kind, near)),
  })
}

const ANY_TIME: TimeWindow = { clock: 'updated' }

function hasRows(scope: Scope): Query<boolean> {
  return {
    statement: sql`SELECT 1 FROM documents d
      WHERE d.deleted_at IS NULL AND d.repository IN ${repositoriesIn(scope)} LIMIT 1`,
    toValue: (rows) => rows.length > 0,
  }
}

function selectsSomething(scope: Scope, filters: Filters): Query<boolean> {
  return {
    statement: sql`
      SELECT 1 FROM words CROSS JOIN chunks c ON c.chunk = words.rowid
      CROSS JOIN documents d ON d.document = c.chunk / ${constant(String(CHUNKS_PER_DOCUMENT))}
      WHERE words MATCH ${filterMatch(filters)} || ${matchTail(scope, filters.release)}
      AND ${exactConditions(filters)} AND d.deleted_at IS NULL LIMIT 1`,
    toValue: (rows) => rows.length > 0,
  }
}

interface ValueSource {
  readonly table: string
  readonly key: string
  /** The value of `table AS o`, or of its document. */
  readonly value: string
  /** How the document of a row of the table is found. */
  readonly document: string
}

const SOURCES: Record<Exclude<SuggestedKind, 'repo'>, ValueSource> = {
  labels: { table: 'labels', key: 'label_key', value: 'o.label', document: 'd.document = o.document' },
  assignee: { table: 'assignees', key: 'login_key', value: 'o.login', document: 'd.document = o.document' },
  author: {
    table: 'author_names',
    key: 'name_key',
    value: 'coalesce(d.author, d.commit_author)',
    document: 'd.author_key = o.author_key',
  },
  milestone: { table: 'documents', key: 'milestone_key', value: 'o.milestone', document: 'd.document = o.document' },
  release: { table: 'documents', key: 'tag_name', value: 'o.tag_name', document: 'd.document = o.document' },
}

/** Of logins only those with the first letter of `near`: there can be many, and a first letter is seldom wrong. */
function visibleValues(scope: Scope, kind: SuggestedKind, near: string): Query<readonly KnownValue[]> {
  if (kind === 'repo') {
    const statement = sql`
      SELECT r.name AS value, r.name FROM repositories r WHERE ${isVisible(scope.viewer)} LIMIT ${MAX_VALUES_READ}`
    return { statement, toValue: toValues }
  }
  const { table, key, value, document } = SOURCES[kind]
  const prefix = kind === 'author' || kind === 'assignee' ? near.replace(/^@/, '').slice(0, 1).toLowerCase() : ''
  return {
    // Steps from one distinct key to the next along the index.
    statement: sql`
      WITH RECURSIVE keys(k) AS (
        SELECT (SELECT min(${constant(key)}) FROM ${constant(table)} o WHERE ${constant(key)} >= ${prefix} ${live(table)})
        UNION ALL
        SELECT (SELECT min(${constant(key)}) FROM ${constant(table)} o WHERE ${constant(key)} > k ${live(table)})
        FROM keys WHERE k IS NOT NULL AND substr(k, 1, ${prefix.length}) = ${prefix} LIMIT ${MAX_VALUES_WALKED}
      )
      SELECT value, k AS name FROM (SELECT k, (
        SELECT ${constant(value)} FROM ${constant(table)} o CROSS JOIN documents d ON ${constant(document)}
        WHERE o.${constant(key)} = k ${live(table)} AND d.deleted_at IS NULL AND ${isInScope(scope)} LIMIT 1
      ) AS value FROM keys WHERE k IS NOT NULL) WHERE value IS NOT NULL LIMIT ${MAX_VALUES_READ}`,
    toValue: toValues,
  }
}

function toValues(rows: readonly Row[]): readonly KnownValue[] {
  return rows as unknown as readonly KnownValue[]
}

/** The partial indexes of documents contain only rows that are not deleted. */
function live(table: string): Sql {
  return table === 'documents' ? sql`AND o.deleted_at IS NULL` : sql``
}
