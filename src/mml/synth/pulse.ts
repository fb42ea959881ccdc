/**
 * A pulse channel: a divider that walks round eight steps of high and low. It
 * jumps from edge to edge of the wave and rests while it cannot be heard; the
 * wave runs on all the same, so that it comes back where it would have been.
 */
import type { ControlChange } from './performance.ts'
import { DUTIES, LOWEST_PULSE_TIMER, PULSE_CYCLES } from './chip-tables.ts'
import type { Voice } from './voice.ts'

/** For each duty and step: how many steps it is to the next one with the other level. */
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
  /** Cycle at which the step at `#position` ends. */
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

  /** The step under way keeps its length, as the divider is loaded only when it has run out. */
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

  /** Takes the steps that have ended by this cycle, unheard ones too. */
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
