/**
 * Filters of search and scan in two forms: as filter tokens of a MATCH
 * expression and as conditions on rows of documents. Both select the same rows,
 * so a filter is always part of the statement and never removes rows from a list
 * that is already cut.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import { DOCUMENT_TYPES, type DocumentType, type IssueState } from '../../base/vocabulary.ts'
import { fieldsOf } from '../../documents/index.ts'
import { directoryToken, filterToken, foldName } from './filter-tokens.ts'
import type { FilterKind } from './filter-tokens.ts'
import { constant, joinSql, sql } from '../sql/sql.ts'
import type { Sql } from '../sql/sql.ts'
import { windowTerms } from './time-tokens.ts'
import type { TimeWindow } from './time-tokens.ts'

export interface Filters {
  readonly type?: DocumentType
  readonly state?: IssueState
  readonly merged?: true
  /** A row must have all of them; whole names. */
  readonly labels?: readonly string[]
  /** Compared exactly, letter case included. */
  readonly milestone?: string
  readonly assignee?: string
  readonly author?: string
  /** A folder or a file, without slashes at its ends; the empty prefix selects every document with a path. */
  readonly pathPrefix?: string
  readonly window: TimeWindow
}

/** Types whose path is a place in the repository; the slug of a wiki page is not. */
export const TYPES_WITH_PATH = DOCUMENT_TYPES.filter((type) =>
  fieldsOf(type).some((name) => name === 'doc_path' || name === 'file_path'),
)

const CHUNKS = constant(String(CHUNKS_PER_DOCUMENT))

/** A MATCH term that no row has: repositories are numbered from 1. */
const NOTHING = 'f : "r0"'

/** The filters as MATCH expressions; a row must match all of them. */
export function filterMatches(filters: Filters): readonly string[] {
  const tokens = filterTokens(filters).map((any) =>
    any.length === 1 ? `f : "${any[0]}"` : `f : (${any.map((token) => `"${token}"`).join(' OR ')})`,
  )
  return [...tokens, ...windowMatches(filters.window)]
}

/** The filters without the window as filter tokens: a row must have at least one token of every group. */
export function filterTokens(filters: Filters): readonly (readonly string[])[] {
  const { type, state, merged, labels, milestone, assignee, author, pathPrefix } = filters
  const groups: string[][] = []
  const addGroup = (kind: FilterKind, value: string | undefined) => {
    if (value !== undefined) groups.push([filterToken(kind, value)])
  }
  addGroup('type', type)
  addGroup('state', state)
  addGroup('merged', merged && 'true')
  for (const label of labels ?? []) addGroup('label', label)
  addGroup('milestone', milestone)
  addGroup('assignee', assignee)
  addGroup('author', author)
  if (pathPrefix !== undefined) {
    groups.push(TYPES_WITH_PATH.map((withPath) => filterToken('type', withPath)))
    if (pathPrefix !== '') groups.push([directoryToken(pathPrefix)])
  }
  return groups
}

function windowMatches(window: TimeWindow): readonly string[] {
  if (window.since === undefined && window.until === undefined) return []
  const terms = windowTerms(window)
  return [terms.length === 0 ? NOTHING : `f : (${terms.join(' OR ')})`]
}

/**
 * The filters that tokens express only roughly, as a condition on `chunks AS c`:
 * the hours at the edges of a window, and the letter case of a milestone.
 */
export function exactConditions(filters: Filters): Sql {
  const conditions = windowConditions(filters.window, 'c')
  if (filters.milestone !== undefined) {
    conditions.push(sql`EXISTS (
      SELECT 1 FROM documents d WHERE d.document = c.chunk / ${CHUNKS} AND d.milestone = ${filters.milestone})`)
  }
  return allOf(conditions)
}

/** The filters as a condition on `documents AS d`. */
export function documentCondition(filters: Filters): Sql {
  const { type, state, merged, labels, milestone, assignee, author, pathPrefix } = filters
  const conditions = [...windowConditions(filters.window, 'd')]
  if (type !== undefined) conditions.push(sql`d.type = ${type}`)
  if (state !== undefined) conditions.push(sql`d.state = ${state}`)
  if (merged) conditions.push(sql`d.merged = 1`)
  if (milestone !== undefined) conditions.push(sql`d.milestone = ${milestone}`)
  if (author !== undefined) conditions.push(sql`d.author_key = ${foldName(author)}`)
  if (pathPrefix !== undefined) {
    conditions.push(sql`d.type IN (SELECT value FROM json_each(${JSON.stringify(TYPES_WITH_PATH)}))`)
    if (pathPrefix === '') conditions.push(sql`d.path IS NOT NULL`)
    else conditions.push(isBelow(pathPrefix))
  }
  if (assignee !== undefined) {
    conditions.push(sql`EXISTS (
      SELECT 1 FROM assignees a WHERE a.login_key = ${foldName(assignee)} AND a.document = d.document)`)
  }
  if (labels !== undefined && labels.length > 0) {
    conditions.push(sql`NOT EXISTS (
      SELECT 1 FROM json_each(${JSON.stringify(labels.map(foldName))}) wanted
      WHERE NOT EXISTS (SELECT 1 FROM labels l WHERE l.label_key = wanted.value AND l.document = d.document))`)
  }
  return allOf(conditions)
}

/** The paths at and below a prefix, as a range of an index. It may contain a few others; see `isBelow`. */
export function pathRange(pathPrefix: string): Sql {
  return sql`d.path >= ${pathPrefix} AND d.path < ${`${pathPrefix}0`}`
}

/** The column of the window's clock. */
export function timeColumn({ clock }: TimeWindow): Sql {
  return constant(clock === 'created' ? 'created_at' : 'updated_at')
}

function windowConditions(window: TimeWindow, table: 'c' | 'd'): Sql[] {
  const column = sql`${constant(table)}.${timeColumn(window)}`
  const conditions: Sql[] = []
  if (window.since !== undefined) conditions.push(sql`${column} >= ${window.since}`)
  if (window.until !== undefined) conditions.push(sql`${column} < ${window.until}`)
  return conditions
}

function isBelow(pathPrefix: string): Sql {
  const next = sql`substr(d.path, length(${pathPrefix}) + 1, 1)`
  return sql`${pathRange(pathPrefix)} AND (d.path = ${pathPrefix} OR ${next} = '/')`
}

function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`1` : joinSql(conditions, ' AND ')
}
