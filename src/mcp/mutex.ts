/**
 * Mutual exclusion within one isolate. The holder has a lease and renews it while
 * it works, because a request that the platform cuts off releases nothing: its
 * lease ends, and a waiting caller takes the mutex.
 */

/** How long a lease lasts without being renewed. Work renews it every few milliseconds. */
const LEASE_MS = 2_000

/** How often a waiting caller looks again. */
const RETRY_MS = 10

/** Milliseconds since a fixed moment. In an isolate it advances only when code awaits I/O. */
export type ClockMs = () => number

export interface Lease {
  renew(): void
  /** Does nothing when the lease has ended and another caller has taken the mutex. */
  release(): void
}

export class Mutex {
  #holder: { endsAt: number } | undefined

  /** Waits until the mutex is free. Undefined when `signal` aborts before. */
  async take(now: ClockMs, signal: AbortSignal): Promise<Lease | undefined> {
    while (this.#holder !== undefined && this.#holder.endsAt > now()) {
      if (signal.aborted) return undefined
      await pause(RETRY_MS)
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

/** Lets other requests of the isolate run, and its clock advance. */
export function pause(ms = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
