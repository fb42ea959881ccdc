/**
 * Time in exact fractions: written lengths to ticks, and ticks to seconds by the
 * tempo. Five fifths are exactly a whole note, so tracks do not drift; values are
 * rounded only in the note sequence and the performance.
 */
import type { Length, LengthTerm } from '../language/ast.ts'
import { add, compare, fraction, scale, subtract, toNumber, ZERO } from './fraction.ts'
import type { Fraction } from './fraction.ts'

export const TICKS_PER_QUARTER = 192
const TICKS_PER_WHOLE = 4 * TICKS_PER_QUARTER
/** A native count is 1/192 of a whole note. */
const TICKS_PER_COUNT = TICKS_PER_WHOLE / 192
export const FRAMES_PER_SECOND = 60

/** Quarter notes a minute: numerator / denominator. */
export interface Tempo {
  readonly numerator: number
  readonly denominator: number
}

export const DEFAULT_TEMPO: Tempo = { numerator: 120, denominator: 1 }
export const QUARTER: Fraction = fraction(TICKS_PER_QUARTER)

/** The ticks of a written length, at least 0. Lengths in frames depend on the tempo. */
export function toTicks(length: Length, defaultTicks: Fraction, tempo: Tempo): Fraction {
  let ticks = ZERO
  for (const term of length.terms) {
    const part = termTicks(term, defaultTicks, tempo)
    ticks = term.sign === 1 ? add(ticks, part) : subtract(ticks, part)
  }
  return ticks
}

function termTicks({ unit, value, dots }: LengthTerm, defaultTicks: Fraction, tempo: Tempo): Fraction {
  const plain = value === null ? defaultTicks : unitTicks(unit, value, tempo)
  // Each dot adds half of the value before it: x * (2 - 2^-dots).
  return dots === 0 ? plain : scale(plain, 2 ** (dots + 1) - 1, 2 ** dots)
}

function unitTicks(unit: LengthTerm['unit'], value: number, { numerator, denominator }: Tempo): Fraction {
  if (unit === 'count') return fraction(value * TICKS_PER_COUNT)
  if (unit === 'note') return fraction(TICKS_PER_WHOLE, Math.max(1, value))
  return scale(fraction(value * TICKS_PER_QUARTER), numerator, denominator * 60 * FRAMES_PER_SECOND)
}

export interface TempoChange {
  readonly at: Fraction
  readonly tempo: Tempo
}

interface TempoRange extends TempoChange {
  readonly seconds: Fraction
  readonly atTicks: number
  readonly atSeconds: number
  readonly secondsPerTick: number
}

/** The tempo along a song: converts between ticks and seconds. */
export class TempoMap {
  readonly #ranges: TempoRange[]

  /** Changes in order of position; of several at one position the last wins. */
  constructor(changes: readonly TempoChange[]) {
    this.#ranges = [toTempoRange({ at: ZERO, tempo: DEFAULT_TEMPO }, ZERO)]
    for (const change of changes) {
      const last = this.#ranges.at(-1)
      if (last === undefined) continue
      const seconds = add(last.seconds, span(last, change.at))
      if (compare(last.at, change.at) === 0) this.#ranges.pop()
      this.#ranges.push(toTempoRange(change, seconds))
    }
  }

  /** The tempo of each range and the position where it starts. */
  get changes(): readonly TempoChange[] {
    return this.#ranges
  }

  secondsAt(position: Fraction): Fraction {
    const range = this.#find((candidate) => compare(candidate.at, position) <= 0)
    return add(range.seconds, span(range, position))
  }

  /** Like `secondsAt`, for positions that need not be exact, such as a step of a vibrato. */
  secondsAtTick(tick: number): number {
    const range = this.#find((candidate) => candidate.atTicks <= tick)
    return range.atSeconds + (tick - range.atTicks) * range.secondsPerTick
  }

  /** The inverse of `secondsAtTick`. */
  tickAtSeconds(seconds: number): number {
    const range = this.#find((candidate) => candidate.atSeconds <= seconds)
    return range.atTicks + (seconds - range.atSeconds) / range.secondsPerTick
  }

  secondsPerTickAt(tick: number): number {
    return this.#find((candidate) => candidate.atTicks <= tick).secondsPerTick
  }

  #find(hasBegun: (range: TempoRange) => boolean): TempoRange {
    let low = 0
    let high = this.#ranges.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (hasBegun(this.#ranges[middle] as TempoRange)) low = middle
      else high = middle - 1
    }
    return this.#ranges[low] as TempoRange
  }
}

function toTempoRange({ at, tempo }: TempoChange, seconds: Fraction): TempoRange {
  const secondsPerTick = (60 * tempo.denominator) / (TICKS_PER_QUARTER * tempo.numerator)
  return { at, tempo, seconds, atTicks: toNumber(at), atSeconds: toNumber(seconds), secondsPerTick }
}

function span({ at, tempo }: TempoChange, until: Fraction): Fraction {
  return scale(subtract(until, at), 60 * tempo.denominator, TICKS_PER_QUARTER * tempo.numerator)
}
