import { expect, test } from 'vitest'
import { toBaseTerm } from '../../../src/text/terms/irregular.ts'
import { toTerm } from '../../../src/text/terms/stem.ts'

test.each([
  ['went', 'go'],
  ['gone', 'going'],
  ['bought', 'buys'],
  ['children', 'child'],
  ['wives', 'wife'],
  ['taught', 'teaching'],
  ['indices', 'index'],
])('The words %s and %s have one term.', (one, other) => {
  expect(toBaseTerm(one)).toBe(toBaseTerm(other))
})

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
])('The words %s and %s have one term, which is not the word %s.', (one, other, short) => {
  const term = toBaseTerm(one.toLowerCase())
  expect(toBaseTerm(other)).toBe(term)
  expect(toBaseTerm(short)).not.toBe(term)
})

test.each([
  ['ids', 'id'],
  ['ads', 'ad'],
  ['tvs', 'tv'],
  ['going', 'go'],
])('The plural or form %s has the term %s of two letters.', (word, term) => {
  expect(toBaseTerm(word)).toBe(term)
})

test.each(['lives', 'rose', 'bit', 'router', '検索', 'c＋＋'])('The word %s keeps its term.', (word) => {
  expect(toBaseTerm(word)).toBe(toTerm(word))
})
