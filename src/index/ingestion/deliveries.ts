/**
 * Webhook deliveries, remembered in the transaction that they caused, so that a
 * delivery which failed can be sent again and one that succeeded has no second effect.
 */
import type { Index } from '../sql/index-database.ts'

export interface DeliveryId {
  /** The id of the hook at GitHub. */
  readonly hook: string
  readonly delivery: string
}

export async function wasDelivered({ database }: Index, { hook, delivery }: DeliveryId): Promise<boolean> {
  const found = await database
    .prepare('SELECT 1 FROM deliveries WHERE hook = ?1 AND delivery = ?2')
    .bind(hook, delivery)
    .first()
  return found !== null
}

/** Unix milliseconds of the last delivery that is remembered; undefined without one. */
export async function readLastDelivery({ database }: Index): Promise<number | undefined> {
  const last = await database.prepare('SELECT max(received_at) AS last FROM deliveries').first<number>('last')
  return last ?? undefined
}

/** Fails the transaction if the delivery is remembered already, and remembers it. */
export function deliveryStatements(
  database: D1Database,
  { hook, delivery }: DeliveryId,
  nowMs: number,
): D1PreparedStatement[] {
  return [
    database
      .prepare(
        'INSERT INTO guards (holds) SELECT 0 WHERE EXISTS (SELECT 1 FROM deliveries WHERE hook = ?1 AND delivery = ?2)',
      )
      .bind(hook, delivery),
    database
      .prepare('INSERT INTO deliveries (hook, delivery, received_at) VALUES (?1, ?2, ?3)')
      .bind(hook, delivery, nowMs),
  ]
}
