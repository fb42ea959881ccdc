/**
 * How often long work gives way to the other requests of its isolate. Giving
 * way costs a timer's millisecond, which is more than a tenth of a second of
 * sound takes to make; so it is the work done that counts, not the steps of it.
 * The clock is no measure: it stands still while nothing waits.
 */
import { pause } from './mutex.ts'

/** Work between two pauses, in units of about 100 ns: some milliseconds, on a slow machine some tens. */
const EFFORT = 30_000

export class Yielding {
  #effort = 0

  /** After some work; true when it gave way to others, and the clock and signals may have moved. */
  async spend(effort: number): Promise<boolean> {
    this.#effort += effort
    if (this.#effort < EFFORT) return false
    this.#effort = 0
    await pause()
    return true
  }
}
