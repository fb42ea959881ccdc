/**
 * Ranges of time in GitHub's notation: `>2026-01-31`, `>=`, `<`, `<=`, `a..b`
 * with `*` for an open end, or a date alone. A date is its whole day in UTC, so
 * `>` begins after it and `a..b` includes both days.
 */
import { parseTime } from '../../base/time.ts'

/** Half open, `[since, until)`, in milliseconds UTC, with at least one end. */
export interface TimeRange {
  readonly since?: number
  readonly until?: number
  /** As the caller typed it. */
  readonly text: string
}

export const ACCEPTED_RANGES = '>2026-01-31, >=, <, <=, 2026-01-01..2026-01-31 or a date alone'

/** Undefined for text that is not such a range. */
export function parseTimeRange(text: string): TimeRange | undefined {
  const [, comparison, one = ''] = /^(>=?|<=?)(.+)$/u.exec(text) ?? []
  const [from, to, ...more] = comparison ? [] : text.split('..')
  if (from !== undefined && to !== undefined) return more.length > 0 ? undefined : between(from, to, text)
  const point = readPoint(comparison ? one : text)
  if (!point) return undefined
  switch (comparison) {
    case '>':
      return { since: point.end, text }
    case '>=':
      return { since: point.start, text }
    case '<':
      return { until: point.start, text }
    case '<=':
      return { until: point.end, text }
    default:
      return { since: point.start, until: point.end, text }
  }
}

/** The times outside of a range; undefined for a range with two ends, which leaves two ranges. */
export function outsideOf({ since, until, text }: TimeRange): TimeRange | undefined {
  if (since !== undefined && until !== undefined) return undefined
  return { ...(until === undefined ? {} : { since: until }), ...(since === undefined ? {} : { until: since }), text }
}

/** The times in both ranges. */
export function overlapOf(one: TimeRange, other: TimeRange): TimeRange {
  const since = Math.max(one.since ?? -Infinity, other.since ?? -Infinity)
  const until = Math.min(one.until ?? Infinity, other.until ?? Infinity)
  return {
    ...(since > -Infinity && { since }),
    ...(until < Infinity && { until }),
    text: `${one.text} ${other.text}`,
  }
}

function between(from: string, to: string, text: string): TimeRange | undefined {
  const [first, last] = [readPoint(from), readPoint(to)]
  if ((!first && from !== '*') || (!last && to !== '*') || (!first && !last)) return undefined
  return { ...(first && { since: first.start }), ...(last && { until: last.end }), text }
}

const DAY_MS = 86_400_000

/** A date as its whole day, a date-time as its millisecond. */
function readPoint(text: string): { readonly start: number; readonly end: number } | undefined {
  const start = parseTime(text)
  return start === undefined ? undefined : { start, end: start + (/T/i.test(text) ? 1 : DAY_MS) }
}
