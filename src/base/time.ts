/**
 * Times are integers: milliseconds since 1970-01-01T00:00:00Z. Converts them to and
 * from RFC 3339 text. Never reads a clock.
 */

/** RFC 3339 covers the years 0000 to 9999. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** The input of `parseTime`, in words for an error message. */
export const ACCEPTED_TIMES =
  'an RFC 3339 date-time such as 2026-11-30T09:00:00Z or 2026-11-30T18:00:00+09:00, or a date such as 2026-11-30 (midnight UTC)'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:([Zz])|([+-])(\d{2}):?(\d{2}))$/

/**
 * Reads a date (UTC midnight) or an RFC 3339 date-time with any offset,
 * `+0900` included. Fractions beyond milliseconds are dropped. Anything else,
 * impossible dates and years beyond 0000 to 9999 in UTC included, is undefined.
 */
export function parseTime(text: string): number | undefined {
  const date = DATE.exec(text)
  if (date) return utcMs(date, 0, 0, 0, 0)
  const full = DATE_TIME.exec(text)
  if (!full) return undefined
  const [hours, minutes, seconds] = [Number(full[4]), Number(full[5]), Number(full[6])]
  // RFC 3339 allows a leap second; it counts as the last second of its minute.
  if (hours > 23 || minutes > 59 || seconds > 60) return undefined
  const offsetHours = Number(full[10] ?? 0)
  const offsetMinutes = Number(full[11] ?? 0)
  if (offsetHours > 23 || offsetMinutes > 59) return undefined
  const milliseconds = Number((full[7] ?? '').padEnd(3, '0').slice(0, 3))
  const local = utcMs(full, hours, minutes, Math.min(seconds, 59), milliseconds)
  if (local === undefined) return undefined
  const offsetMs = (offsetHours * 60 + offsetMinutes) * 60_000
  const ms = full[9] === '-' ? local + offsetMs : local - offsetMs
  return ms >= FIRST_MS && ms <= LAST_MS ? ms : undefined
}

/** RFC 3339 in UTC, clamped to the years 0000 to 9999; whole seconds have no fraction, as at GitHub. */
export function toTime(ms: number): string {
  const text = new Date(Math.min(Math.max(ms, FIRST_MS), LAST_MS)).toISOString()
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text
}

function utcMs(
  match: RegExpExecArray,
  hours: number,
  minutes: number,
  seconds: number,
  ms: number,
): number | undefined {
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const value = new Date(0)
  value.setUTCFullYear(year, month - 1, day)
  value.setUTCHours(hours, minutes, seconds, ms)
  const real = value.getUTCFullYear() === year && value.getUTCMonth() === month - 1 && value.getUTCDate() === day
  return real ? value.getTime() : undefined
}
