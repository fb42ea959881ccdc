import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { SELECTIVE_TERMS, selectiveTerms } from '../../src/ranking/selective-terms.ts'
import { runs } from '../support/runs.ts'

const CHUNKS = 1_000

test('the rarest terms stay, in the order of the question', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: CHUNKS }), { maxLength: 64 }), (counts) => {
      const terms = counts.map((_, at) => ({ term: String(at), weight: 1 }))
      const frequencies = new Map(counts.flatMap((count, at) => (count > 0 ? [[String(at), count] as const] : [])))
      const chosen = selectiveTerms(terms, frequencies, CHUNKS)
      expect(chosen).toHaveLength(Math.min(SELECTIVE_TERMS, frequencies.size))
      expect(terms.filter((term) => chosen.includes(term))).toEqual(chosen)
      const rarest = [...frequencies.values()].sort((a, b) => a - b).slice(0, chosen.length)
      expect(chosen.map(({ term }) => frequencies.get(term) ?? 0).sort((a, b) => a - b)).toEqual(rarest)
    }),
    { numRuns: runs(100) },
  )
})

test('weight counts: a pair that helps out goes before a word only when it is much rarer', () => {
  const words = Array.from({ length: SELECTIVE_TERMS }, (_, at) => ({ term: `w${at}`, weight: 1 }))
  const pair = { term: 'pair', weight: 0.2 }
  const frequencies = new Map([...words, pair].map(({ term }) => [term, 20]))
  expect(selectiveTerms([pair, ...words], frequencies, CHUNKS)).toEqual(words)
})

test('a walk of so many rows leaves out what does not fit, and goes on with what tells less', () => {
  const terms = ['common', 'rare', 'middling', 'pair'].map((term) => ({ term, weight: term === 'pair' ? 0.2 : 1 }))
  const frequencies = new Map([
    ['common', 700],
    ['rare', 10],
    ['middling', 90],
    ['pair', 200],
  ])
  const chosen = (mostRows: number) => selectiveTerms(terms, frequencies, CHUNKS, mostRows).map(({ term }) => term)
  expect(chosen(1_000)).toEqual(['common', 'rare', 'middling', 'pair'])
  expect(chosen(999)).toEqual(['common', 'rare', 'middling'])
  expect(chosen(799)).toEqual(['rare', 'middling', 'pair'])
  expect(chosen(299)).toEqual(['rare', 'middling'])
  expect(chosen(1)).toEqual(['rare'])
})
