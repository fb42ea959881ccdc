/** Answers `POST /admin/import`: the body is one page of NDJSON, the query the cursor that moves with it. */
import type { Result } from '../../base/result.ts'
import { parseUtf8 } from '../../base/utf8.ts'
import type { ImportCounts, ImportQuery } from '../../contracts/admin/import-contract.ts'
import type { SourceCursorMove } from '../../index/documents/source-cursors.ts'
import { importPage } from '../../ingest/import-page.ts'
import type { AdminDeps } from './admin-route.ts'

export async function postImport(
  query: ImportQuery,
  { index, now }: AdminDeps,
  body: ArrayBuffer,
): Promise<Result<ImportCounts>> {
  const text = parseUtf8(body)
  return text.ok ? importPage(index, text.value, toCursorMove(query), now()) : text
}

/** Undefined without a cursor; the contract refuses a part of one. */
function toCursorMove({ repo, source, position, done, total }: ImportQuery): SourceCursorMove | undefined {
  if (repo === undefined || source === undefined || position === undefined) return undefined
  return {
    repository: repo,
    source,
    position,
    ...(done !== undefined && { done }),
    ...(total !== undefined && { total }),
  }
}
