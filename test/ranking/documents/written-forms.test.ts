import { expect, test } from 'vitest'
import { formKey, packKeyCounts, termKey } from '../../../src/fts/packed-terms.ts'
import { formFactors, formWeights } from '../../../src/ranking/documents/written-forms.ts'

/** The factor of the question's only word in a chunk with `count` occurrences of the stem, some of them in `forms`. */
function factor(word: string, term: string, count: number, forms: Readonly<Record<string, number>>): number {
  const counts = new Map(Object.entries(forms).map(([form, times]) => [formKey(termKey(term), form), times]))
  return formFactors(packKeyCounts(counts), formWeights([{ term, word }]))(termKey(term), count)
}

test.each([
  ['the same form', 'university', 'univers', 1, { university: 1 }, true],
  ['another form', 'university', 'univers', 3, { universe: 3 }, false],
  ['both forms', 'university', 'univers', 2, { universe: 1, university: 1 }, true],
  ['the stem itself', 'test', 'test', 2, {}, true],
  ['the stem itself among other forms', 'test', 'test', 3, { tests: 2 }, true],
  ['other forms of a word that is its stem', 'test', 'test', 3, { tests: 2, testing: 1 }, false],
  ['more occurrences than a count can hold', 'test', 'test', 15.75, { tests: 15.75 }, true],
])('%s', (_, word, term, count, forms, isWritten) => {
  expect(factor(word, term, count, forms) === 1).toBe(isWritten)
})

test('a term that is no word of the question has the factor 1', () => {
  const weights = formWeights([{ term: 'univers' }])
  expect(formFactors('', weights)(termKey('univers'), 1)).toBe(1)
})
