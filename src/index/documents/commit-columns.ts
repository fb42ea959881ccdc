/**
 * Columns of a row that shows a commit: the first of its files that pass the
 * filters, each with the id of its diff where that is stored. The row is the
 * commit itself, or one of its diffs where only these are stored.
 */
import { diffConditions, fileConditions, partsOfCommit } from '../filters/commit-conditions.ts'
import type { FileFilters } from '../filters/commit-conditions.ts'
import { pathIn } from '../filters/path-conditions.ts'
import { MAX_COUNTED_DIFFS } from '../limits.ts'
import { constant, sql } from '../sql/sql.ts'
import type { Sql } from '../sql/sql.ts'

export const IS_OF_COMMIT = constant(`d.type IN ('commit', 'diff')`)

/** Columns of `documents AS d` for `toDocumentRow`: at most `limit` files of the rows for which `when` holds, and `diffCount`. */
export function commitColumns(filters: FileFilters, limit: number, when: Sql): Sql {
  const listed = sql`
    SELECT f.path, f.status, (SELECT x.vector_id FROM ${partsOfCommit('diff')} AND x.path = f.path) AS id
    FROM files f WHERE f.document = d.document
    AND ${fileConditions(filters, pathIn('f'), constant('f.status'))} ORDER BY f.position LIMIT ${limit}`
  const stored = sql`
    SELECT x.path, x.file_status AS status, x.vector_id AS id FROM ${partsOfCommit('diff')}
    AND ${diffConditions(filters)} ORDER BY x.path LIMIT ${limit}`
  return sql`
    CASE WHEN ${when} THEN coalesce(nullif(${asJson(listed)}, '[]'), ${asJson(stored)}) END AS files,
    CASE WHEN ${IS_OF_COMMIT} AND d.file_count IS NULL THEN (
      SELECT nullif(count(*), ${MAX_COUNTED_DIFFS + 1}) FROM (
        SELECT 1 FROM ${partsOfCommit('diff')} LIMIT ${MAX_COUNTED_DIFFS + 1})) END AS diffCount`
}

function asJson(files: Sql): Sql {
  return sql`(SELECT json_group_array(json_object('path', path, 'status', status, 'vectorId', id)) FROM (${files}))`
}
