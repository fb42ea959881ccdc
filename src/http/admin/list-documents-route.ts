/**
 * `GET /admin/documents`: which paths of one type a repository has in the
 * index, so that an importer that lost its place can tell what is gone.
 */
import { invalid } from '../../base/failure.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { DOCUMENT_TYPES } from '../../base/vocabulary.ts'
import { listPaths } from '../../index/maintenance/overview.ts'
import type { RouteRequest } from '../route.ts'
import type { AdminDeps } from './admin-handler.ts'

/** Query: `repo`, `type`, and `after`, the last path of the page before. */
export async function getDocuments({ url }: Pick<RouteRequest, 'url'>, { index }: AdminDeps): Promise<Result<object>> {
  const query = url.searchParams
  const type = DOCUMENT_TYPES.find((known) => known === query.get('type'))
  const repository = query.get('repo')
  if (!repository) return refuse(invalid('repo', 'name the repository, owner/name'))
  if (type === undefined) return refuse(invalid('type', `must be one of ${DOCUMENT_TYPES.join(', ')}`))
  const { paths, next } = await listPaths(index, repository, type, query.get('after') ?? '')
  return ok({ documents: paths.map((path) => ({ path })), ...(next !== undefined && { next }) })
}
