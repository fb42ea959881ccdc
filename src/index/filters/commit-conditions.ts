/**
 * Conditions on commits: the files that they changed, and which of their rows an
 * answer shows. A commit is stored as one document and a diff for each file whose
 * patch was imported; either may be missing.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import { constant, joinSql, sql } from '../sql/sql.ts'
import type { Sql } from '../sql/sql.ts'
import { foldExact } from './fold-name.ts'
import { isBelow, pathIn } from './path-conditions.ts'

/** Filters on files, and how commits are shown. */
export interface FileFilters {
  /** A folder or a file, without slashes at its ends; the empty prefix selects every document with a path. */
  readonly pathPrefix?: string
  /** Of a diff, or of a file in a commit. */
  readonly fileStatus?: string
  /**
   * `whole`: a commit and its diffs are one thing. `files`: its diffs are shown, and
   * the commit itself only where no diff passes. Absent: every row as it is stored.
   */
  readonly commits?: 'whole' | 'files'
}

const CHUNKS = constant(String(CHUNKS_PER_DOCUMENT))

/** The filters as conditions on a column of paths and one of statuses. */
export function fileConditions({ pathPrefix, fileStatus }: FileFilters, path: Sql, status: Sql): Sql {
  const conditions = [
    ...(pathPrefix === undefined ? [] : [isBelow(sql`${foldExact(pathPrefix)}`, path)]),
    ...(fileStatus === undefined ? [] : [sql`${status} = ${fileStatus}`]),
  ]
  return conditions.length === 0 ? sql`1` : joinSql(conditions, ' AND ')
}

/** Rows of `documents AS x`: the commit of the row `d`, or its diffs. */
export function partsOfCommit(type: 'commit' | 'diff'): Sql {
  return sql`documents x INDEXED BY documents_by_commit
    WHERE x.repository = d.repository AND x.commit_sha = d.commit_sha AND x.type = ${constant(`'${type}'`)}
    AND x.deleted_at IS NULL`
}

/** The filters on the diffs `x`. */
export function diffConditions(filters: FileFilters): Sql {
  return fileConditions(filters, pathIn('x'), constant('x.file_status'))
}

/** True for a commit in `documents AS d` that changed a file which passes: one of its list, or one whose diff is stored. */
export function changedFile(filters: FileFilters): Sql {
  return sql`(${listsFile(filters, constant('d.document'))}
    OR EXISTS (SELECT 1 FROM ${partsOfCommit('diff')} AND ${diffConditions(filters)}))`
}

/** True for a commit whose list has a file which passes. */
function listsFile(filters: FileFilters, document: Sql): Sql {
  return sql`EXISTS (SELECT 1 FROM files f WHERE f.document = ${document}
    AND ${fileConditions(filters, pathIn('f'), constant('f.status'))})`
}

/** The same for a row of `chunks AS c` of any type. The diffs of a commit are found by their own words. */
export function chunkListsFile(filters: FileFilters): Sql {
  return sql`(c.type <> 'commit' OR ${listsFile(filters, sql`c.chunk / ${CHUNKS}`)})`
}

/** False for a commit in `documents AS d` of which a diff passes. */
export function isNotShownByFiles(filters: FileFilters): Sql {
  return sql`(d.type <> 'commit'
    OR NOT EXISTS (SELECT 1 FROM ${partsOfCommit('diff')} AND ${diffConditions(filters)}))`
}

/** The same for a row of `chunks AS c`. */
export function isChunkNotShownByFiles(filters: FileFilters): Sql {
  return sql`(c.type <> 'commit' OR EXISTS (
    SELECT 1 FROM documents d WHERE d.document = c.chunk / ${CHUNKS} AND ${isNotShownByFiles(filters)}))`
}

/**
 * True for the row of `documents AS d` that a list shows for a commit: the commit
 * itself or, where only diffs are stored, the newest of those that pass. `column`
 * is the time of the list, `conditions` what else the diffs `x` must pass.
 */
export function isShownOfCommit(filters: FileFilters, column: Sql, conditions: Sql): Sql {
  if (filters.commits !== 'whole') return sql`1`
  return sql`(d.type <> 'diff' OR (NOT EXISTS (SELECT 1 FROM ${partsOfCommit('commit')})
    AND NOT EXISTS (SELECT 1 FROM ${partsOfCommit('diff')} AND ${diffConditions(filters)} AND ${conditions}
      AND (x.${column}, x.document) > (d.${column}, d.document))))`
}
