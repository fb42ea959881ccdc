import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold, normalise } from '../../../src/text/tokenize/normalise.ts'

test.each([
  ['ＡＢＣ１', 'ABC1'],
  ['so\u00ADft\u200B', 'soft'],
  ['ｶﾞ', 'ガ'],
  ['\ud800a', '\ufffda'],
])('The normal form of %j is %s.', (text, expected) => {
  expect(normalise(text)).toBe(expected)
})

test.each([
  ['Café', 'cafe'],
  ['Straße', 'strasse'],
  ['Łódź', 'lodz'],
  ['がガ', 'がガ'],
  ['ΣΑΣ', 'σασ'],
])('The word %s folds to %s.', (word, expected) => {
  expect(fold(normalise(word))).toBe(expected)
})

test('Folding ASCII only changes its case.', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
      expect(fold(normalise(text))).toBe(text.toLowerCase())
    }),
  )
})
