import { expect, test } from 'vitest'
import { toTerm } from '../../../src/text/terms/stem.ts'

test.each([
  ['one', 'ones', 'on'],
  ['use', 'used', 'us'],
  ['using', 'uses', 'us'],
  ['IDE', 'ides', 'id'],
  ['ice', 'icing', 'ic'],
  ['add', 'adding', 'ad'],
  ['err', 'erred', 'er'],
  ['age', 'aging', 'ag'],
  ['his', 'his', 'hi'],
  ['yes', 'yes', 'ye'],
  ['ate', 'ate', 'at'],
  ['ore', 'ores', 'or'],
  ['ass', 'ass', 'as'],
  ['odd', 'odds', 'od'],
  ['egg', 'eggs', 'eg'],
  ['ace', 'aces', 'ac'],
])('The words %s and %s have one term, which is not the word %s.', (one, other, short) => {
  const term = toTerm(one.toLowerCase())
  expect(toTerm(other)).toBe(term)
  expect(toTerm(short)).not.toBe(term)
})

test.each([
  ['ids', 'id'],
  ['ads', 'ad'],
  ['tvs', 'tv'],
  ['going', 'go'],
])('The plural or form %s has the term %s of two letters.', (word, term) => {
  expect(toTerm(word)).toBe(term)
})
