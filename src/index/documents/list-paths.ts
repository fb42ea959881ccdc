/**
 * Lists the paths that a repository has in the index, page by page. An importer
 * compares them with its source to find removed documents.
 */
import { toNameKey } from '../../base/repository-name.ts'
import type { DocumentType } from '../../base/vocabulary.ts'
import { foldExact } from '../filters/fold-name.ts'
import type { Index } from '../sql/index-database.ts'

/** Paths in one page of the list. */
const PATHS_A_PAGE = 1_000

/** Paths of the live documents of one type in a repository, in the order of their NFC forms, after `after`; `next` continues the list. */
export async function listPaths(
  index: Index,
  repository: string,
  type: DocumentType,
  after: string,
): Promise<{ paths: string[]; next?: string }> {
  const { results } = await index.database
    .prepare(
      `SELECT d.path FROM repository_names n JOIN documents d USING (repository)
       WHERE n.name_key = ?1 AND d.type = ?2 AND d.deleted_at IS NULL
         AND (coalesce(d.path_key, d.path), d.path) > (?3, ?4)
       ORDER BY coalesce(d.path_key, d.path), d.path LIMIT ${PATHS_A_PAGE}`,
    )
    .bind(toNameKey(repository), type, foldExact(after), after)
    .all<{ path: string }>()
  const paths = results.map(({ path }) => path)
  const last = paths.at(-1)
  return { paths, ...(paths.length === PATHS_A_PAGE && last !== undefined && { next: last }) }
}
