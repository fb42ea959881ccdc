import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  add,
  compare,
  fraction,
  longest,
  round,
  scale,
  subtract,
  toNumber,
  ZERO,
} from '../../../src/mml/score/fraction.ts'
import type { Fraction } from '../../../src/mml/score/fraction.ts'

/** The same value as one exact quotient, to compare with. */
interface Exact {
  readonly above: bigint
  readonly below: bigint
}

const exactOf = ({ whole, numerator, denominator }: Fraction): Exact => ({
  above: BigInt(whole) * BigInt(denominator) + BigInt(numerator),
  below: BigInt(denominator),
})

const isEqual = (a: Exact, b: Exact) => a.above * b.below === b.above * a.below

const parts = fc.record({ above: fc.integer({ min: 0, max: 10_000 }), below: fc.integer({ min: 1, max: 192 }) })

test('Sums, differences, products and order are exact.', () => {
  fc.assert(
    fc.property(parts, parts, ({ above: a, below: b }, { above: c, below: d }) => {
      const [left, right] = [fraction(a, b), fraction(c, d)]
      const [x, y] = [exactOf(left), exactOf(right)]
      const sum = { above: x.above * y.below + y.above * x.below, below: x.below * y.below }
      expect(isEqual(exactOf(add(left, right)), sum)).toBe(true)
      expect(isEqual(exactOf(subtract(add(left, right), right)), x)).toBe(true)
      expect(isEqual(exactOf(scale(left, c, d)), { above: x.above * BigInt(c), below: x.below * BigInt(d) })).toBe(true)
      const difference = x.above * y.below - y.above * x.below
      expect(Math.sign(compare(left, right))).toBe(Number(difference > 0n) - Number(difference < 0n))
      expect(round(left)).toBe(Number((2n * x.above + x.below) / (2n * x.below)))
      expect(toNumber(left)).toBeCloseTo(a / b, 9)
    }),
    { numRuns: 300 },
  )
})

test('A difference is at least zero.', () => {
  expect(subtract(fraction(1, 3), fraction(1, 2))).toEqual(ZERO)
})

test('The sum of all lengths from 1 to 40 is exact.', () => {
  const lengths = Array.from({ length: 40 }, (_, index) => fraction(768, index + 1))
  const all = [...lengths, ...lengths.toReversed()].reduce(add, ZERO)
  const back = [...lengths, ...lengths].reduce(subtract, all)
  expect(back).toEqual(ZERO)
})

test('Beyond exact denominators the error is below a millionth.', () => {
  let position = ZERO
  let wanted = 0
  for (let round = 0; round < 20; round++) {
    for (let length = 1; length <= 192; length++) {
      position = add(position, fraction(768, length))
      wanted += 768 / length
    }
  }
  expect(Math.abs(toNumber(position) - wanted)).toBeLessThan(1e-6)
})

test('The longest of no lengths is zero.', () => {
  expect(longest([])).toEqual(ZERO)
  expect(longest([fraction(1, 3), fraction(1, 2), fraction(2, 5)])).toEqual(fraction(1, 2))
})
