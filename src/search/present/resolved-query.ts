/**
 * The parts of an answer that report how the request was understood and whether
 * rows may be missing. Their size is bounded for any request.
 */
import { cutWithEllipsis } from '../../base/text-cut.ts'
import type { ScopeState } from '../../index/documents/read-scope.ts'
import { MAX_NAMED_SOURCES, MAX_RESOLVED_CHARS, MAX_RESOLVED_LIST_CHARS, MAX_SOURCE_NAME_CHARS } from '../limits.ts'
import type { SearchRequest } from '../plan/request-filters.ts'

/**
 * Filters as they were understood, where that differs from the parameters: all
 * that came out of the query, and the present name of the repository.
 */
export function toResolved(
  request: SearchRequest,
  name: string | undefined,
): { resolved?: Record<string, string | string[]> } {
  const resolved: Record<string, string | string[]> = {}
  for (const [filter, value] of Object.entries(request.fromQuery)) {
    resolved[filter] = typeof value === 'string' ? oneLine(value, MAX_RESOLVED_CHARS) : shownList(value)
  }
  if (name !== undefined && name !== request.repoAsTyped) resolved['repo'] = name
  return Object.keys(resolved).length === 0 ? {} : { resolved }
}

/** Warnings of the call, and one more while sources are not read to their end: by a running import, or by one that stopped, or from GitHub for the first time. */
export function toWarnings(warnings: readonly string[], state: ScopeState): { warnings?: string[] } {
  const all = [...warnings]
  if (state.unfinished.length > 0) all.push(`Not read to the end, so rows may be missing: ${shownSources(state)}.`)
  return all.length === 0 ? {} : { warnings: all }
}

function shownSources({ unfinished, mayBeMore }: ScopeState): string {
  const parts = unfinished.slice(0, MAX_NAMED_SOURCES).map(({ repo, source, done, total }) => {
    const name = `${repo} ${oneLine(source, MAX_SOURCE_NAME_CHARS)}`
    return total === null ? name : `${name}: ${done ?? 0} of ${total}`
  })
  const others = unfinished.length - parts.length
  if (others > 0) parts.push(`and ${mayBeMore ? 'at least ' : ''}${others} more`)
  return parts.join('; ')
}

function shownList(values: readonly string[]): string[] {
  let left = MAX_RESOLVED_LIST_CHARS
  return values
    .map((value) => oneLine(value, MAX_RESOLVED_CHARS))
    .filter((value) => {
      left -= value.length
      return left >= 0
    })
}

/** Without line breaks and other controls, cut where it is too long. */
function oneLine(text: string, maxChars: number): string {
  const plain = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return cutWithEllipsis(plain, maxChars)
}
