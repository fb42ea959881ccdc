import { expect, test } from 'vitest'
import { prefixOf } from '../../../src/text/tokenize/prefixes.ts'
import { toTerm } from '../../../src/text/terms/stem.ts'

test.each([
  ['photo', 'photographer', '～photo'],
  ['engage', 'engagement', '～engag'],
  ['фотография', 'фотограф', '～фотог'],
])('The words %s and %s have one prefix.', (one, other, prefix) => {
  expect([one, other].map((word) => prefixOf(toTerm(word)))).toEqual([prefix, prefix])
})

test.each(['tree', '20．04．1', '検索検索検索', 'a1b2c3', 'c＋＋'])('The term %s has no prefix.', (term) => {
  expect(prefixOf(term)).toBeUndefined()
})
