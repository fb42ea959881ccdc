/** Puts what a delivery says in one transaction, which also remembers the delivery: one that failed can be sent again. */
import { ok, type Result } from '../../base/result.ts'
import type { DocumentChange } from '../../documents/document.ts'
import { putPage } from '../../index/write/put-page.ts'
import type { IngestDependencies } from '../ingest-dependencies.ts'
import type { PendingRead } from '../surfaces/surface.ts'
import type { Delivery } from './delivery.ts'
import type { DeliveredTo } from './identify-repository.ts'

export interface DeliverySummary {
  readonly written: number
  readonly unchanged: number
  readonly stale: number
  readonly removed: number
  /** Reads that it queued. */
  readonly pending: number
  readonly repository?: string
  /** It was committed before. */
  readonly isDuplicate?: boolean
  /** It is about nothing that the index has. */
  readonly isIgnored?: boolean
}

export const NO_EFFECT: DeliverySummary = { written: 0, unchanged: 0, stale: 0, removed: 0, pending: 0 }

export async function putDelivery(
  { index, now }: Pick<IngestDependencies, 'index' | 'now'>,
  { hook, delivery }: Delivery,
  to: DeliveredTo,
  {
    changes = [],
    pending = [],
  }: { readonly changes?: readonly DocumentChange[]; readonly pending?: readonly PendingRead[] },
): Promise<Result<DeliverySummary>> {
  const put = await putPage(
    index,
    {
      changes: changes.map((change) => inRepository(change, to)),
      origin: { kind: 'delivery', hook, delivery },
      pending: pending.map((read) => ({ ...read, repoId: to.id })),
    },
    now(),
  )
  if (!put.ok) return put
  const { duplicate = false, ...counts } = put.value
  if (duplicate) return ok({ ...NO_EFFECT, repository: to.name, isDuplicate: true })
  return ok({ ...counts, pending: counts.pending + pending.length, repository: to.name })
}

/** A payload may be old: what it says of the repository itself is not taken from it. */
function inRepository(change: DocumentChange, { id, name }: DeliveredTo): DocumentChange {
  const repository = { id, name }
  return 'put' in change
    ? { ...change, put: { ...change.put, repository } }
    : { remove: { ...change.remove, repository } }
}
