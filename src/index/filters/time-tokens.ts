/**
 * Filter tokens of the two clocks: every chunk row has its document's day, month
 * and year of creation and of update (UTC), and a window of time becomes the
 * fewest tokens that cover it. The cover is exact to the day; a statement that
 * needs the millisecond also compares the times of the rows.
 */

/** `created` is the time of creation, `updated` that of the last change. */
type ClockName = 'created' | 'updated'

/** Half open, `[since, until)`, in milliseconds UTC; an absent end is open. */
export interface TimeWindow {
  readonly clock: ClockName
  readonly since?: number
  readonly until?: number
}

const LETTER: Record<ClockName, string> = { created: 'c', updated: 't' }
const LAST_YEAR = 9999

/** The three tokens of one time on one clock: day, month, year. */
export function timeTokens(clock: ClockName, time: number): readonly string[] {
  const date = dateOf(time)
  return [dayToken(clock, date), monthToken(clock, date), yearToken(clock, date.getUTCFullYear())]
}

/**
 * MATCH terms, to be joined by OR, for the days that `window` touches; empty
 * when it touches none. At most about 120: open ends are covered by prefixes
 * of the year, such as `"cy203"*`.
 */
export function windowTerms({ clock, since, until }: TimeWindow): readonly string[] {
  const terms: string[] = []
  let day = since === undefined ? startOfYear(0) : startOfDay(dateOf(since))
  const end = until === undefined ? startOfYear(LAST_YEAR + 1) : endOfDay(until)
  while (day < end) {
    const date = new Date(day)
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
    const nextMonth = new Date(startOfYear(year)).setUTCMonth(month + 1)
    if (day === startOfYear(year) && startOfYear(year + 1) <= end) {
      const lastYear = new Date(end).getUTCFullYear() - 1
      terms.push(...yearTerms(clock, year, lastYear))
      day = startOfYear(lastYear + 1)
    } else if (date.getUTCDate() === 1 && nextMonth <= end) {
      terms.push(`"${monthToken(clock, date)}"`)
      day = nextMonth
    } else {
      terms.push(`"${dayToken(clock, date)}"`)
      day += DAY_MS
    }
  }
  return terms
}

const DAY_MS = 86_400_000

/** The years `first` to `last`, whole decades, centuries and millennia as prefixes. */
function yearTerms(clock: ClockName, first: number, last: number): readonly string[] {
  const terms: string[] = []
  for (let year = first; year <= last;) {
    const span = [1000, 100, 10].find((size) => year % size === 0 && year + size - 1 <= last) ?? 1
    const digits = String(year)
      .padStart(4, '0')
      .slice(0, 5 - String(span).length)
    terms.push(`"${LETTER[clock]}y${digits}"${span === 1 ? '' : '*'}`)
    year += span
  }
  return terms
}

function dayToken(clock: ClockName, date: Date): string {
  return `${LETTER[clock]}d${date.toISOString().slice(0, 10).replaceAll('-', '')}`
}

function monthToken(clock: ClockName, date: Date): string {
  return `${LETTER[clock]}m${date.toISOString().slice(0, 7).replaceAll('-', '')}`
}

function yearToken(clock: ClockName, year: number): string {
  return `${LETTER[clock]}y${String(year).padStart(4, '0')}`
}

/** A date whose year has four digits: times outside are moved to the nearest one inside. */
function dateOf(time: number): Date {
  return new Date(Math.min(Math.max(time, startOfYear(0)), startOfYear(LAST_YEAR + 1) - 1))
}

function startOfDay(date: Date): number {
  return new Date(date).setUTCHours(0, 0, 0, 0)
}

function endOfDay(until: number): number {
  const clamped = Math.min(Math.max(until, startOfYear(0)), startOfYear(LAST_YEAR + 1))
  return Math.ceil(clamped / DAY_MS) * DAY_MS
}

function startOfYear(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1)
}
