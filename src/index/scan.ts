/**
 * Walking documents by time: newest first, page by page, each page one read.
 * Where a filter selects few rows the read starts from that filter's index,
 * else it walks the clock; both give the same rows in the same order.
 */
import { foldName } from './filter-tokens.ts'
import { documentCondition, TYPES_WITH_PATH, pathRange, timeColumn } from './filters.ts'
import type { Filters } from './filters.ts'
import { DOCUMENT_COLUMNS, toDocumentRow } from './read-documents.ts'
import type { DocumentRow } from './read-documents.ts'
import { joinSql, sql } from './sql.ts'
import type { Query, Sql } from './sql.ts'
import { isInScope, repositoriesIn } from './visibility.ts'
import type { Scope } from './visibility.ts'

/** Where the last page ended. The row is named by its id: its number would tell how many rows there are. */
export interface Place {
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
 * Finds the filter that selects fewest rows, counting no further than
 * `FEW_ROWS` of each. Worth a round trip only where `otherStarts` has some.
 */
export function bestStart(scope: Scope, filters: Filters): Query<Start> {
  const counts = [{ from: 'time' } as const, ...otherStarts(scope, filters)].map((start) => {
    // The clock is counted by the rows it would walk, in scope or not.
    const byRepository = scope.repository && filters.window.clock === 'updated'
    const seen = start.from !== 'time' || byRepository ? isInScope(scope) : sql`1`
    const rows = start.from === 'time' ? documentCondition({ window: filters.window }) : sql`1`
    const count = sql`SELECT count(*) FROM (SELECT 1 ${walk(start, scope, filters)} AND ${rows} AND ${seen} LIMIT ${FEW_ROWS})`
    return sql`json_array(json(${JSON.stringify(start)}), (${count}))`
  })
  return {
    statement: sql`SELECT json_array(${joinSql(counts, ', ')}) AS counts`,
    toValue: ([row]) => {
      const counted = JSON.parse(String(row?.['counts'])) as [Start, number][]
      // The clock comes first and stays where nothing selects fewer: its pages end as soon as they are full.
      return counted.reduce((best, next) => (next[1] < best[1] ? next : best))[0]
    },
  }
}

/** Labels that are counted: one of the first is rare, or starting from a rare one saves little. */
const COUNTED_LABELS = 8

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
export function scanPage(
  scope: Scope,
  filters: Filters,
  start: Start,
  page: { readonly after?: Place; readonly limit: number },
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

function isAfter(time: Sql, after: Place | undefined): Sql {
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
