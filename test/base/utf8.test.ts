import { expect, test } from 'vitest'
import { utf8Bytes } from '../../src/base/utf8.ts'

test.each([
  ['', 0],
  ['a\0', 2],
  ['é', 2],
  ['あ', 3],
  ['\ufeff', 3],
  ['😀', 4],
  ['e\u0301', 3],
  ['a\ud83d', 4],
  ['\ude00\ud83d', 6],
  ['😀'.repeat(262_144), 1_048_576],
])('The bytes of %j are counted (case %#).', (text, bytes) => {
  expect(utf8Bytes(text)).toBe(bytes)
})
