/**
 * One at a time in an isolate. Whoever has the turn holds a lease and renews it
 * while it works, because a request that is cut off never gives anything back:
 * its lease runs out, and the next in line goes on without it.
 */

/** How long a turn outlives its last sign of life, of which there is one every few milliseconds of work. */
const LEASE_MS = 2_000

/** How often one who waits looks again. */
const LOOK_AGAIN_MS = 10

/** Milliseconds since some moment; it may stand still while nothing waits. */
export type ClockMs = () => number

export interface Lease {
  renew(): void
  release(): void
}

export class Mutex {
  #holder: { endsAt: number } | undefined

  /** Waits for the turn; undefined when the one who waits is no longer wanted. */
  async take(now: ClockMs, signal: AbortSignal): Promise<Lease | undefined> {
    while (this.#holder !== undefined && this.#holder.endsAt > now()) {
      if (signal.aborted) return undefined
      await pause(LOOK_AGAIN_MS)
    }
    const mine = { endsAt: now() + LEASE_MS }
    this.#holder = mine
    return {
      renew: () => void (mine.endsAt = now() + LEASE_MS),
      release: () => {
        if (this.#holder === mine) this.#holder = undefined
      },
    }
  }
}

/** Lets others of the isolate go first, and the clock go on. */
export function pause(ms = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
