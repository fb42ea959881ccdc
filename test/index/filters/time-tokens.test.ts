import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { timeTokens, windowTerms } from '../../../src/index/filters/time-tokens.ts'
import type { TimeWindow } from '../../../src/index/filters/time-tokens.ts'
import { runs } from '../../support/runs.ts'

const at = (text: string) => Date.parse(text)
const day = (ms: number) => Math.floor(ms / 86_400_000)

/** Matches as FTS5 does: whole tokens, or prefixes before a star. */
function selects(terms: readonly string[], tokens: readonly string[]): boolean {
  return terms.some((term) => {
    const bare = term.replace(/^"|"\*?$/g, '')
    return tokens.some((token) => (term.endsWith('*') ? token.startsWith(bare) : token === bare))
  })
}

test('a time has tokens of its day, month and year on its clock', () => {
  expect(timeTokens('created', at('2026-11-30T23:59:59.999Z'))).toEqual(['cd20261130', 'cm202611', 'cy2026'])
  expect(timeTokens('updated', at('0042-01-02T00:00:00Z'))).toEqual(['td00420102', 'tm004201', 'ty0042'])
})

test('a window is covered by its whole years, months and days', () => {
  const window = { clock: 'updated', since: at('2024-11-29T12:00:00Z'), until: at('2026-02-02T00:00:00Z') } as const
  expect(windowTerms(window)).toEqual([
    '"td20241129"',
    '"td20241130"',
    '"tm202412"',
    '"ty2025"',
    '"tm202601"',
    '"td20260201"',
  ])
})

test('open ends of a window are covered by prefixes of the year', () => {
  expect(windowTerms({ clock: 'created', since: at('2998-01-01T00:00:00Z') })).toEqual([
    '"cy2998"',
    '"cy2999"',
    ...['3', '4', '5', '6', '7', '8', '9'].map((digit) => `"cy${digit}"*`),
  ])
  expect(windowTerms({ clock: 'created', until: at('0100-01-01T00:00:00Z') })).toEqual(['"cy00"*'])
})

test('an empty or reversed window has no terms', () => {
  const noon = at('2026-11-30T00:00:00Z')
  expect(windowTerms({ clock: 'created', since: noon, until: noon })).toEqual([])
  expect(windowTerms({ clock: 'created', since: noon, until: at('2026-11-01T00:00:00Z') })).toEqual([])
})

test('the terms of a window select every day that it touches and no other', () => {
  const time = fc.integer({ min: at('1960-01-01T00:00:00Z'), max: at('2110-01-01T00:00:00Z') })
  const end = fc.option(time, { nil: undefined })
  fc.assert(
    fc.property(time, end, end, fc.boolean(), (moment, since, until, near) => {
      const shift = (edge: number | undefined) => (near && edge !== undefined ? moment + (edge % 90_000_000) : edge)
      const [from, to] = [shift(since), shift(until)]
      const window: TimeWindow = {
        clock: 'updated',
        ...(from === undefined ? {} : { since: from }),
        ...(to === undefined ? {} : { until: to }),
      }
      const terms = windowTerms(window)
      const touched =
        (from === undefined || day(from) <= day(moment)) &&
        (to === undefined || day(moment) <= day(to - 1)) &&
        terms.length > 0
      expect(selects(terms, timeTokens('updated', moment))).toBe(touched)
      expect(selects(terms, timeTokens('created', moment))).toBe(false)
      expect(terms.length).toBeLessThanOrEqual(120)
    }),
    { numRuns: runs(500) },
  )
})
