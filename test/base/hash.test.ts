import { expect, test } from 'vitest'
import { hash32, hashWord, sha256, sha256Int48 } from '../../src/base/hash.ts'

test('The hashes of known texts are the published ones.', () => {
  expect(sha256('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
  expect(sha256Int48('abc')).toBe(0xba7816bf8f01)
  expect([hash32(''), hash32('a'), hash32('foobar')]).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968])
})

test('A hash word is 12 letters and digits that FTS5 keeps as one word.', () => {
  for (const text of ['', 'abc', '語']) expect(hashWord(text)).toMatch(/^[a-z2-7]{12}$/)
  expect(hashWord('abc')).not.toBe(hashWord('abd'))
})
