/** Which terms the word index is walked for, told by what it is asked. */
import { expect, test } from 'vitest'
import { CHUNKS_PER_DOCUMENT } from '../../../src/fts/chunk-number.ts'
import { chooseCandidateTerms, CANDIDATE_ROWS } from '../../../src/memory/search/find-by-words.ts'

const PIECES = 100_000
const LIMIT = 50

/** What was asked for, in order, and what came of it; the index holds pieces of `found` messages for every asking but the last. */
function ask(held: Readonly<Record<string, number>>, found: number) {
  const terms = ['storm', 'like', 'nowhere', 'day'].map((term) => ({ term, weight: 1 }))
  const asked: string[] = []
  const pool = chooseCandidateTerms(terms, new Map(Object.entries(held)), PIECES, LIMIT, (some) => {
    asked.push(some.map(({ term }) => term).join(' '))
    return Array.from({ length: asked.length === 1 ? found : LIMIT }, (_, at) => at * CHUNKS_PER_DOCUMENT)
  })
  return { asked, size: pool.length }
}

test('all terms of a question are walked where they are few rows together', () => {
  expect(ask({ storm: 100, like: CANDIDATE_ROWS - 150, day: 50 }, 10)).toEqual({ asked: ['storm like day'], size: 10 })
})

test('a common term is left out when the others fill the pool', () => {
  expect(ask({ storm: 100, like: CANDIDATE_ROWS - 149, day: 50 }, LIMIT)).toEqual({ asked: ['storm day'], size: LIMIT })
})

test('and is walked after all when they do not', () => {
  expect(ask({ storm: 100, like: CANDIDATE_ROWS, day: 50 }, LIMIT - 1)).toEqual({
    asked: ['storm day', 'storm like day'],
    size: LIMIT,
  })
})

test('a term that is more rows alone than are walked is walked when there is no other', () => {
  expect(ask({ like: 2 * CANDIDATE_ROWS }, LIMIT)).toEqual({ asked: ['like'], size: LIMIT })
})

test('without a term that is held nothing is asked', () => {
  expect(ask({}, LIMIT)).toEqual({ asked: [], size: 0 })
})
