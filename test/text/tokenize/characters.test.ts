import { expect, test } from 'vitest'
import { questionCharacters, characterTerms } from '../../../src/text/tokenize/characters.ts'
import { analyseText } from '../../../src/text/tokenize/analyse-text.ts'

test.each([
  ['抹茶', '～抹 ～茶'],
  ['茶', '～茶'],
  ['책을', '～책 ～을'],
  ['かな', '～か ～な'],
  ['tea 1 🍵 การ', ''],
])('characters of %s', (text, expected) => {
  expect(characterTerms(analyseText(text)).join(' ')).toBe(expected)
})

test('a question asks for characters that are words, for kana only by itself', () => {
  expect(questionCharacters(['茶', 'を', '飲む'])).toEqual(['～茶'])
  expect(questionCharacters(['を'])).toEqual(['～を'])
  expect(questionCharacters(['a', 'b'])).toEqual([])
})
