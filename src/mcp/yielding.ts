/**
 * Pauses long work, so that the other requests of its isolate run. A pause costs
 * a timer of one millisecond, in which 0.1 s of sound could be rendered; therefore
 * the work done decides when to pause, not the number of steps. The clock can't
 * measure the work: it does not advance while code computes.
 */
import { pause } from './mutex.ts'

/** Work between two pauses, in units of about 100 ns: a few milliseconds, on a slow machine a few tens. */
const EFFORT_PER_PAUSE = 30_000

export class Yielding {
  #effort = 0

  /** Call after some work. True when it has paused: the clock and signals may have changed. */
  async spend(effort: number): Promise<boolean> {
    this.#effort += effort
    if (this.#effort < EFFORT_PER_PAUSE) return false
    this.#effort = 0
    await pause()
    return true
  }
}
