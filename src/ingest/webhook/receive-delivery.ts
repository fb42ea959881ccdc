/**
 * Receives a delivery whose signature is right. It is about a configured
 * repository or ignored. Its documents are put with the origin of a delivery, so
 * that nothing older replaces something newer and nothing removed comes back; a
 * thing that the payload does not decide is queued to be read again.
 */
import { ok, type Result } from '../../base/result.ts'
import { wasDelivered } from '../../index/ingestion/deliveries.ts'
import { EVENT_READERS } from '../events/index.ts'
import type { IngestDependencies } from '../ingest-dependencies.ts'
import type { Delivery } from './delivery.ts'
import { identifyRepository } from './identify-repository.ts'
import { NO_EFFECT, putDelivery, type DeliverySummary } from './put-delivery.ts'
import { receiveRepositoryEvent } from './repository-event.ts'

export async function receiveDelivery(deps: IngestDependencies, delivery: Delivery): Promise<Result<DeliverySummary>> {
  const { event, payload } = delivery
  if (event === 'ping') return ok(NO_EFFECT)
  const read = Object.hasOwn(EVENT_READERS, event) ? EVENT_READERS[event] : undefined
  if (read === undefined && event !== 'repository') return ok({ ...NO_EFFECT, isIgnored: true })
  const to = await identifyRepository(deps, delivery)
  if (to === undefined) return ok({ ...NO_EFFECT, isIgnored: true })
  if (await wasDelivered(deps.index, delivery)) return ok({ ...NO_EFFECT, repository: to.name, isDuplicate: true })
  return read === undefined
    ? receiveRepositoryEvent(deps, delivery, to)
    : putDelivery(deps, delivery, to, read(payload, to))
}
