import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { idf, saturation } from '../../src/ranking/bm25.ts'

const SHAPE = { k1: 1.2, b: 0.75 }

test('A term is the more informative the rarer it is, and never negative.', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(1000), fc.nat(1000), (chunks, one, more) => {
      const [rare, common] = [idf(chunks, one), idf(chunks, one + more)]
      expect(rare).toBeGreaterThanOrEqual(common)
      expect(common).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('Repetitions saturate below k1 + 1, and a longer chunk scores less.', () => {
  expect(saturation(0, 10, 10, SHAPE)).toBe(0)
  expect(saturation(1, 10, 10, SHAPE)).toBe(1)
  expect(saturation(1000, 10, 10, SHAPE)).toBeLessThan(2.2)
  expect(saturation(1, 20, 10, SHAPE)).toBeLessThan(saturation(1, 10, 10, SHAPE))
  expect(saturation(1, 10, 0, SHAPE)).toBe(1)
})
