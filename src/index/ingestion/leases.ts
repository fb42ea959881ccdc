/**
 * Leases: one process at a time reads GitHub. A lease ends by itself, so that a
 * killed process delays others for a limited time; its holder renews it while it
 * works, and a page that was written under a lost lease is refused.
 */
import { MAX_LEASE_MS } from '../limits.ts'
import type { Index } from '../sql/index-database.ts'

/** The lease of every run that reads GitHub. */
export const RUN_LEASE = 'run'

export interface RunLease {
  readonly name: string
  /** Random, so that no two processes have the same. */
  readonly holder: string
}

export type LeaseAnswer =
  | { readonly ok: true }
  /** Another process has it, at most until then. */
  | { readonly ok: false; readonly expiresAtMs: number }

/** Takes a lease that is free or has expired, for `ms`, at most MAX_LEASE_MS. */
export async function takeLease(
  { database }: Index,
  lease: RunLease,
  nowMs: number,
  ms: number = MAX_LEASE_MS,
): Promise<LeaseAnswer> {
  const expiresAt = nowMs + Math.min(ms, MAX_LEASE_MS)
  const [taken, held] = await database.batch<{ expires_at: number }>([
    database
      .prepare(
        `INSERT INTO leases (name, holder, expires_at) VALUES (?1, ?2, ?3)
         ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
         WHERE leases.expires_at <= ?4 OR leases.holder = excluded.holder RETURNING expires_at`,
      )
      .bind(lease.name, lease.holder, expiresAt, nowMs),
    database.prepare('SELECT expires_at FROM leases WHERE name = ?1').bind(lease.name),
  ])
  if (taken!.results.length > 0) return { ok: true }
  return { ok: false, expiresAtMs: held!.results[0]?.expires_at ?? nowMs }
}

/** Extends a lease, also one that has expired meanwhile; false if another process has taken it. */
export async function renewLease(
  { database }: Index,
  { name, holder }: RunLease,
  nowMs: number,
  ms: number = MAX_LEASE_MS,
): Promise<boolean> {
  const { meta } = await database
    .prepare('UPDATE leases SET expires_at = ?3 WHERE name = ?1 AND holder = ?2')
    .bind(name, holder, nowMs + Math.min(ms, MAX_LEASE_MS))
    .run()
  return meta.changes > 0
}

/** Frees a lease; does nothing if another process has it. */
export async function dropLease({ database }: Index, { name, holder }: RunLease): Promise<void> {
  await database.prepare('DELETE FROM leases WHERE name = ?1 AND holder = ?2').bind(name, holder).run()
}

/** True while no other process has taken the lease. */
export async function holdsLease({ database }: Index, { name, holder }: RunLease): Promise<boolean> {
  const statement = database.prepare('SELECT 1 FROM leases WHERE name = ?1 AND holder = ?2').bind(name, holder)
  return (await statement.first()) !== null
}

/** Fails the transaction if another process has the lease. */
export function leaseGuard(database: D1Database, { name, holder }: RunLease): D1PreparedStatement {
  return database
    .prepare(
      `INSERT INTO guards (holds) SELECT 0
       WHERE NOT EXISTS (SELECT 1 FROM leases WHERE name = ?1 AND holder = ?2)`,
    )
    .bind(name, holder)
}
