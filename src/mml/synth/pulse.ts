/**
 * A pulse channel: a divider that steps through eight high and low values. Only the
 * edges of the wave are computed, and nothing while it is silent; afterwards the
 * position in the wave is advanced to where the chip would be.
 */
import type { ControlChange } from '../performance/performance.ts'
import { LOWEST_PULSE_TIMER } from '../chip/chip-tables.ts'
import type { Voice } from './voice.ts'

/** The eight steps of each of the four pulse waves: 12.5, 25, 50 and 75 %. */
const DUTIES: readonly (readonly number[])[] = [
  [0, 1, 0, 0, 0, 0, 0, 0],
  [0, 1, 1, 0, 0, 0, 0, 0],
  [0, 1, 1, 1, 1, 0, 0, 0],
  [1, 0, 0, 1, 1, 1, 1, 1],
]

/** CPU cycles of one step of a pulse, for each unit of timer + 1. */
const PULSE_CYCLES = 2

/** For each duty and step: the number of steps to the next edge. */
const STEPS_TO_EDGE = DUTIES.map((steps) =>
  steps.map((level, at) => {
    let ahead = 1
    while (steps[(at + ahead) & 7] === level) ahead += 1
    return ahead
  }),
)

export class Pulse implements Voice {
  nextAt = Infinity
  output = 0
  #position = 0
  /** CPU cycle at which the step at `#position` ends. */
  #stepEnds = 0
  #cyclesPerStep = PULSE_CYCLES
  #level = 0
  #duty = 0

  step(): void {
    const ahead = this.#stepsToEdge()
    this.#position = (this.#position + ahead) & 7
    this.#stepEnds = this.nextAt + this.#cyclesPerStep
    this.#reachLevel()
  }

  /** The current step keeps its length: the chip reloads the divider only when it has run out. */
  change(at: number, { level, timer, duty, restart }: ControlChange): void {
    this.#catchUp(at)
    this.#cyclesPerStep = PULSE_CYCLES * (timer + 1)
    this.#level = timer < LOWEST_PULSE_TIMER ? 0 : level
    this.#duty = duty
    if (restart) {
      this.#position = 0
      this.#stepEnds = at + this.#cyclesPerStep
    }
    this.#reachLevel()
  }

  /** Advances over all steps that have ended by this cycle, silent ones included. */
  #catchUp(at: number): void {
    if (at < this.#stepEnds) return
    const steps = 1 + Math.floor((at - this.#stepEnds) / this.#cyclesPerStep)
    this.#position = (this.#position + steps) & 7
    this.#stepEnds += steps * this.#cyclesPerStep
  }

  #reachLevel(): void {
    this.output = DUTIES[this.#duty]?.[this.#position] === 1 ? this.#level : 0
    this.nextAt = this.#level === 0 ? Infinity : this.#stepEnds + (this.#stepsToEdge() - 1) * this.#cyclesPerStep
  }

  #stepsToEdge(): number {
    return STEPS_TO_EDGE[this.#duty]?.[this.#position] ?? 1
  }
}
