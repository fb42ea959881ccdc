/**
 * One run at a time reads GitHub: a run holds a lease, renews it before its
 * requests, and every page it commits is refused once the lease is lost. A
 * killed run keeps it until it expires.
 */
import { refuse, type Result } from '../../base/result.ts'
import { dropLease, renewLease, RUN_LEASE, takeLease, type RunLease } from '../../index/ingestion/leases.ts'
import type { IngestDependencies } from '../ingest-dependencies.ts'
import { LEASE_MS, RENEWAL_MS } from '../limits.ts'

/** Milliseconds between two looks at a lease that another run holds. */
const LEASE_POLL_MS = 250

export interface HeldLease {
  readonly lease: RunLease
  /** Renews the lease if it is time; false once another run has taken it. */
  readonly renew: () => Promise<boolean>
}

/** The result of `work`; BUSY, with the time until the other run's lease ends, while another run holds it. */
export async function withLease<Value>(
  { index, now, newId }: Pick<IngestDependencies, 'index' | 'now' | 'newId'>,
  work: (held: HeldLease) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const lease = { name: RUN_LEASE, holder: newId() }
  const taken = await takeLease(index, lease, now(), LEASE_MS)
  if (!taken.ok) {
    return refuse({
      code: 'BUSY',
      message: 'Another run is reading GitHub; one runs at a time.',
      retryAfterMs: Math.max(1, taken.expiresAtMs - now()),
    })
  }
  let renewedAtMs = now()
  let isHeld = true
  const renew = async (): Promise<boolean> => {
    if (!isHeld || now() - renewedAtMs < RENEWAL_MS) return isHeld
    renewedAtMs = now()
    isHeld = await renewLease(index, lease, renewedAtMs, LEASE_MS)
    return isHeld
  }
  try {
    return await work({ lease, renew })
  } finally {
    await dropLease(index, lease)
  }
}

/** The same, but waits up to `ms` for the other run. */
export async function waitForLease<Value>(
  deps: Pick<IngestDependencies, 'index' | 'now' | 'newId'>,
  ms: number,
  work: (held: HeldLease) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  for (let waitedMs = 0; ; waitedMs += LEASE_POLL_MS) {
    let began = false
    const result = await withLease(deps, (held) => {
      began = true
      return work(held)
    })
    if (began || result.ok || waitedMs >= ms) return result
    await new Promise((resolve) => setTimeout(resolve, LEASE_POLL_MS))
  }
}
