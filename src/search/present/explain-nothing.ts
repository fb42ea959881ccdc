/**
 * What an answer without rows says: which filters select nothing in the whole
 * visible index, and values near them that do. Asked only when nothing was
 * found, in one round trip.
 */
import { ok } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import type { Index } from '../../index/sql/index-database.ts'
import { foldName } from '../../index/filters/filter-tokens.ts'
import type { Filters } from '../../index/filters/filters.ts'
import { repositoryHasRows, selectsSomething, visibleValues } from '../../index/filters/filter-probes.ts'
import type { SuggestedKind } from '../../index/filters/filter-probes.ts'
import { runQueries } from '../../index/sql/sql.ts'
import type { Query } from '../../index/sql/sql.ts'
import type { SearchRequest } from '../plan/request-filters.ts'
import { nearest } from './similar-values.ts'

/** Labels that near ones are looked for. */
const MAX_LABELS = 3
/** Longer values are no names anybody types; UTF-16 units. */
const MAX_SUGGESTED_CHARS = 256

export interface NothingFound {
  readonly filters_unmatched: string[]
  readonly suggestions?: Record<string, string[]>
}

/** `extra` is read in the same round trip. */
export async function explainNothing<T>(
  index: Index,
  asked: SearchRequest,
  extra: Query<T>,
): Promise<Result<{ readonly found: NothingFound; readonly extra: T }>> {
  const { scope, filters } = asked
  const everywhere = { viewer: scope.viewer }
  const probes: (readonly [string, Query<boolean>])[] = eachAlone(filters).map(([name, alone]) => [
    name,
    selectsSomething(everywhere, alone),
  ])
  if (scope.repository) probes.unshift(['repo', repositoryHasRows(scope)])
  const wanted = wantedValues(asked)

  const read = await runQueries(index, {
    probes: probes.map(([, probe]) => probe),
    values: wanted.map(([kind, value]) => visibleValues(everywhere, kind, value)),
    extra,
  })
  if (!read.ok) return read
  const unmatched = probes.flatMap(([name], at) => (read.value.probes[at] === false ? [name] : []))
  const suggestions: Record<string, string[]> = {}
  for (const [at, [kind, value]] of wanted.entries()) {
    if (!unmatched.includes(kind)) continue
    const near = nearest(value, read.value.values[at] ?? []).filter(
      (one) => isOther(kind, one, value) && one.length <= MAX_SUGGESTED_CHARS,
    )
    if (near.length > 0) suggestions[kind] = [...new Set([...(suggestions[kind] ?? []), ...near])]
  }
  const found: NothingFound = {
    filters_unmatched: unmatched,
    ...(Object.keys(suggestions).length > 0 && { suggestions }),
  }
  return ok({ found, extra: read.value.extra as T })
}

/** Every filter by itself, under the name of its parameter. */
function eachAlone(filters: Filters): readonly (readonly [string, Filters])[] {
  const { window, pathPrefix, ...others } = filters
  const { clock } = window
  const alone: (readonly [string, Filters])[] = Object.entries(others).map(([name, value]) => [
    name,
    { [name]: value, window: { clock } },
  ])
  if (pathPrefix !== undefined) alone.push(['path_prefix', { pathPrefix, window: { clock } }])
  if (window.since !== undefined) alone.push(['since', { window: { clock, since: window.since } }])
  if (window.until !== undefined) alone.push(['until', { window: { clock, until: window.until } }])
  return alone
}

/** A value that would select something else: letter case counts in milestones only. */
function isOther(kind: SuggestedKind, one: string, value: string): boolean {
  return kind === 'milestone' ? one !== value : foldName(one) !== foldName(value)
}

function wantedValues({ filters, repoAsTyped }: SearchRequest): readonly (readonly [SuggestedKind, string])[] {
  const wanted: (readonly [SuggestedKind, string])[] = []
  if (repoAsTyped !== undefined) wanted.push(['repo', repoAsTyped])
  for (const label of filters.labels?.slice(0, MAX_LABELS) ?? []) wanted.push(['labels', label])
  for (const kind of ['assignee', 'author', 'milestone'] as const) {
    const value = filters[kind]
    if (value !== undefined) wanted.push([kind, value])
  }
  return wanted
}
