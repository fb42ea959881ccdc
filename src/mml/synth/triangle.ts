/**
 * The triangle channel: a divider that walks round 32 levels. It has no volume;
 * halted, it holds the level it stands on, as the chip does, so that the end of
 * a note makes no click.
 */
import type { ControlChange } from './performance.ts'
import { TRIANGLE_LEVELS } from './chip-tables.ts'
import type { Voice } from './voice.ts'

export class Triangle implements Voice {
  nextAt = Infinity
  output = TRIANGLE_LEVELS[0] ?? 0
  #position = 0
  #cyclesPerStep = 1

  step(): void {
    this.#position = (this.#position + 1) & 31
    this.output = TRIANGLE_LEVELS[this.#position] ?? 0
    this.nextAt += this.#cyclesPerStep
  }

  change(at: number, { level, timer }: ControlChange): void {
    this.#cyclesPerStep = timer + 1
    if (level === 0) this.nextAt = Infinity
    else if (this.nextAt === Infinity) this.nextAt = at + this.#cyclesPerStep
  }
}
