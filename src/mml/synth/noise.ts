/**
 * The noise channel: a shift register of 15 bits whose lowest bit mutes the
 * output. It runs on while it cannot be heard; those shifts are made up for at
 * once when it comes back.
 */
import type { ControlChange } from './performance.ts'
import { NOISE_PERIODS } from './chip-tables.ts'
import type { Voice } from './voice.ts'

/** After so many shifts the register is where it was, in whichever short cycle (93 or 31) it runs. */
const LONG_CYCLE = 32_767
const SHORT_CYCLE = 93

export class Noise implements Voice {
  nextAt = Infinity
  output = 0
  #register = 1
  /** Cycle of the next shift, heard or not. */
  #shiftAt = 0
  #period = NOISE_PERIODS[0] ?? 1
  #level = 0
  /** The bit that is compared with the lowest: 1 for the long cycle, 6 for the short. */
  #tap = 1

  step(): void {
    this.#shift()
    this.#shiftAt += this.#period
    this.#reachLevel()
  }

  /** A period under way keeps its length, as the divider is loaded only when it has run out. */
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
