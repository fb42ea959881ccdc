/**
 * Combines the parameters of a call and the qualifiers of its query into one
 * scope and one set of filters. A parameter wins over a qualifier of the same
 * kind, and a warning says so.
 */
import type { Viewer } from '../../access/viewer.ts'
import { invalid } from '../../base/failure.ts'
import { ok, refuse } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import { ACCEPTED_TIMES, parseTime } from '../../base/time.ts'
import type { SearchArguments } from '../../contracts/tools/search.ts'
import type { Selection } from '../../index/filters/filter-forms.ts'
import type { Filters } from '../../index/filters/filters.ts'
import { excludedName, parseRepository } from '../../index/filters/repository-reference.ts'
import type { TimeWindow } from '../../index/filters/time-tokens.ts'
import type { Scope } from '../../index/filters/visibility.ts'
import type { NamedFilters } from './qualifier-readers.ts'
import type { QualifiedQuery } from './qualifiers.ts'

/** Scope and filters of a call, and what its answer reports about them. */
export interface SearchRequest {
  readonly scope: Scope
  readonly filters: Filters
  readonly sort?: NamedFilters['sort']
  /** The repository, or the owner of repositories, as the caller typed it. */
  readonly repoAsTyped?: string
  readonly ownerAsTyped?: { readonly name: 'user' | 'org'; readonly owner: string }
  /** The names of the ends of the window: of a parameter or of a qualifier. */
  readonly windowNames: { readonly since: string; readonly until: string }
  /** Filters that came out of the query, by parameter, for `resolved`. */
  readonly fromQuery: Readonly<Record<string, string | string[]>>
  readonly warnings: readonly string[]
}

/** The named filters while they are collected. */
type Wanted = { -readonly [K in keyof NamedFilters]: NamedFilters[K] }

export function toRequest(viewer: Viewer, args: SearchArguments, qualified: QualifiedQuery): Result<SearchRequest> {
  const warnings = [...qualified.warnings]
  const wanted = merge(namedByParameters(args), qualified.named, warnings)
  const repository = wanted.repo === undefined ? undefined : parseRepository(wanted.repo)
  if (wanted.repo !== undefined && !repository) {
    return refuse(invalid('repo', 'names no repository', 'Accepted are owner/name, a github.com URL, or a bare name.'))
  }
  const window = readWindow(args, wanted.sort)
  if (!window.ok) return window
  const windows = addRanges(window.value, wanted, warnings)
  const owner = takeOwner(wanted, warnings)
  const except = qualified.excluded.flatMap(({ repo, user, org }) => {
    const excluded = excludedName(repo, user ?? org)
    return excluded === undefined ? [] : [excluded]
  })
  const isWhole = args.group === 'auto'
  const not = qualified.excluded
    .map(toSelection)
    .map((selection) => withTypes(selection, isWhole, 'commits'))
    .filter((selection) => Object.keys(selection).length > 0)
  const onCommits = { fileStatus: args.file_status, release: args.release?.trim() || undefined }
  const repo = wanted.repo
  return ok({
    scope: {
      viewer,
      ...(repository && { repository }),
      ...(owner && { owner: owner.owner }),
      ...(except.length > 0 && { except }),
    },
    filters: {
      ...withTypes({ ...toSelection(wanted), ...withoutAbsent(onCommits) }, isWhole, 'changes'),
      ...(not.length > 0 && { not }),
      commits: isWhole ? 'whole' : 'files',
      ...windows.filters,
    },
    ...(wanted.sort && { sort: wanted.sort }),
    ...(repo !== undefined && { repoAsTyped: repo }),
    ...(owner && { ownerAsTyped: owner }),
    windowNames: windows.names,
    fromQuery: { ...shown(qualified.named, wanted), ...shownExclusions(qualified.excluded) },
    warnings,
  })
}

function namedByParameters(args: SearchArguments): Wanted {
  const { type, state, sort } = args
  const labels = (args.labels ?? []).map((label) => label.trim()).filter((label) => label !== '')
  const texts = { repo: args.repo, author: args.author, assignee: args.assignee, milestone: args.milestone }
  const wanted: Wanted = {
    ...(type !== 'all' && { type }),
    ...(state !== 'all' && { state }),
    ...(labels.length > 0 && { labels }),
    ...(args.path_prefix && { path_prefix: args.path_prefix }),
    ...(sort && { sort }),
  }
  for (const [name, value] of Object.entries(texts)) {
    const trimmed = value?.trim()
    if (trimmed) Object.assign(wanted, { [name]: trimmed })
  }
  return wanted
}

/** The filters that count. A warning names each qualifier that a parameter overrules. */
function merge(parameters: Wanted, named: NamedFilters, warnings: string[]): Wanted {
  for (const [name, value] of Object.entries(named)) {
    const parameter = parameters[name as keyof NamedFilters]
    if (parameter !== undefined && String(parameter).toLowerCase() !== String(value).toLowerCase()) {
      warnings.push(`${name}: the parameter counts, not what the query says.`)
    }
  }
  return { ...named, ...parameters }
}

/** An owner narrows the repositories only where no repository is named. */
function takeOwner(wanted: Wanted, warnings: string[]): SearchRequest['ownerAsTyped'] {
  const { user, org = user, repo } = wanted
  if (org === undefined) return undefined
  if (repo === undefined && (user === undefined || user === org)) {
    return { name: wanted.org === undefined ? 'user' : 'org', owner: org }
  }
  const counts = repo === undefined ? 'org' : 'repo'
  for (const name of ['user', 'org'] as const) {
    if (wanted[name] === undefined || name === counts) continue
    warnings.push(`${name}: ${counts} counts, which names other repositories or fewer.`)
    delete wanted[name]
  }
  return repo === undefined ? { name: 'org', owner: org } : undefined
}

function toSelection(wanted: NamedFilters): Selection {
  const { labels, path_prefix: path, no, has, type, state, merged, draft, author, assignee, milestone } = wanted
  const pathPrefix = path
    ?.split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
  return withoutAbsent({
    type,
    state,
    merged,
    draft,
    author,
    assignee,
    milestone,
    labels: labels && [...new Set(labels)],
    pathPrefix,
    lacks: no,
    has,
  })
}

/** Where commits are shown whole, the type of commits and that of diffs select both. `ofDiffs` is the latter. */
function withTypes(selection: Selection, isWhole: boolean, ofDiffs: 'changes' | 'commits'): Selection {
  const { type } = selection
  if (!isWhole || (type !== 'commit' && type !== 'diff')) return selection
  return { ...selection, type: type === 'commit' ? 'commits' : ofDiffs }
}

function withoutAbsent(values: { readonly [Name in keyof Selection]: Selection[Name] | undefined }): Selection {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

/** The window of the parameters, on the clock of the order. */
function readWindow(args: SearchArguments, sort: NamedFilters['sort']): Result<TimeWindow> {
  const window: { clock: 'created' | 'updated'; since?: number; until?: number } = {
    clock: sort === 'created_desc' ? 'created' : 'updated',
  }
  for (const edge of ['since', 'until'] as const) {
    const text = args[edge]
    if (text === undefined) continue
    const time = parseTime(text)
    if (time === undefined) return refuse(invalid(edge, `accepted is ${ACCEPTED_TIMES}`))
    window[edge] = time
  }
  return ok(window)
}

/**
 * The ranges of `created:` and `updated:`: that of the window's clock gives the
 * ends that no parameter gives, the other is a window of its own. An end that a
 * parameter overrules is taken out of `wanted`.
 */
function addRanges(window: TimeWindow, wanted: Wanted, warnings: string[]) {
  const { clock } = window
  const other = clock === 'created' ? 'updated' : 'created'
  const { since, until } = wanted[clock] ?? {}
  const names = { since: 'since', until: 'until' }
  const merged: { clock: typeof clock; since?: number; until?: number } = { ...window }
  for (const [edge, time] of Object.entries({ since, until }) as ['since' | 'until', number | undefined][]) {
    if (time === undefined) continue
    if (window[edge] === undefined) {
      merged[edge] = time
      names[edge] = clock
    } else warnings.push(`${clock}: the parameter ${edge} counts, not what the query says.`)
  }
  if (names.since !== clock && names.until !== clock) delete wanted[clock]
  const range = wanted[other]
  const otherWindow = range && {
    clock: other,
    ...(range.since !== undefined && { since: range.since }),
    ...(range.until !== undefined && { until: range.until }),
  }
  if (isEmpty(merged)) {
    warnings.push(`${names.since} is not before ${names.until}, so the window between them is empty.`)
  }
  if (otherWindow && isEmpty(otherWindow)) warnings.push(`${other}: the range is empty.`)
  return { filters: { window: merged, ...(otherWindow && { otherWindow }) } as Filters, names }
}

function isEmpty({ since, until }: Pick<TimeWindow, 'since' | 'until'>): boolean {
  return since !== undefined && until !== undefined && since >= until
}

/** The qualifiers that count, as they were typed. */
function shown(named: NamedFilters, wanted: Wanted): Record<string, string | string[]> {
  const counted = Object.entries(named).filter(([name, value]) => wanted[name as keyof NamedFilters] === value)
  return Object.fromEntries(counted.map(([name, value]) => [name === 'has' ? '-no' : name, toShown(value)]))
}

/** Excluded values by name, each with a `-` before it. */
function shownExclusions(excluded: readonly NamedFilters[]): Record<string, string[]> {
  const lists: Record<string, string[]> = {}
  for (const [name, value] of excluded.flatMap(Object.entries)) {
    lists[`-${name}`] = [...(lists[`-${name}`] ?? []), ...[toShown(value)].flat()]
  }
  return lists
}

function toShown(value: NamedFilters[keyof NamedFilters]): string | string[] {
  if (typeof value === 'object') return 'text' in value ? value.text : [...value]
  return String(value)
}
