import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  byteBoundary,
  charBoundary,
  cutToBytes,
  cutToChars,
  cutWithEllipsis,
  splitsPair,
} from '../../src/base/text-cut.ts'

const wellFormed = fc.string({ unit: fc.constantFrom('a', 'é', '語', '😀', '\n') })

describe('cutting by UTF-16 units', () => {
  test('A cut inside a surrogate pair moves in front of it.', () => {
    expect([0, 1, 2, 3, 4].map((at) => charBoundary('a😀b', at))).toEqual([0, 1, 1, 3, 4])
  })

  test('A lone surrogate is a character of its own.', () => {
    expect([splitsPair('\ud800a', 1), splitsPair('a\udc00', 1), splitsPair('\ud800\ud800', 1)]).toEqual([
      false,
      false,
      false,
    ])
  })

  test('The head of a text is the longest run of whole characters that fits.', () => {
    fc.assert(
      fc.property(wellFormed, fc.nat(12), (text, maxChars) => {
        let head = ''
        for (const character of text) {
          if (head.length + character.length > maxChars) break
          head += character
        }
        expect(cutToChars(text, maxChars)).toBe(head)
      }),
    )
  })

  test('An ellipsis takes one of the units allowed.', () => {
    expect([cutWithEllipsis('abcd', 4), cutWithEllipsis('abcde', 4), cutWithEllipsis('ab😀e', 4)]).toEqual([
      'abcd',
      'abc…',
      'ab…',
    ])
  })
})

describe('cutting by UTF-8 bytes', () => {
  test('The head of a text is the longest run of whole characters that fits.', () => {
    fc.assert(
      fc.property(wellFormed, fc.nat(24), (text, maxBytes) => {
        let head = ''
        for (const character of text) {
          if (new TextEncoder().encode(head + character).length > maxBytes) break
          head += character
        }
        expect(cutToBytes(text, maxBytes)).toBe(head)
        const bytes = new TextEncoder().encode(text)
        expect(new TextDecoder().decode(bytes.subarray(0, byteBoundary(bytes, maxBytes)))).toBe(head)
      }),
    )
  })

  test('A lone surrogate counts as the three bytes of its replacement.', () => {
    expect([cutToBytes('\ud800ab', 3), cutToBytes('\ud800ab', 2)]).toEqual(['\ud800', ''])
  })

  test('Bytes that are not UTF-8 are cut at most three bytes before the limit.', () => {
    expect(byteBoundary(new Uint8Array(20).fill(0x80), 10)).toBe(7)
    expect(byteBoundary(new Uint8Array(20).fill(0x80), 2)).toBe(0)
  })
})
