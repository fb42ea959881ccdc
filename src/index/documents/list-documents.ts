/**
 * Lists documents by time, newest first, page by page. Where a filter selects few
 * rows, the read starts from the index of that filter, otherwise from the index
 * of the times; both return the same rows in the same order.
 */
import { ok } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import type { DocumentType } from '../../base/vocabulary.ts'
import { foldExact, foldName } from '../filters/fold-name.ts'
import { typeList, TYPES_WITH_PATH, typesOf } from '../filters/filter-forms.ts'
import { isShownOfCommit } from '../filters/commit-conditions.ts'
import { conditionsOfDiffs, documentCondition, timeColumn } from '../filters/filters.ts'
import type { Filters } from '../filters/filters.ts'
import { documentsOfRelease } from '../filters/first-release.ts'
import { pathIn, pathRange } from '../filters/path-conditions.ts'
import { commitColumns, IS_OF_COMMIT } from './commit-columns.ts'
import { DOCUMENT_COLUMNS, toDocumentRow } from './read-documents.ts'
import type { DocumentRow } from './read-documents.ts'
import { constant, joinSql, runQuery, sql, withSharedValues } from '../sql/sql.ts'
import type { Query, Sql } from '../sql/sql.ts'
import type { IndexReader } from '../reader.ts'
import { isInScope, repositoriesIn } from '../filters/visibility.ts'
import type { Scope } from '../filters/visibility.ts'

/** The last row of a page. It is named by its id: its number would reveal how many rows there are. */
export interface ListPosition {
  readonly time: number
  readonly vectorId: string
}

interface ListPage {
  readonly after?: ListPosition
  readonly limit: number
  /** Files that a row of a commit has, where commits are shown whole. */
  readonly files: number
}

/** The index that a page is read from: that of the times, or that of one filter. */
type ListStart =
  | { readonly from: 'time' }
  | { readonly from: 'label'; readonly label: string }
  | { readonly from: 'assignee' | 'author' | 'milestone' | 'place' | 'path' | 'release' }

export interface ListedPage {
  readonly rows: readonly DocumentRow[]
  /** The index that they were read from. */
  readonly start: ListStart
}

/**
 * Up to `limit` rows after `after`, newest first by the window's clock, equal
 * times by document. Where the filters show commits whole, each has one row. One
 * round trip, and one before it where a filter could be a better start than the
 * times. UNAVAILABLE where a read fails.
 */
export async function listDocuments(
  reader: IndexReader,
  scope: Scope,
  filters: Filters,
  page: ListPage,
): Promise<Result<ListedPage>> {
  const start =
    otherStarts(scope, filters).length === 0 ? ok(BY_TIME) : await runQuery(reader, bestStart(scope, filters))
  if (!start.ok) return start
  const rows = await runQuery(reader, pageOf(scope, filters, start.value, page))
  if (!rows.ok) return rows
  return ok({ rows: rows.value, start: start.value })
}

/**
 * The newest time, on the window's clock, of a row in scope that passes the
 * filters; undefined without such a row. `start` is that of a page with the same
 * filters, the window excepted. One round trip; UNAVAILABLE where it fails.
 */
export function readNewestTime(
  reader: IndexReader,
  scope: Scope,
  filters: Filters,
  start: ListStart,
): Promise<Result<number | undefined>> {
  return runQuery(reader, newestTime(scope, filters, start))
}

/** A filter that selects fewer rows is worth starting from: all of them are read and sorted. */
const FEW_ROWS = 500

/**
 * The start with the fewest rows to read: rows of each filter are counted up to
 * `FEW_ROWS`, rows of the window up to the count of the best filter. Needs at
 * least one other start.
 */
function bestStart(scope: Scope, filters: Filters): Query<ListStart> {
  const counts = otherStarts(scope, filters).map((start) => {
    const many = constant(String(isOfViewerAlone(start, scope, filters) ? FEW_ROWS / 5 : FEW_ROWS))
    const rows = sql`SELECT 1 ${walk(start, scope, filters)} AND ${isInScope(scope)} LIMIT ${many}`
    return sql`json_array(json(${JSON.stringify(start)}), (SELECT nullif(count(*), ${many}) FROM (${rows})))`
  })
  const inWindow = documentCondition({ window: filters.window })
  // A walk by repository reads rows in scope only; any other also reads rows out of scope.
  const walked = scope.repository && filters.window.clock === 'updated' ? isInScope(scope) : sql`1`
  return {
    statement: withSharedValues(sql`
      WITH counts(start, n) AS MATERIALIZED (
        SELECT value ->> 0, value ->> 1 FROM json_each(json_array(${joinSql(counts, ', ')})) WHERE value ->> 1 IS NOT NULL)
      SELECT start, n, (
        SELECT count(*) FROM (
          SELECT 1 ${walk(BY_TIME, scope, filters)} AND ${inWindow} AND ${walked} LIMIT (SELECT min(n) FROM counts))
      ) AS walked
      FROM counts ORDER BY n LIMIT 1`),
    // With equally many rows the times are better: their page ends as soon as it is full.
    toValue: ([row]) => (row && Number(row['n']) <= Number(row['walked']) ? toStart(row['start']) : BY_TIME),
  }
}

function toStart(json: unknown): ListStart {
  return JSON.parse(String(json)) as ListStart
}

/** True where only the viewer's rights restrict the rows, which usually excludes few of them. */
function isOfViewerAlone({ from }: ListStart, { repository, owner }: Scope, { type, pathPrefix }: Filters): boolean {
  return from === 'place' && !repository && owner === undefined && type === undefined && pathPrefix === undefined
}

const BY_TIME: ListStart = { from: 'time' }

/** Labels that are counted. If none of the first is rare, starting from a rare one saves little. */
const COUNTED_LABELS = 4

/** The filters that could be a better start than the times. */
function otherStarts({ viewer, repository, owner }: Scope, filters: Filters): readonly ListStart[] {
  const { type, labels = [], milestone, assignee, author, pathPrefix, release, window } = filters
  const starts: ListStart[] = labels
    .slice(0, COUNTED_LABELS)
    .map((label) => ({ from: 'label', label: foldName(label) }))
  if (assignee !== undefined) starts.push({ from: 'assignee' })
  if (author !== undefined) starts.push({ from: 'author' })
  if (milestone !== undefined) starts.push({ from: 'milestone' })
  const fewRepositories = repository
    ? window.clock === 'created'
    : owner !== undefined || viewer.privateRepositories !== 'all'
  if (release !== undefined) starts.push({ from: 'release' })
  if (pathPrefix) starts.push({ from: 'path' })
  else if (fewRepositories || type !== undefined || pathPrefix !== undefined) starts.push({ from: 'place' })
  return starts
}

function pageOf(scope: Scope, filters: Filters, start: ListStart, page: ListPage): Query<readonly DocumentRow[]> {
  const time = timeColumn(filters.window)
  const shown = isShownOfCommit(filters, time, conditionsOfDiffs(filters))
  const columns =
    filters.commits === 'whole'
      ? sql`${DOCUMENT_COLUMNS}, ${commitColumns(filters, page.files, IS_OF_COMMIT)}`
      : DOCUMENT_COLUMNS
  // The files of a commit name it several times.
  const once = start.from === 'path' ? sql`GROUP BY d.document` : sql``
  return {
    statement: withSharedValues(sql`
      SELECT ${columns}
      FROM (
        SELECT d.document ${walk(start, scope, filters)}
        AND ${documentCondition(filters)} AND ${isInScope(scope)} AND ${isAfter(scope, time, page.after)} AND ${shown}
        ${once} ORDER BY d.${time} DESC, d.document DESC LIMIT ${page.limit}
      ) m
      CROSS JOIN documents d ON d.document = m.document
      JOIN repositories r ON r.repository = d.repository
      ORDER BY d.${time} DESC, d.document DESC`),
    toValue: (rows) => rows.map(toDocumentRow),
  }
}

function newestTime(scope: Scope, filters: Filters, start: ListStart): Query<number | undefined> {
  const time = timeColumn(filters.window)
  return {
    statement: sql`
      SELECT d.${time} AS newest ${walk(start, scope, filters)}
      AND ${documentCondition(filters)} AND ${isInScope(scope)}
      ORDER BY d.${time} DESC LIMIT 1`,
    toValue: ([row]) => row?.['newest'] as number | undefined,
  }
}

function isAfter(scope: Scope, time: Sql, after: ListPosition | undefined): Sql {
  if (!after) return sql`1`
  // The last row may be purged by now. Rows with the same time are then listed again rather than skipped.
  // A caller can write any id: a row that it may not see is the same as none.
  const row = sql`SELECT x.document FROM documents x
    WHERE x.vector_id = ${after.vectorId} AND x.repository IN ${repositoriesIn(scope)}`
  const document = sql`coalesce((${row}), 9007199254740991)`
  return sql`(d.${time}, d.document) < (${after.time}, ${document})`
}

/** FROM and the start of WHERE: documents `d` that are not deleted, read from the index of `start` and no other. */
function walk(start: ListStart, scope: Scope, filters: Filters): Sql {
  const live = sql`d.deleted_at IS NULL`
  const joined = sql`CROSS JOIN documents d ON d.document = k.document`
  switch (start.from) {
    case 'label':
      return sql`FROM labels k INDEXED BY labels_by_key ${joined} WHERE k.label_key = ${start.label} AND ${live}`
    case 'assignee':
      return sql`FROM assignees k INDEXED BY assignees_by_key ${joined}
        WHERE k.login_key = ${foldName(filters.assignee ?? '')} AND ${live}`
    case 'author':
      return sql`FROM author_names k CROSS JOIN documents d INDEXED BY documents_by_author ON d.author_key = k.author_key
        WHERE k.name_key = ${foldName(filters.author ?? '')} AND k.whole = 1 AND ${live}`
    case 'milestone':
      return sql`FROM documents d INDEXED BY documents_by_milestone
        WHERE d.milestone_key = ${foldExact(filters.milestone ?? '')} AND ${live}`
    case 'release':
      return sql`FROM documents d
        WHERE d.document IN ${documentsOfRelease(scope, filters.release ?? '', filters.commits === 'whole')} AND ${live}`
    case 'path':
      return sql`FROM (${documentsUnder(filters.pathPrefix ?? '', scope)}) k ${joined} WHERE ${live}`
    case 'place': {
      const withPath: readonly DocumentType[] = [...TYPES_WITH_PATH, 'commit']
      const types = filters.type === undefined ? withPath : typesOf(filters.type)
      const anyType = filters.type === undefined && filters.pathPrefix === undefined
      const type = anyType ? sql`1` : sql`d.type IN (${typeList(types)})`
      return sql`FROM documents d INDEXED BY documents_by_repository_type
        WHERE d.repository IN ${repositoriesIn(scope)} AND ${type} AND ${live}`
    }
    case 'time':
      if (filters.window.clock === 'created') {
        return sql`FROM documents d INDEXED BY documents_by_creation WHERE ${live}`
      }
      if (scope.repository) return sql`FROM documents d INDEXED BY documents_by_repository_update WHERE ${live}`
      return sql`FROM documents d INDEXED BY documents_by_update WHERE ${live}`
  }
}

/** Numbers of documents with a path under the prefix, and of commits with such a file, some of them several times. */
function documentsUnder(pathPrefix: string, scope: Scope): Sql {
  const withPath = sql`documents x INDEXED BY documents_by_repository_type`
  const isUnder = sql`x.repository IN ${repositoriesIn(scope)} AND x.deleted_at IS NULL
    AND ${pathRange(pathPrefix, pathIn('x'))}`
  return sql`
    SELECT x.document FROM ${withPath}
    WHERE x.type IN (${typeList(TYPES_WITH_PATH)}) AND ${isUnder}
    UNION ALL
    SELECT c.document FROM ${withPath} CROSS JOIN documents c INDEXED BY documents_by_commit
      ON c.repository = x.repository AND c.commit_sha = x.commit_sha AND c.type = 'commit' AND c.deleted_at IS NULL
    WHERE x.type = 'diff' AND ${isUnder}
    UNION ALL
    SELECT f.document FROM files f INDEXED BY files_by_path WHERE ${pathRange(pathPrefix, pathIn('f'))}`
}
