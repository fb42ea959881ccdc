/** Imports a page of the published schema: refuses it whole, or puts it whole together with its cursor. */
import type { Result } from '../base/result.ts'
import { parseImportPage } from '../contracts/import/parse-page.ts'
import type { SourceCursorMove } from '../index/documents/source-cursors.ts'
import type { Index } from '../index/sql/index-database.ts'
import type { PageSummary } from '../index/write/page-plan.ts'
import { putPage } from '../index/write/put-page.ts'

export async function importPage(
  index: Index,
  ndjson: string,
  cursor: SourceCursorMove | undefined,
  nowMs: number,
): Promise<Result<PageSummary>> {
  const changes = parseImportPage(ndjson)
  if (!changes.ok) return changes
  return putPage(index, { changes: changes.value, ...(cursor && { cursor }) }, nowMs)
}
