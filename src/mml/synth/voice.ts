/**
 * What the renderer asks of a voice. A voice lives in cycles of the processor
 * and knows nothing of samples: it says when its output may change next, and
 * is told to step there or to take a change of its controls on the way.
 */
import type { ControlChange } from './performance.ts'

export interface Voice {
  /** Cycle at which the output may change next; infinity while it rests. */
  nextAt: number
  /** What the channel gives the mixer now, 0 to 15. */
  output: number
  /** Moves to `nextAt`. */
  step(): void
  /** Takes new controls at a cycle that is not after `nextAt`. */
  change(at: number, controls: ControlChange): void
}
