/**
 * Filters of search and scan in two forms: as filter tokens of a MATCH
 * expression and as conditions on rows of documents. Both select the same rows,
 * so a filter is always part of the statement and never removes rows from a list
 * that is already cut.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import { DOCUMENT_TYPES, type DocumentType, type IssueState } from '../../base/vocabulary.ts'
import { fieldsOf } from '../../documents/index.ts'
import {
  changedFile,
  chunkListsFile,
  fileConditions,
  isChunkNotShownByFiles,
  isNotShownByFiles,
} from './commit-conditions.ts'
import type { FileFilters } from './commit-conditions.ts'
import { ANY_DIRECTORY, directoryToken, filterToken, foldName } from './filter-tokens.ts'
import type { FilterKind } from './filter-tokens.ts'
import { isFirstReleasedIn } from './first-release.ts'
import { constant, joinSql, sql } from '../sql/sql.ts'
import type { Sql } from '../sql/sql.ts'
import { windowTerms } from './time-tokens.ts'
import type { TimeWindow } from './time-tokens.ts'

export interface Filters extends FileFilters {
  readonly type?: DocumentType
  readonly state?: IssueState
  readonly merged?: true
  /** A row must have all of them; whole names. */
  readonly labels?: readonly string[]
  /** Compared exactly, letter case included. */
  readonly milestone?: string
  readonly assignee?: string
  readonly author?: string
  /** A tag: commits and merged pull requests that were first released in it. */
  readonly release?: string
  readonly window: TimeWindow
}

/** Types whose path is a place in the repository; the slug of a wiki page is not. */
export const TYPES_WITH_PATH = DOCUMENT_TYPES.filter((type) =>
  fieldsOf(type).some((name) => name === 'doc_path' || name === 'file_path'),
)

/** The types that a filter on the type selects. A commit and its diffs are one thing where commits are shown whole. */
export function typesOf({ type, commits }: Filters): readonly DocumentType[] | undefined {
  if (type === undefined) return undefined
  return commits === 'whole' && (type === 'commit' || type === 'diff') ? ['commit', 'diff'] : [type]
}

/** True where commits are selected by their files: `type: diff` selects commits that changed any. */
function isOnFiles({ type, commits, pathPrefix, fileStatus }: Filters): boolean {
  return pathPrefix !== undefined || fileStatus !== undefined || (type === 'diff' && commits === 'whole')
}

/** True where a commit must not be shown beside its diffs. */
function isByFiles({ type, commits }: Filters): boolean {
  return commits === 'files' && type === undefined
}

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
  const { state, merged, labels, milestone, assignee, author, pathPrefix, fileStatus } = filters
  const types = typesOf(filters)
  const groups: string[][] = []
  const addGroup = (kind: FilterKind, value: string | undefined) => {
    if (value !== undefined) groups.push([filterToken(kind, value)])
  }
  if (types !== undefined) groups.push(types.map((type) => filterToken('type', type)))
  addGroup('state', state)
  addGroup('merged', merged && 'true')
  for (const label of labels ?? []) addGroup('label', label)
  addGroup('milestone', milestone)
  addGroup('assignee', assignee)
  addGroup('author', author)
  if (pathPrefix !== undefined) {
    groups.push([...TYPES_WITH_PATH, 'commit'].map((withPath) => filterToken('type', withPath)))
    if (pathPrefix !== '') groups.push([directoryToken(pathPrefix), ANY_DIRECTORY])
  }
  addGroup('fileStatus', fileStatus)
  return groups
}

function windowMatches(window: TimeWindow): readonly string[] {
  if (window.since === undefined && window.until === undefined) return []
  const terms = windowTerms(window)
  return [terms.length === 0 ? NOTHING : `f : (${terms.join(' OR ')})`]
}

/**
 * The filters that tokens express only roughly or not at all, as a condition on
 * `chunks AS c`: the hours at the edges of a window, the letter case of a
 * milestone, the files of a commit, and releases.
 */
export function exactConditions(filters: Filters): Sql {
  const conditions = windowConditions(filters.window, 'c')
  if (filters.milestone !== undefined) {
    conditions.push(sql`EXISTS (
      SELECT 1 FROM documents d WHERE d.document = c.chunk / ${CHUNKS} AND d.milestone = ${filters.milestone})`)
  }
  if (isOnFiles(filters)) conditions.push(chunkListsFile(filters))
  if (isByFiles(filters)) conditions.push(isChunkNotShownByFiles(filters))
  if (filters.release !== undefined) {
    conditions.push(sql`EXISTS (
      SELECT 1 FROM documents d WHERE d.document = c.chunk / ${CHUNKS} AND ${isFirstReleasedIn(filters.release)})`)
  }
  return allOf(conditions)
}

/** The filters as a condition on `documents AS d`. */
export function documentCondition(filters: Filters): Sql {
  const { state, merged, labels, milestone, assignee, author, release } = filters
  const types = typesOf(filters)
  const conditions = [...windowConditions(filters.window, 'd')]
  if (types !== undefined) conditions.push(isOneOf(types))
  if (state !== undefined) conditions.push(sql`d.state = ${state}`)
  if (merged) conditions.push(sql`d.merged = 1`)
  if (milestone !== undefined) conditions.push(sql`d.milestone = ${milestone}`)
  if (author !== undefined) conditions.push(sql`d.author_key = ${foldName(author)}`)
  if (isOnFiles(filters)) conditions.push(isOnFile(filters))
  if (isByFiles(filters)) conditions.push(isNotShownByFiles(filters))
  if (release !== undefined) conditions.push(isFirstReleasedIn(release))
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

/** True for a row with a file that passes: its own, or one of a commit. */
function isOnFile(filters: Filters): Sql {
  const own = fileConditions(filters, constant('d.path'), constant('d.file_status'))
  return sql`CASE WHEN d.type = 'commit' THEN ${changedFile(filters)} ELSE ${isOneOf(TYPES_WITH_PATH)} AND ${own} END`
}

function isOneOf(types: readonly DocumentType[]): Sql {
  return sql`d.type IN (SELECT value FROM json_each(${JSON.stringify(types)}))`
}

/** The column of the window's clock. */
export function timeColumn({ clock }: TimeWindow): Sql {
  return constant(clock === 'created' ? 'created_at' : 'updated_at')
}

/** The window as a condition on the times of rows of `table`. */
export function windowCondition(window: TimeWindow, table: 'x'): Sql {
  return allOf(windowConditions(window, table))
}

function windowConditions(window: TimeWindow, table: 'c' | 'd' | 'x'): Sql[] {
  const column = sql`${constant(table)}.${timeColumn(window)}`
  const conditions: Sql[] = []
  if (window.since !== undefined) conditions.push(sql`${column} >= ${window.since}`)
  if (window.until !== undefined) conditions.push(sql`${column} < ${window.until}`)
  return conditions
}

function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`1` : joinSql(conditions, ' AND ')
}
