/** The terms that are looked up in the word index for a question. */
import { expect, test } from 'vitest'
import { CHUNKS_PER_DOCUMENT } from '../../../src/fts/chunk-number.ts'
import { chooseCandidateTerms, CANDIDATE_ROWS } from '../../../src/memory/search/find-by-words.ts'

const CHUNKS = 100_000
const LIMIT = 50

/** Records each lookup and the number of chunks chosen. Every lookup but the last finds chunks of `found` messages. */
function choose(frequencies: Readonly<Record<string, number>>, found: number) {
  const terms = ['storm', 'like', 'nowhere', 'day'].map((term) => ({ term, weight: 1 }))
  const lookups: string[] = []
  const chunks = chooseCandidateTerms(terms, new Map(Object.entries(frequencies)), CHUNKS, LIMIT, (some) => {
    lookups.push(some.map(({ term }) => term).join(' '))
    return Array.from({ length: lookups.length === 1 ? found : LIMIT }, (_, at) => at * CHUNKS_PER_DOCUMENT)
  })
  return { lookups, size: chunks.length }
}

test('all indexed terms are looked up when they have few rows together', () => {
  expect(choose({ storm: 100, like: CANDIDATE_ROWS - 150, day: 50 }, 10)).toEqual({
    lookups: ['storm like day'],
    size: 10,
  })
})

test('a common term is omitted when the other terms find enough messages', () => {
  expect(choose({ storm: 100, like: CANDIDATE_ROWS - 149, day: 50 }, LIMIT)).toEqual({
    lookups: ['storm day'],
    size: LIMIT,
  })
})

test('a common term is looked up in a second lookup when the other terms find too few messages', () => {
  expect(choose({ storm: 100, like: CANDIDATE_ROWS, day: 50 }, LIMIT - 1)).toEqual({
    lookups: ['storm day', 'storm like day'],
    size: LIMIT,
  })
})

test('a single indexed term is looked up even when it has too many rows', () => {
  expect(choose({ like: 2 * CANDIDATE_ROWS }, LIMIT)).toEqual({ lookups: ['like'], size: LIMIT })
})

test('no lookup is made when no term is indexed', () => {
  expect(choose({}, LIMIT)).toEqual({ lookups: [], size: 0 })
})
