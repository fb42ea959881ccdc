/** Answers `GET /admin/export` with a stream that reads the index as the client takes it. */
import { ok, refuse, type Result } from '../../base/result.ts'
import type { ExportQuery } from '../../contracts/admin/export-contract.ts'
import { toPageLine } from '../../contracts/import/write-page.ts'
import { exportDocuments } from '../../index/documents/export-documents.ts'
import { findRepository } from '../../index/write/put-repository.ts'
import { unknownRepository, type AdminDeps } from './admin-route.ts'

/** A failure after the first lines breaks the stream off, so that a part is not taken for the whole. */
export async function exportIndex(
  { repo }: ExportQuery,
  { index }: AdminDeps,
): Promise<Result<ReadableStream<Uint8Array>>> {
  const repository = repo === undefined ? undefined : await findRepository(index, repo)
  if (repo !== undefined && repository === undefined) return refuse(unknownRepository(repo))
  const batches = exportDocuments(index, repository?.repoId)
  const utf8 = new TextEncoder()
  return ok(
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value = [] } = await batches.next()
        if (done === true) return controller.close()
        controller.enqueue(utf8.encode(value.map(toPageLine).join('')))
      },
      async cancel() {
        await batches.return(undefined)
      },
    }),
  )
}
