/** Answers `GET /admin/documents`, from which an importer without a usable cursor learns which documents are gone. */
import { ok, type Result } from '../../base/result.ts'
import type { DocumentsAnswer, DocumentsQuery } from '../../contracts/admin/documents-contract.ts'
import { listPaths } from '../../index/documents/list-paths.ts'
import type { AdminDeps } from './admin-route.ts'

export async function listDocuments(query: DocumentsQuery, { index }: AdminDeps): Promise<Result<DocumentsAnswer>> {
  const { repo, type, after = '' } = query
  const { paths, next } = await listPaths(index, repo, type, after)
  return ok({ documents: paths.map((path) => ({ path })), ...(next !== undefined && { next }) })
}
