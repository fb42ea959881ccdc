import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseTerms } from '../../../src/index/words/choose-terms.ts'
import { runs } from '../../support/runs.ts'

const CHUNKS = 1_000
const LIMIT = 100
const MOST_ROWS = 300
const FREQUENCIES = new Map([
  ['the', 900],
  ['and', 700],
  ['index', 250],
  ['walk', 120],
  ['rare', 3],
])

/** The reads as `terms`, with `titles` and the share of the newest rows where they apply. */
function reads(words: string, mostRows = MOST_ROWS): string[] {
  const terms = words.split(' ').map((term) => ({ term, weight: 1 }))
  const { reads: chosen, isBounded } = chooseTerms(terms, FREQUENCIES, CHUNKS, LIMIT, mostRows)
  const shown = chosen.map(({ terms: some, inTitles, newest }) =>
    [some.map(({ term }) => term).join('+'), inTitles && 'titles', newest?.toFixed(2)].filter(Boolean).join(' '),
  )
  return isBounded ? ['bounded', ...shown] : shown
}

test.each([
  ['terms in few rows all select', 'index rare', ['index+rare']],
  ['a common term only scores beside one that selects enough', 'the index', ['bounded', 'index']],
  ['terms are added until the bound', 'the index walk rare', ['bounded', 'walk+rare']],
  ['a term that selects too few is joined by the newest rows', 'the rare', ['bounded', 'rare', 'the+rare 0.13']],
  ['a common term alone selects by titles and the newest rows', 'the', ['bounded', 'the titles 0.33', 'the 0.13']],
  ['common terms alone do too', 'the and', ['bounded', 'the+and titles 0.19', 'the+and 0.07']],
])('Where rows are bounded, %s.', (_, words, expected) => {
  expect(reads(words)).toEqual(expected)
})

test('Without a bound all terms select, and a question of unknown words has none.', () => {
  expect(reads('the and index', Infinity)).toEqual(['the+and+index'])
  expect(reads('unknown')).toEqual([''])
})

test('No read scores more rows than the bound, and the most informative term always selects.', () => {
  const counts = fc.array(fc.integer({ min: 1, max: CHUNKS }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 3_000 }), (made, mostRows) => {
      const terms = made.map((_, at) => ({ term: String(at), weight: 1 }))
      const frequencies = new Map(made.map((count, at) => [String(at), count]))
      const { reads: chosen } = chooseTerms(terms, frequencies, CHUNKS, LIMIT, mostRows)
      for (const { terms: some, newest = 1 } of chosen) {
        const rows = some.reduce((sum, { term }) => sum + (frequencies.get(term) ?? 0), 0) * newest
        expect(rows).toBeLessThanOrEqual(mostRows + 0.01)
        expect(Math.min(...some.map(({ term }) => frequencies.get(term)!))).toBe(Math.min(...made))
      }
    }),
    { numRuns: runs(200) },
  )
})
