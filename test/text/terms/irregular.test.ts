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

test.each(['lives', 'rose', 'bit', 'router', '検索', 'c＋＋'])('The word %s keeps its term.', (word) => {
  expect(toBaseTerm(word)).toBe(toTerm(word))
})
