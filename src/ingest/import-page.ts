/** Imports a page of the published schema: refuses it whole, or puts it whole together with its cursor. */
import { ok, type Result } from '../base/result.ts'
import type { ImportCounts } from '../contracts/admin/import-contract.ts'
import { parseImportPage } from '../contracts/import/parse-page.ts'
import type { SourceCursorMove } from '../index/documents/source-cursors.ts'
import type { Index } from '../index/sql/index-database.ts'
import { putPage } from '../index/write/put-page.ts'

export async function importPage(
  index: Index,
  ndjson: string,
  cursor: SourceCursorMove | undefined,
  nowMs: number,
): Promise<Result<ImportCounts>> {
  const changes = parseImportPage(ndjson)
  if (!changes.ok) return changes
  const put = await putPage(index, { changes: changes.value, ...(cursor && { cursor }) }, nowMs)
  if (!put.ok) return put
  const { written, unchanged, stale, removed } = put.value
  return ok({ written, unchanged, stale, removed })
}
