import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { maybeMisspelt, neighbourTerms } from '../../../src/text/terms/spelling-neighbours.ts'
import { toTerm } from '../../../src/text/terms/stem.ts'
import { runs } from '../../support/runs.ts'

test.each([
  ['ruoter', 'router', 'two letters swapped'],
  ['routter', 'router', 'one too many'],
  ['routr', 'router', 'one too few'],
  ['roiter', 'router', 'a wrong one'],
  ['middlewrae', 'middleware', 'near the end, where stemming cuts'],
  ['handlign', 'handling', 'inside an ending'],
])('The word %s may mean %s: %s.', (typed, meant) => {
  expect(neighbourTerms(typed).get(toTerm(meant))?.[0]).toBe(meant)
})

test.each(['ruoter', 'abcd'])('The word %s can be misspelled.', (word) => expect(maybeMisspelt(word)).toBe(true))

test.each(['abc', 'café', 'v2beta', '検索', '', 'x'.repeat(25)])('The word %j is not corrected.', (word) => {
  expect(maybeMisspelt(word)).toBe(false)
})

test('A neighbour is one typing error away, keeps the first letter, and is not a form of the word itself.', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{4,24}$/), (word) => {
      const terms = [...neighbourTerms(word)].flatMap(([term, all]) => all.map((one) => [term, one] as const))
      for (const [term, neighbour] of terms) {
        expect(term).toBe(toTerm(neighbour))
        expect(term).not.toBe(toTerm(word))
        expect(neighbour[0]).toBe(word[0])
        expect(Math.abs(neighbour.length - word.length)).toBeLessThanOrEqual(1)
      }
    }),
    { numRuns: runs(20) },
  )
})
