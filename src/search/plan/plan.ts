/**
 * What one call means: which of the three modes it is, with every parameter
 * read and every refusal that needs no look at the index already made.
 */
import type { Viewer } from '../../access/viewer.ts'
import { invalid } from '../../base/failure.ts'
import { ok, refuse } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import type { SearchArguments } from '../../contracts/tools/search.ts'
import type { ListPosition } from '../../index/documents/list-documents.ts'
import { parseCursor } from './scan-cursor.ts'
import { toRequest } from './request-filters.ts'
import type { SearchRequest } from './request-filters.ts'
import { parseQualifiers } from './qualifiers.ts'

/** Bodies of named rows, each through a window in UTF-16 units. */
export interface FetchPlan {
  readonly mode: 'fetch'
  readonly viewer: Viewer
  /** Trimmed, no blanks, each once, in the caller's order. */
  readonly vectorIds: readonly string[]
  readonly offset: number
  readonly maxChars: number
}

/** What happened lately; the window's `since` is always set. */
export interface ScanPlan {
  readonly mode: 'scan'
  readonly request: SearchRequest
  readonly sort: 'updated_desc' | 'created_desc'
  readonly topK: number
  readonly since: number
  /** Nobody request for this `since`. */
  readonly sinceIsDefault: boolean
  readonly after?: ListPosition
  /** Show the text of the first documentation and wiki rows. */
  readonly includeContent: boolean
  /** What the cursor of the next page is bound to. */
  readonly scan: unknown
}

export interface HybridPlan {
  readonly mode: 'search'
  readonly request: SearchRequest
  readonly words: string
  readonly sort: 'relevance' | 'updated_desc' | 'created_desc'
  readonly topK: number
  readonly fusion: 'rrf' | 'dense_only' | 'sparse_only'
  readonly rerankRequested: boolean
  /** Links to follow out of the results; 0 for none. */
  readonly graphHops: number
  /** Show the text of the first documentation and wiki rows. */
  readonly includeContent: boolean
}

export type Plan = FetchPlan | ScanPlan | HybridPlan

/** Most ids of one fetch. */
const MAX_IDS = 50
/** How far a scan looks back when nobody says. */
const DEFAULT_SPAN_MS = 7 * 86_400_000

/** `now` in milliseconds UTC. */
export function toPlan(viewer: Viewer, args: SearchArguments, now: number): Result<Plan> {
  if (args.vector_ids !== undefined && args.vector_ids.length > 0) return toFetch(viewer, args, args.vector_ids)

  const query = args.query?.trim() ?? ''
  const question = parseQualifiers(query)
  const request = toRequest(viewer, args, question)
  if (!request.ok) return request
  if (question.words === '') return toScan(args, request.value, query === '' ? undefined : 0, now)

  if (args.cursor) {
    return refuse(
      invalid('cursor', 'goes on with a scan, and a call with a query is none', 'Leave out one of the two.'),
    )
  }
  return ok({
    mode: 'search',
    request: request.value,
    words: question.words,
    sort: args.sort ?? 'relevance',
    topK: args.top_k,
    fusion: args.fusion,
    rerankRequested: args.rerank,
    graphHops: args.graph_expand ? args.graph_hops : 0,
    includeContent: args.include_content,
  })
}

function toFetch(viewer: Viewer, args: SearchArguments, given: readonly string[]): Result<FetchPlan> {
  if (given.length > MAX_IDS) return refuse(invalid('vector_ids', `holds ${given.length} ids; at most ${MAX_IDS}`))
  const vectorIds = [...new Set(given.map((id) => id.trim()).filter((id) => id !== ''))]
  return ok({ mode: 'fetch', viewer, vectorIds, offset: args.content_offset, maxChars: args.content_max_chars })
}

/**
 * A query of qualifiers alone is a scan too, but of everything they select:
 * `earliest` is then its default `since`.
 */
function toScan(
  args: SearchArguments,
  request: SearchRequest,
  earliest: number | undefined,
  now: number,
): Result<ScanPlan> {
  const { window } = request.filters
  const sort = args.sort === 'created_desc' ? 'created_desc' : 'updated_desc'
  const scan = { sort, repository: request.scope.repository, filters: request.filters }
  const cursor = args.cursor ? parseCursor(args.cursor, scan) : undefined
  if (cursor?.ok === false) return cursor
  const since = window.since ?? cursor?.value.since ?? earliest ?? (window.until ?? now) - DEFAULT_SPAN_MS
  const warnings = [...request.warnings]
  if (args.sort === 'relevance') warnings.push('sort: relevance needs words to look for; the newest come first.')
  return ok({
    mode: 'scan',
    request: { ...request, filters: { ...request.filters, window: { ...window, since } }, warnings },
    sort,
    topK: args.top_k,
    since,
    sinceIsDefault: window.since === undefined,
    ...(cursor && { after: cursor.value }),
    includeContent: args.include_content,
    scan,
  })
}
