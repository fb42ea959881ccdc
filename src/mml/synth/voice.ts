/**
 * The port between the synthesizer and a voice. Voices count CPU cycles, not samples.
 * A voice gives the cycle at which its output may change next; the synthesizer
 * advances it to that cycle, or applies new controls before it.
 */
import type { ControlChange } from '../performance/performance.ts'

export interface Voice {
  /** CPU cycle at which the output may change next; Infinity while it is constant. */
  nextAt: number
  /** The level at the mixer, 0 to 15. */
  output: number
  /** Advances to `nextAt`. */
  step(): void
  /** Applies new controls at a cycle that is not after `nextAt`. */
  change(at: number, controls: ControlChange): void
}
