/**
 * Walking documents by time: newest first, page by page, each page one read.
 * Where a filter selects few rows the read starts from that filter's index,
 * else it walks the clock; both give the same rows in the same order.
 */
import { foldName } from '../filters/filter-tokens.ts'
import { documentCondition, TYPES_WITH_PATH, pathRange, timeColumn } from '../filters/filters.ts'
import type { Filters } from '../filters/filters.ts'
import { DOCUMENT_COLUMNS, toDocumentRow } from './read-documents.ts'
import type { DocumentRow } from './read-documents.ts'
import { constant, joinSql, sql } from '../sql/sql.ts'
import type { Query, Sql } from '../sql/sql.ts'
import { isInScope, repositoriesIn } from '../filters/visibility.ts'
import type { Scope } from '../filters/visibility.ts'

/** Where the last page ended. The row is named by its id: its number would tell how many rows there are. */
export interface ListPosition {
  readonly time: number
  readonly vectorId: string
}

/** What a page is read from: the clock, or the index of one filter. */
export type Start =
  | { readonly from: 'time' }
  | { readonly from: 'label'; readonly label: string }
  | { readonly from: 'assignee' | 'author' | 'milestone' | 'place' }

/** Rows a filter may select and still be worth starting from: they are all read and sorted. */
const FEW_ROWS = 500

/**
 * The start with the fewest rows to read: each filter is counted until it is
 * many, the clock's window as far as the best of them. Worth a round trip only
 * where `otherStarts` has some.
 */
export function bestStart(scope: Scope, filters: Filters): Query<Start> {
  const counts = otherStarts(scope, filters).map((start) => {
    const many = constant(String(isOfViewerAlone(start, scope, filters) ? FEW_ROWS / 5 : FEW_ROWS))
    const rows = sql`SELECT 1 ${walk(start, scope, filters)} AND ${isInScope(scope)} LIMIT ${many}`
    return sql`json_array(json(${JSON.stringify(start)}), (SELECT nullif(count(*), ${many}) FROM (${rows})))`
  })
  const inWindow = documentCondition({ window: filters.window })
  // Walking by repository needs to know which; else rows are walked whether in scope or not.
  const walked = scope.repository && filters.window.clock === 'updated' ? isInScope(scope) : sql`1`
  return {
    statement: sql`
      WITH counts(start, n) AS MATERIALIZED (
        SELECT value ->> 0, value ->> 1 FROM json_each(json_array(${joinSql(counts, ', ')})) WHERE value ->> 1 IS NOT NULL)
      SELECT start, n, (
        SELECT count(*) FROM (
          SELECT 1 ${walk(BY_TIME, scope, filters)} AND ${inWindow} AND ${walked} LIMIT (SELECT min(n) FROM counts))
      ) AS walked
      FROM counts ORDER BY n LIMIT 1`,
    // Of as many rows the clock is better: its page ends as soon as it is full.
    toValue: ([row]) => (row && Number(row['n']) <= Number(row['walked']) ? toStart(row['start']) : BY_TIME),
  }
}

function toStart(json: unknown): Start {
  return JSON.parse(String(json)) as Start
}

/** True when nothing but the viewer's rights narrows the rows: mostly they narrow little. */
function isOfViewerAlone({ from }: Start, { repository }: Scope, { type, pathPrefix }: Filters): boolean {
  return from === 'place' && !repository && type === undefined && pathPrefix === undefined
}

const BY_TIME: Start = { from: 'time' }

/** Labels that are counted: one of the first is rare, or starting from a rare one saves little. */
const COUNTED_LABELS = 4

/** The filters that could be a better start than the clock. */
export function otherStarts({ viewer, repository }: Scope, filters: Filters): readonly Start[] {
  const { type, labels = [], milestone, assignee, author, pathPrefix, window } = filters
  const starts: Start[] = labels.slice(0, COUNTED_LABELS).map((label) => ({ from: 'label', label: foldName(label) }))
  if (assignee !== undefined) starts.push({ from: 'assignee' })
  if (author !== undefined) starts.push({ from: 'author' })
  if (milestone !== undefined) starts.push({ from: 'milestone' })
  const fewRepositories = repository ? window.clock === 'created' : viewer.privateRepositories !== 'all'
  if (fewRepositories || type !== undefined || pathPrefix !== undefined) starts.push({ from: 'place' })
  return starts
}

/** Up to `limit` rows after `after`, newest first by the window's clock, equal times by document. */
export function listPage(
  scope: Scope,
  filters: Filters,
  start: Start,
  page: { readonly after?: ListPosition; readonly limit: number },
): Query<readonly DocumentRow[]> {
  const time = timeColumn(filters.window)
  return {
    statement: sql`
      SELECT ${DOCUMENT_COLUMNS}
      FROM (
        SELECT d.document ${walk(start, scope, filters)}
        AND ${documentCondition(filters)} AND ${isInScope(scope)} AND ${isAfter(time, page.after)}
        ORDER BY d.${time} DESC, d.document DESC LIMIT ${page.limit}
      ) m
      CROSS JOIN documents d ON d.document = m.document
      JOIN repositories r ON r.repository = d.repository
      ORDER BY d.${time} DESC, d.document DESC`,
    toValue: (rows) => rows.map(toDocumentRow),
  }
}

/** The newest time, on the window's clock, of a row in scope that the filters select. */
export function newestTime(scope: Scope, filters: Filters, start: Start): Query<number | undefined> {
  const time = timeColumn(filters.window)
  return {
    statement: sql`
      SELECT d.${time} AS newest ${walk(start, scope, filters)}
      AND ${documentCondition(filters)} AND ${isInScope(scope)}
      ORDER BY d.${time} DESC LIMIT 1`,
    toValue: ([row]) => row?.['newest'] as number | undefined,
  }
}

function isAfter(time: Sql, after: ListPosition | undefined): Sql {
  if (!after) return sql`1`
  // A row purged since leaves its time: rows that share it come again rather than not at all.
  const document = sql`coalesce((SELECT document FROM documents WHERE vector_id = ${after.vectorId}), 9007199254740991)`
  return sql`(d.${time}, d.document) < (${after.time}, ${document})`
}

/** FROM and the start of WHERE: live documents `d`, read in the way that `start` says and no other. */
function walk(start: Start, scope: Scope, filters: Filters): Sql {
  const live = sql`d.deleted_at IS NULL`
  const joined = sql`CROSS JOIN documents d ON d.document = k.document`
  switch (start.from) {
    case 'label':
      return sql`FROM labels k INDEXED BY labels_by_key ${joined} WHERE k.label_key = ${start.label} AND ${live}`
    case 'assignee':
      return sql`FROM assignees k INDEXED BY assignees_by_key ${joined}
        WHERE k.login_key = ${foldName(filters.assignee ?? '')} AND ${live}`
    case 'author':
      return sql`FROM documents d INDEXED BY documents_by_author
        WHERE d.author_key = ${foldName(filters.author ?? '')} AND ${live}`
    case 'milestone':
      return sql`FROM documents d INDEXED BY documents_by_milestone
        WHERE d.milestone = ${filters.milestone ?? ''} AND ${live}`
    case 'place': {
      const types = filters.type === undefined ? TYPES_WITH_PATH : [filters.type]
      const anyType = filters.type === undefined && filters.pathPrefix === undefined
      const type = anyType ? sql`1` : sql`d.type IN (SELECT value FROM json_each(${JSON.stringify(types)}))`
      const path = filters.pathPrefix ? pathRange(filters.pathPrefix) : sql`1`
      return sql`FROM documents d INDEXED BY documents_by_repository_type
        WHERE d.repository IN ${repositoriesIn(scope)} AND ${type} AND ${path} AND ${live}`
    }
    case 'time':
      if (filters.window.clock === 'created') {
        return sql`FROM documents d INDEXED BY documents_by_creation WHERE ${live}`
      }
      if (scope.repository) return sql`FROM documents d INDEXED BY documents_by_repository_update WHERE ${live}`
      return sql`FROM documents d INDEXED BY documents_by_update WHERE ${live}`
  }
}
