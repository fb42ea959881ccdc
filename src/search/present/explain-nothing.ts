/**
 * The part of an answer without rows that says why: filters that select nothing
 * in the whole visible index, similar values that do, and what the index does not
 * hold yet. Read only when nothing was found.
 */
import { ok } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import type { ScopeState } from '../../index/documents/read-scope.ts'
import { probeFilters } from '../../index/filters/filter-probes.ts'
import type { SuggestedKind } from '../../index/filters/filter-probes.ts'
import type { Filters } from '../../index/filters/filters.ts'
import { foldName } from '../../index/filters/fold-name.ts'
import type { IndexReader } from '../../index/reader.ts'
import { MAX_SUGGESTED_CHARS, MAX_SUGGESTED_LABELS } from '../limits.ts'
import type { SearchRequest } from '../plan/request-filters.ts'
import { missingTypesWarning, requestedTypes } from './missing-types.ts'
import { similarValues } from './similar-values.ts'

export interface NothingFound {
  readonly filters_unmatched: string[]
  readonly suggestions?: Record<string, string[]>
}

/** Warnings about rows that the index does not hold yet. */
interface Hints {
  readonly hints: readonly string[]
}

/** One round trip, or none for a request without filters. */
export async function explainNothing(
  reader: IndexReader,
  request: SearchRequest,
  { name }: ScopeState,
): Promise<Result<NothingFound & Hints>> {
  const { scope, ownerAsTyped } = request
  const alone = eachAlone(request)
  const wanted = suggestibleValues(request, name)
  const types = requestedTypes(request)
  const filters = alone.map(([, filter]) => filter)
  const probed = await probeFilters(reader, scope, { filters, values: wanted, types })
  if (!probed.ok) return probed
  const { placeHasRows, selects, values, holds, holdsElsewhere } = probed.value
  const unmatched = new Set(alone.flatMap(([filter], at) => (selects[at] === false ? [filter] : [])))
  const hints: string[] = []
  if (!placeHasRows) {
    if (name !== undefined) hints.push(`${name} is known and waits to be read: nothing of it is stored yet.`)
  } else if (types.length > 0 && !holds.includes(true)) {
    hints.push(missingTypesWarning(types, name ?? ownerAsTyped?.owner, holdsElsewhere.includes(true)))
  }
  const names = placeHasRows ? [...unmatched] : [ownerAsTyped?.name ?? 'repo', ...unmatched]
  const suggestions: Record<string, string[]> = {}
  for (const [at, { kind, near }] of wanted.entries()) {
    if (!names.includes(kind)) continue
    const similar = similarValues(near, values[at] ?? []).filter(
      (one) => isOther(kind, one, near) && one.length <= MAX_SUGGESTED_CHARS,
    )
    if (similar.length > 0) suggestions[kind] = [...new Set([...(suggestions[kind] ?? []), ...similar])]
  }
  return ok({
    filters_unmatched: names,
    ...(Object.keys(suggestions).length > 0 && { suggestions }),
    hints,
  })
}

/** Names of filters that differ from those of their values. */
const NAMES: Readonly<Record<string, string>> = {
  pathPrefix: 'path_prefix',
  fileStatus: 'file_status',
  lacks: 'no',
  has: '-no',
}

/** Each filter alone, under the name of its parameter or qualifier. */
function eachAlone({ filters, windowNames }: SearchRequest): readonly (readonly [string, Filters])[] {
  const { window, otherWindow, not = [], commits, ...values } = filters
  const { clock, since, until } = window
  const shown = commits && { commits }
  const open = { ...shown, window: { clock } }
  const named = (selection: object) => Object.keys(selection).map((name) => NAMES[name] ?? name)
  const alone: (readonly [string, Filters])[] = Object.entries(values).map(([name, value]) => [
    NAMES[name] ?? name,
    { [name]: value, ...open },
  ])
  for (const selection of not) alone.push([`-${named(selection).join()}`, { not: [selection], ...open }])
  if (otherWindow) alone.push([otherWindow.clock, { ...open, otherWindow }])
  if (since !== undefined) alone.push([windowNames.since, { ...shown, window: { clock, since } }])
  if (until !== undefined) alone.push([windowNames.until, { ...shown, window: { clock, until } }])
  return alone
}

/** True for a value that selects other rows: letter case counts in milestones and tags only. */
function isOther(kind: SuggestedKind, one: string, value: string): boolean {
  return kind === 'milestone' || kind === 'release' ? one !== value : foldName(one) !== foldName(value)
}

/** The values of the request for which similar ones can be suggested. A repository that is known needs none. */
function suggestibleValues({ filters, repoAsTyped }: SearchRequest, repository: string | undefined) {
  const values: { kind: SuggestedKind; near: string }[] = []
  if (repoAsTyped !== undefined && repository === undefined) values.push({ kind: 'repo', near: repoAsTyped })
  for (const near of filters.labels?.slice(0, MAX_SUGGESTED_LABELS) ?? []) values.push({ kind: 'labels', near })
  for (const kind of ['assignee', 'author', 'milestone', 'release'] as const) {
    const near = filters[kind]
    if (near !== undefined) values.push({ kind, near })
  }
  return values
}
