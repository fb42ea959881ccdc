import { expect, test } from 'vitest'
import { prefixOf } from '../../../src/text/tokenize/prefixes.ts'
import { toTerm } from '../../../src/text/terms/stem.ts'

test.each([
  ['photo', 'photographer', '～photo'],
  ['engage', 'engagement', '～engag'],
  ['фотография', 'фотограф', '～фотог'],
])('%s and %s begin alike', (one, other, beginning) => {
  expect([one, other].map((word) => prefixOf(toTerm(word)))).toEqual([beginning, beginning])
})

test.each(['tree', '20．04．1', '検索検索検索', 'a1b2c3', 'c＋＋'])('%s has no beginning of its own', (term) => {
  expect(prefixOf(term)).toBeUndefined()
})
