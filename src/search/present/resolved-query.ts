/** What an answer says about how the question was understood; short, whatever was asked. */
import { cutWithEllipsis } from '../../base/text-cut.ts'
import { MAX_READINGS } from '../../index/documents/reading-progress.ts'
import type { ReadingProgress } from '../../index/documents/reading-progress.ts'
import type { SearchRequest } from '../plan/request-filters.ts'

/** UTF-16 units shown of one value, and of all values of one filter. */
const MAX_VALUE_CHARS = 256
const MAX_LIST_CHARS = 3_000

/** Sources that a warning names, and units shown of what each is called. */
const MAX_NAMED = 3
const MAX_NAME_CHARS = 60

/**
 * Filters as they were understood, where that is not what the parameters say:
 * all that came out of the query, and the repository's present name.
 */
export function toResolved(
  asked: SearchRequest,
  name: string | undefined,
): { resolved?: Record<string, string | string[]> } {
  const resolved: Record<string, string | string[]> = {}
  for (const [filter, value] of Object.entries(asked.fromQuery)) {
    resolved[filter] = typeof value === 'string' ? oneLine(value, MAX_VALUE_CHARS) : shownList(value)
  }
  if (name !== undefined && name !== asked.repoAsTyped) resolved['repo'] = name
  return Object.keys(resolved).length === 0 ? {} : { resolved }
}

/** Warnings of the call, and one more while sources are still being read. */
export function toWarnings(warnings: readonly string[], readings: readonly ReadingProgress[]): { warnings?: string[] } {
  const all = [...warnings]
  if (readings.length > 0) all.push(`Still being read, so rows may be missing: ${shownReadings(readings)}.`)
  return all.length === 0 ? {} : { warnings: all }
}

function shownReadings(readings: readonly ReadingProgress[]): string {
  const parts = readings
    .slice(0, MAX_NAMED)
    .map(({ repo, source, done, total }) => `${repo} ${oneLine(source, MAX_NAME_CHARS)}: ${done} of ${total}`)
  const others = readings.length - parts.length
  if (others > 0) parts.push(`and ${readings.length < MAX_READINGS ? '' : 'at least '}${others} more`)
  return parts.join('; ')
}

function shownList(values: readonly string[]): string[] {
  let room = MAX_LIST_CHARS
  return values
    .map((value) => oneLine(value, MAX_VALUE_CHARS))
    .filter((value) => {
      room -= value.length
      return room >= 0
    })
}

/** Without line breaks and other controls, cut where it is too long. */
function oneLine(text: string, maxChars: number): string {
  const plain = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return cutWithEllipsis(plain, maxChars)
}
