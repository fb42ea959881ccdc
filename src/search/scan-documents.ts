/**
 * What happened lately: visible rows that pass the filters, newest first, page
 * by page. At most three round trips: where to start, the page, and, when it
 * is empty, why; or the texts of its rows.
 */
import { ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import { toTime } from '../base/time.ts'
import type { ScanAnswer } from '../contracts/tools/search-answers.ts'
import type { Index } from '../index/sql/index-database.ts'
import { unfinishedReadings } from '../index/documents/reading-progress.ts'
import { segmentsOf } from '../index/documents/read-bodies.ts'
import type { DocumentRow } from '../index/documents/read-documents.ts'
import { repositoryName } from '../index/documents/repository-in-scope.ts'
import { bestStart, newestTime, otherStarts, listPage } from '../index/documents/list-documents.ts'
import type { Start } from '../index/documents/list-documents.ts'
import { runQueries } from '../index/sql/sql.ts'
import { sizeOf, trimToFit } from './present/answer-budget.ts'
import { contentRanges, withContents } from './present/inline-content.ts'
import { writeCursor } from './plan/scan-cursor.ts'
import { explainNothing } from './present/explain-nothing.ts'
import type { ScanPlan } from './plan/plan.ts'
import { toListRow } from './present/present.ts'
import { toResolved, toWarnings } from './present/resolved-query.ts'

const SHORTENED = 'Some rows show only the first of their labels and assignees; vector_ids reads a row whole.'

export async function scanDocuments(index: Index, plan: ScanPlan): Promise<Result<ScanAnswer>> {
  const { scope, filters } = plan.request
  const start = await chooseStart(index, plan)
  if (!start.ok) return start
  const read = await runQueries(index, {
    // One row more than shown tells whether there is a next page.
    rows: listPage(scope, filters, start.value, { ...(plan.after && { after: plan.after }), limit: plan.topK + 1 }),
    name: repositoryName(scope),
    readings: unfinishedReadings(scope),
  })
  if (!read.ok) return read
  const { rows, name, readings } = read.value
  const resolved = toResolved(plan.request, name)
  if (rows.length > 0 || plan.after) {
    const warnings = toWarnings(plan.request.warnings, readings)
    return addContents(index, plan, toPage(plan, rows, { filters_unmatched: [], ...resolved, ...warnings }), rows)
  }

  const { since: _, ...unbounded } = filters.window
  const allTime = { ...filters, window: unbounded }
  const why = await explainNothing(index, asAsked(plan), newestTime(scope, allTime, start.value))
  if (!why.ok) return why
  const hint = plan.sinceIsDefault ? [sinceHint(plan, why.value.extra)] : []
  const warnings = toWarnings([...plan.request.warnings, ...hint], readings)
  return ok(toPage(plan, [], { ...why.value.found, ...resolved, ...warnings }))
}

async function addContents(
  index: Index,
  { includeContent }: ScanPlan,
  page: ScanAnswer,
  rows: readonly DocumentRow[],
): Promise<Result<ScanAnswer>> {
  const stretches = contentRanges(rows.slice(0, page.count))
  if (!includeContent || stretches.length === 0) return ok(page)
  const read = await runQueries(index, { segments: segmentsOf(stretches) })
  return read.ok ? ok(withContents(page, rows, read.value.segments)) : read
}

/** From the filter that selects fewest rows, where one could beat the clock. */
async function chooseStart(index: Index, { request: { scope, filters } }: ScanPlan): Promise<Result<Start>> {
  if (otherStarts(scope, filters).length === 0) return ok({ from: 'time' })
  const counted = await runQueries(index, { start: bestStart(scope, filters) })
  return counted.ok ? ok(counted.value.start) : counted
}

/** Without the default `since`, which nobody request for and which is no filter of theirs. */
function asAsked({ request, sinceIsDefault }: ScanPlan): ScanPlan['request'] {
  if (!sinceIsDefault) return request
  const { since: _, ...window } = request.filters.window
  return { ...request, filters: { ...request.filters, window } }
}

function sinceHint({ since, request }: ScanPlan, newest: number | undefined): string {
  if (newest === undefined) {
    return isFiltered(request)
      ? 'No visible row passes these filters, whatever its time.'
      : 'The index holds no row that you may see.'
  }
  return `Nothing since ${toTime(since)}; the newest row is of ${toTime(newest)}: since ${toTime(newest)} would show it.`
}

/** True where anything but the time narrows the rows. */
function isFiltered({ scope, filters: { window, ...others } }: ScanPlan['request']): boolean {
  return scope.repository !== undefined || window.until !== undefined || Object.keys(others).length > 0
}

/** The page with what is told about it; rows that do not fit come on the next one. */
function toPage(
  plan: ScanPlan,
  rows: readonly DocumentRow[],
  told: Pick<ScanAnswer, 'filters_unmatched' | 'resolved' | 'suggestions' | 'warnings'>,
): ScanAnswer {
  const { until, clock } = plan.request.filters.window
  const empty: ScanAnswer = {
    count: 0,
    mode: 'scan',
    sort: plan.sort,
    since: toTime(plan.since),
    ...(until !== undefined && { until: toTime(until) }),
    truncated: false,
    ...told,
    results: [],
  }
  const shown = rows.slice(0, plan.topK)
  const { rows: results, shortened } = trimToFit(shown.map(toListRow), sizeOf(empty))
  const last = shown[results.length - 1]
  const page = {
    ...empty,
    count: results.length,
    ...(shortened && { warnings: [...(empty.warnings ?? []), SHORTENED] }),
    results: [...results],
  }
  if (!last || results.length === rows.length) return page
  const time = clock === 'created' ? last.createdAt : last.updatedAt
  const next = writeCursor({ since: plan.since, time, vectorId: last.vectorId }, plan.scan)
  return { ...page, truncated: true, next_cursor: next }
}
