/**
 * `POST /admin/import`: a page of NDJSON in the published schema; the query
 * moves the cursor that the page makes true.
 */
import { invalid } from '../../base/failure.ts'
import { REPOSITORY_NAME } from '../../base/repository-name.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { parseUtf8 } from '../../base/utf8.ts'
import type { SourceCursorMove } from '../../index/documents/source-cursors.ts'
import { MAX_POSITION_CHARS, MAX_SOURCE_CHARS } from '../../index/limits.ts'
import type { PageSummary } from '../../index/write/page-plan.ts'
import { importPage } from '../../ingest/import-page.ts'
import type { RouteRequest } from '../route.ts'
import type { AdminDeps } from './admin-handler.ts'

const PARAMETERS = ['repo', 'source', 'position', 'done', 'total']

export async function postImport(
  { url, body }: Pick<RouteRequest, 'url' | 'body'>,
  { index, now }: AdminDeps,
): Promise<Result<PageSummary>> {
  const cursor = parseCursor(url.searchParams)
  if (!cursor.ok) return cursor
  const text = parseUtf8(body)
  return text.ok ? importPage(index, text.value, cursor.value, now()) : text
}

/** No cursor at all, or a repository, a source and a position, and with them how much of how much is done. */
function parseCursor(query: URLSearchParams): Result<SourceCursorMove | undefined> {
  const unknown = [...query.keys()].find((key) => !PARAMETERS.includes(key))
  if (unknown !== undefined) {
    return refuse(invalid(unknown.slice(0, 64), `not a parameter of an import; accepted: ${PARAMETERS.join(', ')}`))
  }
  if (query.size === 0) return ok(undefined)
  const [repository, source, position] = [query.get('repo'), query.get('source'), query.get('position')]
  if (!repository || !REPOSITORY_NAME.test(repository)) {
    return refuse(invalid('repo', 'a cursor names its repository, owner/name'))
  }
  if (!source || source.length > MAX_SOURCE_CHARS) {
    return refuse(invalid('source', `a cursor names its source in 1 to ${MAX_SOURCE_CHARS} characters`))
  }
  if (position === null || position.length > MAX_POSITION_CHARS) {
    return refuse(invalid('position', `a cursor has a position of at most ${MAX_POSITION_CHARS} characters`))
  }
  const [done, total] = [parseCount(query.get('done')), parseCount(query.get('total'))]
  if (done === null) return refuse(invalid('done', 'must be a whole number, 0 or more'))
  if (total === null) return refuse(invalid('total', 'must be a whole number, 0 or more'))
  return ok({
    repository,
    source,
    position,
    ...(done !== undefined && { done }),
    ...(total !== undefined && { total }),
  })
}

/** Undefined when absent, null when it is no count. */
function parseCount(text: string | null): number | undefined | null {
  if (text === null) return undefined
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}
