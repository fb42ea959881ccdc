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
import type { Filters } from '../../index/filters/filters.ts'
import { parseRepository } from '../../index/filters/repository-reference.ts'
import type { Scope } from '../../index/filters/visibility.ts'
import type { NamedFilters, QualifiedQuery } from './qualifiers.ts'

/** Scope and filters of a call, and what its answer reports about them. */
export interface SearchRequest {
  readonly scope: Scope
  readonly filters: Filters
  /** The repository as the caller typed it. */
  readonly repoAsTyped?: string
  /** Filters that came out of the query, by parameter, for `resolved`. */
  readonly fromQuery: Readonly<Record<string, string | string[]>>
  readonly warnings: readonly string[]
}

/** The named filters while they are collected. */
type Wanted = { -readonly [K in keyof NamedFilters]: NamedFilters[K] }

export function toRequest(viewer: Viewer, args: SearchArguments, qualified: QualifiedQuery): Result<SearchRequest> {
  const { wanted, fromQuery, warnings } = merge(namedByParameters(args), qualified)
  const repository = wanted.repo === undefined ? undefined : parseRepository(wanted.repo)
  if (wanted.repo !== undefined && !repository) {
    return refuse(invalid('repo', 'names no repository', 'Accepted are owner/name, a github.com URL, or a bare name.'))
  }
  const window = readWindow(args)
  if (!window.ok) return window
  const { since, until } = window.value
  if (since !== undefined && until !== undefined && since >= until) {
    warnings.push('since is not before until, so the window between them is empty.')
  }
  const release = args.release?.trim()
  const { repo, labels, path_prefix: path, ...same } = wanted
  const pathPrefix = path
    ?.split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
  return ok({
    scope: repository ? { viewer, repository } : { viewer },
    filters: {
      ...same,
      ...(labels && { labels: [...new Set(labels)] }),
      ...(pathPrefix !== undefined && { pathPrefix }),
      ...(args.file_status && { fileStatus: args.file_status }),
      ...(release && { release }),
      commits: args.group === 'auto' ? 'whole' : 'files',
      window: window.value,
    },
    ...(repo !== undefined && { repoAsTyped: repo }),
    fromQuery,
    warnings,
  })
}

function namedByParameters(args: SearchArguments): Wanted {
  const { type, state } = args
  const labels = (args.labels ?? []).map((label) => label.trim()).filter((label) => label !== '')
  const texts = { repo: args.repo, author: args.author, assignee: args.assignee, milestone: args.milestone }
  const wanted: Wanted = {
    ...(type !== 'all' && { type }),
    ...(state !== 'all' && { state }),
    ...(labels.length > 0 && { labels }),
    ...(args.path_prefix && { path_prefix: args.path_prefix }),
  }
  for (const [name, value] of Object.entries(texts)) {
    const trimmed = value?.trim()
    if (trimmed) Object.assign(wanted, { [name]: trimmed })
  }
  return wanted
}

function merge(parameters: Wanted, { named, contradicted }: QualifiedQuery) {
  const warnings = contradicted.map((name) => `The query names ${name} twice; the last one counts.`)
  const fromQuery: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(named)) {
    const parameter = parameters[name as keyof NamedFilters]
    if (parameter === undefined) fromQuery[name] = Array.isArray(value) ? value : String(value)
    else if (String(parameter).toLowerCase() !== String(value).toLowerCase()) {
      warnings.push(`${name}: the parameter counts, not what the query says.`)
    }
  }
  return { wanted: { ...named, ...parameters }, fromQuery, warnings }
}

function readWindow(args: SearchArguments): Result<Filters['window']> {
  const window: { clock: 'created' | 'updated'; since?: number; until?: number } = {
    clock: args.sort === 'created_desc' ? 'created' : 'updated',
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
