import { expect, test } from 'vitest'
import { MAX_PHRASES, MAX_PHRASE_TERMS } from '../../../src/text/limits.ts'
import { readPhrases } from '../../../src/text/question/phrases.ts'

test.each([
  ['say "hello world" now', [[['hello', 'world']]]],
  ['“curly quotes”', [[['curly', 'quotes']]]],
  ['a 5" disk and a 3" disk', []],
  ['"one', []],
  ['昨日"京都で"飲む', [[['～京都', '～都で']]]],
  ['で“抹茶”を', [[['～抹茶']]]],
  ['"!!"', []],
])('The phrases of %s are known.', (text, phrases) => {
  expect(readPhrases(text)).toEqual(phrases)
})

test('The number of phrases and of their terms is bounded.', () => {
  expect(readPhrases('"a b" '.repeat(50))).toHaveLength(MAX_PHRASES)
  expect(readPhrases(`"${'a '.repeat(200)}"`).flat(2)).toHaveLength(MAX_PHRASE_TERMS)
})
