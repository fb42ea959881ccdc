/**
 * Time: written lengths to ticks, and ticks to seconds along the tempo. All
 * of it in exact fractions, so that five quintuplets are as long as a whole
 * note and tracks cannot drift; rounding happens where a value leaves.
 */
import type { Length, LengthTerm } from '../language/ast.ts'
import { add, compare, fraction, scale, subtract, toNumber, ZERO } from './fraction.ts'
import type { Fraction } from './fraction.ts'
import { TICKS_PER_QUARTER } from '../language/sequence.ts'

const TICKS_PER_WHOLE = 4 * TICKS_PER_QUARTER
/** A native count is 1/192 of a whole note. */
const TICKS_PER_COUNT = TICKS_PER_WHOLE / 192
export const FRAMES_PER_SECOND = 60

/** Quarter notes a minute, as numerator / denominator. */
export interface Tempo {
  readonly numerator: number
  readonly denominator: number
}

export const DEFAULT_TEMPO: Tempo = { numerator: 120, denominator: 1 }
export const QUARTER: Fraction = fraction(TICKS_PER_QUARTER)

/** How long a written length is, in ticks; never below zero. Frames depend on the tempo that holds. */
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
  // Each dot adds half of what was added before: x * (2 - 2^-dots).
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

/** The tempo along a piece: when each tick sounds. */
export class TempoMap {
  readonly #stretches: TempoRange[]

  /** Changes in order of position; of several at one position the last holds. */
  constructor(changes: readonly TempoChange[]) {
    this.#stretches = [toTempoRange({ at: ZERO, tempo: DEFAULT_TEMPO }, ZERO)]
    for (const change of changes) {
      const last = this.#stretches.at(-1)
      if (last === undefined) continue
      const seconds = add(last.seconds, span(last, change.at))
      if (compare(last.at, change.at) === 0) this.#stretches.pop()
      this.#stretches.push(toTempoRange(change, seconds))
    }
  }

  /** The tempo of each stretch and the position at which it begins. */
  get changes(): readonly TempoChange[] {
    return this.#stretches
  }

  secondsAt(position: Fraction): Fraction {
    const stretch = this.#find((candidate) => compare(candidate.at, position) <= 0)
    return add(stretch.seconds, span(stretch, position))
  }

  /** The same for a position that need not be exact, such as a step of a vibrato. */
  secondsAtTick(tick: number): number {
    const stretch = this.#find((candidate) => candidate.atTicks <= tick)
    return stretch.atSeconds + (tick - stretch.atTicks) * stretch.secondsPerTick
  }

  /** The position, not exact, that sounds at a moment. */
  tickAtSeconds(seconds: number): number {
    const stretch = this.#find((candidate) => candidate.atSeconds <= seconds)
    return stretch.atTicks + (seconds - stretch.atSeconds) / stretch.secondsPerTick
  }

  secondsPerTickAt(tick: number): number {
    return this.#find((candidate) => candidate.atTicks <= tick).secondsPerTick
  }

  #find(hasBegun: (stretch: TempoRange) => boolean): TempoRange {
    let low = 0
    let high = this.#stretches.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (hasBegun(this.#stretches[middle] as TempoRange)) low = middle
      else high = middle - 1
    }
    return this.#stretches[low] as TempoRange
  }
}

function toTempoRange({ at, tempo }: TempoChange, seconds: Fraction): TempoRange {
  const secondsPerTick = (60 * tempo.denominator) / (TICKS_PER_QUARTER * tempo.numerator)
  return { at, tempo, seconds, atTicks: toNumber(at), atSeconds: toNumber(seconds), secondsPerTick }
}

function span({ at, tempo }: TempoChange, until: Fraction): Fraction {
  return scale(subtract(until, at), 60 * tempo.denominator, TICKS_PER_QUARTER * tempo.numerator)
}
