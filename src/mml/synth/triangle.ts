/**
 * The triangle channel: a divider that steps through 32 levels. It has no volume. A
 * halted triangle keeps its level, as on the chip, so a note ends without a click.
 */
import type { ControlChange } from '../performance/performance.ts'
import type { Voice } from './voice.ts'

/** The levels of one cycle of the triangle; a step takes timer + 1 CPU cycles. */
const TRIANGLE_LEVELS: readonly number[] = [
  15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
]

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
