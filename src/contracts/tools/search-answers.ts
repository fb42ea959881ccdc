/**
 * The answers of `search`: one shape for each mode, for the code that builds them, and
 * all of them as one flat object, for the published schema.
 */
import * as z from 'zod'
import { described, text, texts, whole, yes } from '../schema-parts.ts'
import { CONTENT_SOURCES, fetchRow, graphRow, hybridRow, searchRow } from './search-rows.ts'

export const FUSIONS = ['rrf', 'dense_only', 'sparse_only'] as const
const FUSIONS_APPLIED = ['words', 'vectors', 'weighted'] as const
/** Ways to group rows, and amounts of detail. */
export const GROUPINGS = ['auto', 'file', 'none'] as const
export const DETAILS = ['compact', 'full'] as const
export const FILE_STATUSES = ['added', 'modified', 'removed', 'renamed'] as const
export const SORTS = ['relevance', 'updated_desc', 'created_desc'] as const

const count = described(z.int(), 'Number of rows in results.')

/** Fields of search and scan about how the request was interpreted. */
const understood = {
  sort: z.enum(SORTS),
  filters_unmatched: described(
    z.array(z.string()),
    'When nothing was found: the filters that match nothing in the whole index. Empty: no row matches the whole request.',
  ),
  resolved: described(
    z.record(z.string(), z.union([z.string(), z.array(z.string())])).exactOptional(),
    'Filters as they were interpreted, when that differs from the request.',
  ),
  suggestions: described(
    z.record(z.string(), z.array(z.string())).exactOptional(),
    'Similar values for filters that matched nothing.',
  ),
  warnings: texts,
}

export const hybridAnswer = z.object({
  count,
  mode: z.literal('search'),
  fusion: described(z.enum(FUSIONS).exactOptional(), 'As requested; compact answers omit rrf.'),
  fusion_applied: described(z.enum(FUSIONS_APPLIED), 'The method that ranked the rows.'),
  fusion_weight: z.number().exactOptional(),
  corrected: described(
    z.record(z.string(), z.string()).exactOptional(),
    'Words that no row in scope contains, with the similar word that was searched too.',
  ),
  dense_candidates: whole,
  sparse_candidates: whole,
  rerank_requested: yes,
  rerank_applied: z.boolean(),
  ...understood,
  truncated: described(yes, 'Something was omitted: rows were shortened for size, or more follow at next_cursor.'),
  results: z.array(hybridRow),
  graph_results: described(z.array(graphRow).exactOptional(), 'Rows linked with the results, without scores.'),
})

export const scanAnswer = z.object({
  count,
  mode: z.literal('scan'),
  ...understood,
  since: z.string(),
  until: text,
  truncated: z.boolean(),
  next_cursor: described(text, 'cursor of the next page; absent on the last page.'),
  results: z.array(searchRow),
})

export const fetchAnswer = z.object({
  count,
  mode: z.literal('fetch'),
  requested: described(z.int(), 'Number of distinct ids requested.'),
  content_source: z.literal('index'),
  content_max_chars: z.int(),
  not_found: described(z.array(z.string()), 'Ids that do not exist; search again to get new ones.'),
  warnings: texts,
  results: z.array(fetchRow),
})

/** Only the fields that rows of every mode have are required. */
const row = fetchRow.extend(graphRow.shape).extend(hybridRow.shape).partial().required({
  vector_id: true,
  type: true,
  repo: true,
  created_at: true,
})

export const searchOutput = fetchAnswer
  .extend(scanAnswer.shape)
  .extend(hybridAnswer.shape)
  .partial()
  .extend({
    count,
    mode: z.enum(['search', 'scan', 'fetch']),
    content_source: z.enum(CONTENT_SOURCES).exactOptional(),
    results: z.array(row),
  })

export type HybridAnswer = z.output<typeof hybridAnswer>
export type ScanAnswer = z.output<typeof scanAnswer>
export type FetchAnswer = z.output<typeof fetchAnswer>
export type SearchAnswer = HybridAnswer | ScanAnswer | FetchAnswer
