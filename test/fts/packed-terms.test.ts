import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { packCounts, packSequence, termKey, unpackCounts, unpackSequence } from '../../src/fts/packed-terms.ts'

function unpacked(packed: string): [number, number][] {
  const found: [number, number][] = []
  unpackCounts(packed, (key, count) => found.push([key, count]))
  return found
}

test.each([
  [1, 1],
  [0.25, 0.25],
  [0.1, 0.25],
  [2.3, 2.25],
  [15.75, 15.75],
  [400, 15.75],
])('a count of %d is kept as %d', (count, kept) => {
  expect(unpacked(packCounts(new Map([['word', count]])))).toEqual([[termKey('word'), kept]])
})

test('A packed term is five characters of the base64 alphabet.', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), (terms) => {
      const packed = packCounts(new Map(terms.map((term) => [term, 1])))
      expect(packed).toMatch(/^[\w-]*$/)
      expect(packed).toHaveLength(terms.length * 5)
      expect(unpacked(packed).map(([key]) => key)).toEqual(terms.map(termKey))
      expect(unpackSequence(packSequence(terms))).toEqual(terms.map(termKey))
    }),
  )
})

test('Unpacking text that was not packed ends.', () => {
  expect(unpacked('é😀*')).toHaveLength(0)
  expect(unpackSequence('日本語です')).toHaveLength(1)
})
