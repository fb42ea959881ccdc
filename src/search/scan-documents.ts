/**
 * Scan: visible rows that pass the filters, newest first, page by page. At most
 * three round trips: where to start, the page, and then the probes of an empty
 * page or the texts of its rows.
 */
import { ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import { toTime } from '../base/time.ts'
import type { SearchRow } from '../contracts/tools/search-rows.ts'
import type { ScanAnswer } from '../contracts/tools/search-answers.ts'
import { listDocuments, readNewestTime } from '../index/documents/list-documents.ts'
import type { ListedPage } from '../index/documents/list-documents.ts'
import { readHeads } from '../index/documents/read-bodies.ts'
import type { DocumentRow } from '../index/documents/read-documents.ts'
import { readScope } from '../index/documents/read-scope.ts'
import type { ScopeState } from '../index/documents/read-scope.ts'
import type { IndexReader } from '../index/reader.ts'
import type { ScanPlan } from './plan/plan.ts'
import { writeCursor } from './plan/scan-cursor.ts'
import { sizeOf, trimToFit } from './present/answer-budget.ts'
import { explainNothing } from './present/explain-nothing.ts'
import type { NothingFound } from './present/explain-nothing.ts'
import { contentDocuments, CONTENT_ANSWER_CHARS, withContents } from './present/inline-content.ts'
import { toRow } from './present/commit-row.ts'
import { mostFiles, rowDetail, withDetail } from './present/row-detail.ts'
import { toResolved, toWarnings } from './present/resolved-query.ts'

const SHORTENED = 'Some rows show only the first of their labels and assignees; vector_ids reads a row whole.'

export async function scanDocuments(reader: IndexReader, plan: ScanPlan): Promise<Result<ScanAnswer>> {
  const { scope, filters } = plan.request
  // One row more than the page shows is read: it shows that there is a next page.
  const page = { ...(plan.after && { after: plan.after }), limit: plan.topK + 1, files: mostFiles(plan) }
  const [listed, state] = await reader.together(
    (part) => listDocuments(part, scope, filters, page),
    (part) => readScope(part, scope),
  )
  if (!listed.ok) return listed
  if (!state.ok) return state
  const { rows } = listed.value
  const resolved = toResolved(plan.request, state.value.name)
  if (rows.length > 0 || plan.after) {
    const warnings = toWarnings(plan.request.warnings, state.value)
    return addContents(reader, plan, toPage(plan, rows, { filters_unmatched: [], ...resolved, ...warnings }), rows)
  }

  const why = await explainEmptyPage(reader, plan, listed.value, state.value)
  if (!why.ok) return why
  const { hints, ...nothing } = why.value
  const warnings = toWarnings([...plan.request.warnings, ...hints], state.value)
  return ok(toPage(plan, [], { ...nothing, ...resolved, ...warnings }))
}

async function addContents(
  reader: IndexReader,
  { includeContent }: ScanPlan,
  page: ScanAnswer,
  rows: readonly DocumentRow[],
): Promise<Result<ScanAnswer>> {
  const shown = rows.slice(0, page.count)
  const wanted = includeContent ? contentDocuments(shown) : []
  if (wanted.length === 0) return ok(page)
  const heads = await readHeads(reader, wanted, CONTENT_ANSWER_CHARS)
  return heads.ok ? ok(withContents(page, new Map(shown.map((row) => [row.document, row])), heads.value)) : heads
}

/** One round trip. `hints` are warnings, also about a default `since`. */
async function explainEmptyPage(
  reader: IndexReader,
  plan: ScanPlan,
  { start }: ListedPage,
  state: ScopeState,
): Promise<Result<NothingFound & { readonly hints: readonly string[] }>> {
  const { scope, filters } = plan.request
  const { since: _, ...window } = filters.window
  const [why, newest] = await reader.together(
    (part) => explainNothing(part, withoutDefaultSince(plan), state),
    async (part) => (plan.sinceIsDefault ? readNewestTime(part, scope, { ...filters, window }, start) : ok(undefined)),
  )
  if (!why.ok) return why
  if (!newest.ok) return newest
  const hints = [...(plan.sinceIsDefault ? [sinceHint(plan, newest.value)] : []), ...why.value.hints]
  return ok({ ...why.value, hints })
}

/** Without a default `since`, which is not a filter of the caller. */
function withoutDefaultSince({ request, sinceIsDefault }: ScanPlan): ScanPlan['request'] {
  if (!sinceIsDefault) return request
  const { since: _, ...window } = request.filters.window
  return { ...request, filters: { ...request.filters, window } }
}

function sinceHint({ since, request }: ScanPlan, newest: number | undefined): string {
  if (newest === undefined) {
    return isFiltered(request)
      ? 'No visible row of any time passes these filters.'
      : 'The index holds no row that you may see.'
  }
  return `Nothing since ${toTime(since)}; the newest row is of ${toTime(newest)}: since ${toTime(newest)} would show it.`
}

/** True where the request has a filter other than `since`. */
function isFiltered({ scope, filters: { window, commits: _commits, ...others } }: ScanPlan['request']): boolean {
  const { viewer: _, ...place } = scope
  return window.until !== undefined || Object.keys({ ...place, ...others }).length > 0
}

/** The page with what it reports; rows that do not fit are on the next one. */
function toPage(
  plan: ScanPlan,
  rows: readonly DocumentRow[],
  reported: Pick<ScanAnswer, 'filters_unmatched' | 'resolved' | 'suggestions' | 'warnings'>,
): ScanAnswer {
  const { until, clock } = plan.request.filters.window
  const empty: ScanAnswer = {
    count: 0,
    mode: 'scan',
    sort: plan.sort,
    since: toTime(plan.since),
    ...(until !== undefined && { until: toTime(until) }),
    truncated: false,
    ...reported,
    results: [],
  }
  const shown = rows.slice(0, plan.topK)
  const { rows: results, shortened } = trimToFit(
    shown.map((row, at) => toShownRow(plan, row, at)),
    sizeOf(empty),
  )
  const last = shown[results.length - 1]
  const page = {
    ...empty,
    count: results.length,
    ...(shortened && { warnings: [...(empty.warnings ?? []), SHORTENED] }),
    results: [...results],
  }
  if (!last || results.length === rows.length) return page
  const time = clock === 'created' ? last.createdAt : last.updatedAt
  const next = writeCursor({ since: plan.since, time, vectorId: last.vectorId }, plan.boundTo)
  return { ...page, truncated: true, next_cursor: next }
}

function toShownRow(plan: ScanPlan, row: DocumentRow, at: number): SearchRow {
  const detail = rowDetail(plan, at)
  return withDetail(toRow(row, plan.request.filters, detail.files), detail)
}
