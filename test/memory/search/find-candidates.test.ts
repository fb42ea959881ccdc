/** The terms that are looked up in the word index for a question, and among which messages. */
import { describe, expect, test } from 'vitest'
import { CHUNKS_PER_DOCUMENT } from '../../../src/fts/chunk-number.ts'
import { MAX_CANDIDATE_ROWS } from '../../../src/memory/limits.ts'
import { findCandidates } from '../../../src/memory/search/find-candidates.ts'

const STORE = { chunks: 100_000, last_sequence: 100_000 }
const LIMIT = 50

/** Records each lookup and the number of chunks chosen. `found` is the number of messages that each lookup finds, in order. */
function choose(frequencies: Readonly<Record<string, number>>, found: readonly number[], filtered = Infinity) {
  const terms = ['storm', 'like', 'nowhere', 'day'].map((term) => ({ term, weight: 1 }))
  const lookups: string[] = []
  const chunks = findCandidates(terms, new Map(Object.entries(frequencies)), STORE, {
    limit: LIMIT,
    find: ({ terms: some, after }) => {
      lookups.push([...some.map(({ term }) => term), ...(after === undefined ? [] : [`after ${after}`])].join(' '))
      return Array.from({ length: found[lookups.length - 1] ?? 0 }, (_, at) => at * CHUNKS_PER_DOCUMENT)
    },
    countFiltered: () => filtered,
  })
  return { lookups, size: chunks.length }
}

describe('in the whole store', () => {
  test('all indexed terms are looked up when they have few rows together', () => {
    const few = { storm: 100, like: MAX_CANDIDATE_ROWS - 150, day: 50 }
    expect(choose(few, [10])).toEqual({ lookups: ['storm like day'], size: 10 })
    expect(choose(few, [0])).toEqual({ lookups: ['storm like day'], size: 0 })
  })

  test('a common term is not looked up when the other terms find enough messages', () => {
    const frequencies = { storm: 100, like: MAX_CANDIDATE_ROWS - 149, day: 50 }
    expect(choose(frequencies, [LIMIT])).toEqual({ lookups: ['storm day'], size: LIMIT })
  })

  test('no lookup is made when no term is indexed', () => {
    expect(choose({}, [])).toEqual({ lookups: [], size: 0 })
  })
})

describe('among the newest messages', () => {
  test('common terms are looked up when the other terms find too few messages', () => {
    const frequencies = { storm: 100, like: 2 * MAX_CANDIDATE_ROWS - 150, day: 50 }
    expect(choose(frequencies, [LIMIT - 1, LIMIT])).toEqual({
      lookups: ['storm day', 'storm like day after 50000'],
      size: LIMIT,
    })
  })

  test.each([
    [1.25, 20_000],
    [4, 75_000],
  ])('a single term with %d times the rows of a lookup is looked up after sequence %d', (times, after) => {
    expect(choose({ like: times * MAX_CANDIDATE_ROWS }, [LIMIT])).toEqual({
      lookups: [`like after ${after}`],
      size: LIMIT,
    })
  })
})

describe('filters', () => {
  test('terms are looked up without a bound when filters leave too few of the newest messages', () => {
    expect(choose({ like: 2 * MAX_CANDIDATE_ROWS }, [LIMIT - 1, LIMIT])).toEqual({
      lookups: ['like after 50000', 'like'],
      size: LIMIT,
    })
  })

  test('terms are looked up without a bound when filters leave few rows', () => {
    expect(choose({ like: 2 * MAX_CANDIDATE_ROWS }, [LIMIT], MAX_CANDIDATE_ROWS)).toEqual({
      lookups: ['like'],
      size: LIMIT,
    })
  })
})
