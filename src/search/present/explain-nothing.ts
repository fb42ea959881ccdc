/**
 * The part of an answer without rows that says why: filters that select nothing
 * in the whole visible index, and similar values that do. Read only when nothing
 * was found.
 */
import { ok } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import { probeFilters } from '../../index/filters/filter-probes.ts'
import type { SuggestedKind } from '../../index/filters/filter-probes.ts'
import { foldName } from '../../index/filters/filter-tokens.ts'
import type { Filters } from '../../index/filters/filters.ts'
import type { IndexReader } from '../../index/reader.ts'
import { MAX_SUGGESTED_CHARS, MAX_SUGGESTED_LABELS } from '../limits.ts'
import type { SearchRequest } from '../plan/request-filters.ts'
import { similarValues } from './similar-values.ts'

export interface NothingFound {
  readonly filters_unmatched: string[]
  readonly suggestions?: Record<string, string[]>
}

/** One round trip, or none for a request without filters. */
export async function explainNothing(reader: IndexReader, request: SearchRequest): Promise<Result<NothingFound>> {
  const { scope, filters } = request
  const alone = eachAlone(filters)
  const wanted = suggestibleValues(request)
  const probed = await probeFilters(reader, scope, { filters: alone.map(([, filter]) => filter), values: wanted })
  if (!probed.ok) return probed
  const { repositoryHasRows, selects, values } = probed.value
  const unmatched = alone.flatMap(([name], at) => (selects[at] === false ? [name] : []))
  if (!repositoryHasRows) unmatched.unshift('repo')
  const suggestions: Record<string, string[]> = {}
  for (const [at, { kind, near }] of wanted.entries()) {
    if (!unmatched.includes(kind)) continue
    const similar = similarValues(near, values[at] ?? []).filter(
      (one) => isOther(kind, one, near) && one.length <= MAX_SUGGESTED_CHARS,
    )
    if (similar.length > 0) suggestions[kind] = [...new Set([...(suggestions[kind] ?? []), ...similar])]
  }
  return ok({ filters_unmatched: unmatched, ...(Object.keys(suggestions).length > 0 && { suggestions }) })
}

/** The parameters of filters that have another name. */
const PARAMETERS: Readonly<Record<string, string>> = { pathPrefix: 'path_prefix', fileStatus: 'file_status' }

/** Each filter alone, under the name of its parameter. */
function eachAlone(filters: Filters): readonly (readonly [string, Filters])[] {
  const { window, commits, ...others } = filters
  const none: Filters = { ...(commits && { commits }), window: { clock: window.clock } }
  const alone: (readonly [string, Filters])[] = Object.entries(others).map(([name, value]) => [
    PARAMETERS[name] ?? name,
    { ...none, [name]: value },
  ])
  for (const end of ['since', 'until'] as const) {
    const time = window[end]
    if (time !== undefined) alone.push([end, { ...none, window: { ...none.window, [end]: time } }])
  }
  return alone
}

/** True for a value that selects other rows: letter case counts in milestones and tags only. */
function isOther(kind: SuggestedKind, one: string, value: string): boolean {
  return kind === 'milestone' || kind === 'release' ? one !== value : foldName(one) !== foldName(value)
}

/** The values of the request for which similar ones can be suggested. */
function suggestibleValues({ filters, repoAsTyped }: SearchRequest) {
  const values: { kind: SuggestedKind; near: string }[] = []
  if (repoAsTyped !== undefined) values.push({ kind: 'repo', near: repoAsTyped })
  for (const near of filters.labels?.slice(0, MAX_SUGGESTED_LABELS) ?? []) values.push({ kind: 'labels', near })
  for (const kind of ['assignee', 'author', 'milestone', 'release'] as const) {
    const near = filters[kind]
    if (near !== undefined) values.push({ kind, near })
  }
  return values
}
