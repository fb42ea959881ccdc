/**
 * The plan of one call: its mode and its parsed parameters. Every refusal that
 * needs no read of the index is made here.
 */
import type { Viewer } from '../../access/viewer.ts'
import { invalid } from '../../base/failure.ts'
import { ok, refuse } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import { DEFAULT_SCAN_DAYS } from '../../contracts/limits.ts'
import type { SearchArguments } from '../../contracts/tools/search.ts'
import type { ListPosition } from '../../index/documents/list-documents.ts'
import { MAX_FETCHED_IDS } from '../limits.ts'
import { parseCursor } from './scan-cursor.ts'
import { toRequest } from './request-filters.ts'
import type { SearchRequest } from './request-filters.ts'
import { parseQualifiers } from './qualifiers.ts'

/** Bodies of rows that are named by id, each through a window in UTF-16 units. */
export interface FetchPlan {
  readonly mode: 'fetch'
  readonly viewer: Viewer
  /** Trimmed, not empty, each once, in the caller's order. */
  readonly vectorIds: readonly string[]
  readonly offset: number
  readonly maxChars: number
}

/** A page of the newest rows. The window always has a `since`. */
export interface ScanPlan {
  readonly mode: 'scan'
  readonly request: SearchRequest
  readonly sort: 'updated_desc' | 'created_desc'
  readonly topK: number
  readonly since: number
  /** The request has no `since`; this one is the default. */
  readonly sinceIsDefault: boolean
  readonly after?: ListPosition
  readonly isCompact: boolean
  /** The answer contains the text of the first documentation and wiki rows. */
  readonly includeContent: boolean
  /** The parameters that the cursor of the next page is bound to. */
  readonly boundTo: unknown
}

export interface HybridPlan {
  readonly mode: 'search'
  readonly request: SearchRequest
  /** The question: the query without its qualifiers. */
  readonly words: string
  readonly sort: 'relevance' | 'updated_desc' | 'created_desc'
  readonly topK: number
  readonly fusion: 'rrf' | 'dense_only' | 'sparse_only'
  readonly rerankRequested: boolean
  /** One result is: a commit with its diffs, a file with its diffs, or every row. */
  readonly group: 'auto' | 'file' | 'none'
  readonly isCompact: boolean
  /** Links to follow from the results; 0 for none. */
  readonly graphHops: number
  /** The answer contains the text of the first documentation and wiki rows. */
  readonly includeContent: boolean
}

type Plan = FetchPlan | ScanPlan | HybridPlan

/** The window of a scan of what happened lately. */
const DEFAULT_SPAN_MS = DEFAULT_SCAN_DAYS * 86_400_000

/** `now` in milliseconds UTC. */
export function toPlan(viewer: Viewer, args: SearchArguments, now: number): Result<Plan> {
  if (args.vector_ids !== undefined && args.vector_ids.length > 0) return toFetch(viewer, args, args.vector_ids)

  const query = args.query?.trim() ?? ''
  const qualified = parseQualifiers(query)
  const request = toRequest(viewer, args, qualified)
  if (!request.ok) return request
  if (qualified.words === '') return toScan(args, request.value, { isQualified: query !== '', now })

  if (args.cursor) {
    return refuse(invalid('cursor', 'belongs to a scan, and a call with a query is not a scan', 'Omit one of the two.'))
  }
  return ok({
    mode: 'search',
    request: request.value,
    words: qualified.words,
    sort: request.value.sort ?? 'relevance',
    topK: args.top_k,
    fusion: args.fusion,
    rerankRequested: args.rerank,
    group: args.group,
    isCompact: args.detail === 'compact',
    graphHops: args.graph_expand ? args.graph_hops : 0,
    includeContent: args.include_content,
  })
}

function toFetch(viewer: Viewer, args: SearchArguments, given: readonly string[]): Result<FetchPlan> {
  if (given.length > MAX_FETCHED_IDS) {
    return refuse(invalid('vector_ids', `holds ${given.length} ids; at most ${MAX_FETCHED_IDS}`))
  }
  const vectorIds = [...new Set(given.map((id) => id.trim()).filter((id) => id !== ''))]
  return ok({ mode: 'fetch', viewer, vectorIds, offset: args.content_offset, maxChars: args.content_max_chars })
}

/**
 * A query that consists of qualifiers is a scan of everything that they select, and
 * a scan of files or of a release is a history: both go back to the oldest row.
 */
function toScan(
  args: SearchArguments,
  request: SearchRequest,
  { isQualified, now }: { readonly isQualified: boolean; readonly now: number },
): Result<ScanPlan> {
  const { window } = request.filters
  const sort = request.sort === 'created_desc' ? 'created_desc' : 'updated_desc'
  const { viewer: _, ...place } = request.scope
  const scan = { sort, group: args.group, ...place, filters: request.filters }
  const cursor = args.cursor ? parseCursor(args.cursor, scan) : undefined
  if (cursor?.ok === false) return cursor
  const { pathPrefix, fileStatus, release } = request.filters
  const isHistory = isQualified || pathPrefix !== undefined || fileStatus !== undefined || release !== undefined
  const preset = isHistory ? 0 : (window.until ?? now) - DEFAULT_SPAN_MS
  const since = window.since ?? cursor?.value.since ?? preset
  const warnings = [...request.warnings]
  if (request.sort === 'relevance') warnings.push('sort: relevance needs words to look for; the newest come first.')
  return ok({
    mode: 'scan',
    request: { ...request, filters: { ...request.filters, window: { ...window, since } }, warnings },
    sort,
    topK: args.top_k,
    since,
    sinceIsDefault: window.since === undefined,
    ...(cursor && { after: cursor.value }),
    isCompact: args.detail === 'compact',
    includeContent: args.include_content,
    boundTo: scan,
  })
}
