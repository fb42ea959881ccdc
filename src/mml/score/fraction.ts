/**
 * Exact positions: whole + numerator/denominator, never negative. Exact while the
 * denominator is at most 2^52, which covers every denominator from 1 to 40 at
 * once; beyond that a value is rounded to the nearest 2^-40. Plain numbers instead
 * of BigInt keep a hundred thousand events cheap.
 */

export interface Fraction {
  readonly whole: number
  /** 0 <= numerator < denominator. */
  readonly numerator: number
  readonly denominator: number
}

const LARGEST_DENOMINATOR = 2 ** 52
const COARSE_DENOMINATOR = 2 ** 40

export const ZERO: Fraction = { whole: 0, numerator: 0, denominator: 1 }

/** `numerator / denominator` of whole numbers, denominator > 0, below 2^53 each. */
export function fraction(numerator: number, denominator = 1): Fraction {
  const whole = Math.floor(numerator / denominator)
  const rest = numerator - whole * denominator
  if (rest === 0) return { whole, numerator: 0, denominator: 1 }
  const divisor = greatestCommonDivisor(rest, denominator)
  return { whole, numerator: rest / divisor, denominator: denominator / divisor }
}

export function add(a: Fraction, b: Fraction): Fraction {
  return combine(a, b, 1)
}

/** a - b, or zero where b is larger. */
export function subtract(a: Fraction, b: Fraction): Fraction {
  return compare(a, b) <= 0 ? ZERO : combine(a, b, -1)
}

/** a * numerator / denominator, both whole and positive. */
export function scale(a: Fraction, numerator: number, denominator: number): Fraction {
  const divisor = greatestCommonDivisor(numerator, denominator)
  const up = numerator / divisor
  const down = denominator / divisor
  const below = a.denominator * down
  const above = (a.whole * a.denominator + a.numerator) * up
  if (below > LARGEST_DENOMINATOR || above > Number.MAX_SAFE_INTEGER) return coarse((toNumber(a) * up) / down)
  return fraction(above, below)
}

export function compare(a: Fraction, b: Fraction): number {
  if (a.whole !== b.whole) return a.whole - b.whole
  if (a.denominator === b.denominator) return a.numerator - b.numerator
  return a.numerator / a.denominator - b.numerator / b.denominator
}

/** The largest of all, or zero. */
export function longest(all: readonly Fraction[]): Fraction {
  return all.reduce((a, b) => (compare(a, b) >= 0 ? a : b), ZERO)
}

/** The nearest double. */
export function toNumber(a: Fraction): number {
  return a.whole + a.numerator / a.denominator
}

/** The nearest whole number, halves upward. */
export function round(a: Fraction): number {
  return a.whole + (a.numerator * 2 >= a.denominator ? 1 : 0)
}

function combine(a: Fraction, b: Fraction, sign: 1 | -1): Fraction {
  if (a.denominator === b.denominator) {
    return carry(a.whole + sign * b.whole, a.numerator + sign * b.numerator, a.denominator)
  }
  const divisor = greatestCommonDivisor(a.denominator, b.denominator)
  const denominator = (a.denominator / divisor) * b.denominator
  if (denominator > LARGEST_DENOMINATOR) return coarse(toNumber(a) + sign * toNumber(b))
  const left = a.numerator * (b.denominator / divisor)
  const right = b.numerator * (a.denominator / divisor)
  return carry(a.whole + sign * b.whole, left + sign * right, denominator)
}

function carry(whole: number, numerator: number, denominator: number): Fraction {
  const over = Math.floor(numerator / denominator)
  const rest = numerator - over * denominator
  return { whole: whole + over, numerator: rest, denominator: rest === 0 ? 1 : denominator }
}

function coarse(value: number): Fraction {
  const whole = Math.floor(value)
  return carry(whole, Math.round((value - whole) * COARSE_DENOMINATOR), COARSE_DENOMINATOR)
}

function greatestCommonDivisor(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b]
  return a
}
