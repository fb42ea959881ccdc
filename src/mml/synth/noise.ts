/**
 * The noise channel: a 15-bit shift register whose lowest bit mutes the output. It
 * keeps shifting while it is silent; these shifts are computed together when it is
 * audible again.
 */
import type { ControlChange } from '../performance/performance.ts'
import { NOISE_PERIODS } from '../chip/chip-tables.ts'
import type { Voice } from './voice.ts'

/** Shifts after which the register repeats; 93 covers both short cycles (93 and 31). */
const LONG_CYCLE = 32_767
const SHORT_CYCLE = 93

export class Noise implements Voice {
  nextAt = Infinity
  output = 0
  #register = 1
  /** CPU cycle of the next shift, audible or not. */
  #shiftAt = 0
  #period = NOISE_PERIODS[0] ?? 1
  #level = 0
  /** The bit compared with the lowest one: 1 in the long cycle, 6 in the short. */
  #tap = 1

  step(): void {
    this.#shift()
    this.#shiftAt += this.#period
    this.#reachLevel()
  }

  /** The current period keeps its length: the chip reloads the divider only when it has run out. */
  change(at: number, { level, period, short }: ControlChange): void {
    this.#catchUp(at)
    this.#period = NOISE_PERIODS[period] ?? 1
    this.#level = level
    this.#tap = short ? 6 : 1
    this.#reachLevel()
  }

  #catchUp(at: number): void {
    if (at < this.#shiftAt) return
    const shifts = 1 + Math.floor((at - this.#shiftAt) / this.#period)
    this.#shiftAt += shifts * this.#period
    const cycle = this.#tap === 6 ? SHORT_CYCLE : LONG_CYCLE
    for (let left = shifts % cycle; left > 0; left -= 1) this.#shift()
  }

  #shift(): void {
    const register = this.#register
    const feedback = (register ^ (register >> this.#tap)) & 1
    this.#register = (register >> 1) | (feedback << 14)
  }

  #reachLevel(): void {
    this.output = (this.#register & 1) === 0 ? this.#level : 0
    this.nextAt = this.#level === 0 ? Infinity : this.#shiftAt
  }
}
