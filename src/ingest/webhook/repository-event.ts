/**
 * Deliveries about a repository itself. A deleted one loses its rows, a
 * privatized one is hidden, both at once. What else changed is asked of GitHub,
 * because deliveries come in any order; if GitHub does not answer, the payload
 * counts until a maintenance run has asked again. It never makes rows public.
 */
import { ok, type Result } from '../../base/result.ts'
import { dropRepository } from '../../index/ingestion/drop-repository.ts'
import { updateRepository } from '../../index/ingestion/indexed-repositories.ts'
import type { IngestDependencies } from '../ingest-dependencies.ts'
import { MAX_DELIVERY_REQUEST_MS } from '../limits.ts'
import { askRepository } from '../names/check-name.ts'
import { parseRepositoryFacts, type RepositoryFacts } from '../names/repository-facts.ts'
import type { PendingRead } from '../surfaces/surface.ts'
import type { Delivery } from './delivery.ts'
import type { DeliveredTo } from './identify-repository.ts'
import { NO_EFFECT, putDelivery, type DeliverySummary } from './put-delivery.ts'
import { within } from './time-limit.ts'

/** What to read again after each action; others say nothing that the index has. */
const READ_AFTER: Readonly<Record<string, readonly PendingRead['kind'][]>> = {
  renamed: ['repository'],
  transferred: ['repository'],
  privatized: ['repository'],
  publicized: ['repository'],
  archived: ['repository'],
  unarchived: ['repository'],
  edited: ['repository', 'docs', 'commits'],
}

export async function receiveRepositoryEvent(
  deps: IngestDependencies,
  delivery: Delivery,
  to: DeliveredTo,
): Promise<Result<DeliverySummary>> {
  const { action = '', payload } = delivery
  const { id } = to
  if (id !== undefined && action === 'deleted') return deleteRepository(deps, delivery, { ...to, id })
  const kinds = READ_AFTER[action]
  if (kinds === undefined || id === undefined) return ok({ ...NO_EFFECT, repository: to.name, isIgnored: true })
  const told = parseRepositoryFacts(payload['repository'])
  if (action === 'privatized') await updateRepository(deps.index, { repoId: id, private: true })
  const now = await within(MAX_DELIVERY_REQUEST_MS, askById(deps, to.name, id))
  const facts = now ?? (told && withoutPublicity(told))
  if (facts !== undefined) await updateRepository(deps.index, { ...facts, repoId: id })
  return putDelivery(deps, delivery, { id, name: facts?.name ?? to.name }, { pending: kinds.map((kind) => ({ kind, key: '' })) })
}

/** Everything of it goes. What is removed beyond the time of an answer is removed by the next maintenance run. */
async function deleteRepository(
  deps: IngestDependencies,
  delivery: Delivery,
  to: DeliveredTo & { readonly id: number },
): Promise<Result<DeliverySummary>> {
  const removed = await dropRepository(deps.index, to.id)
  return ok({ ...NO_EFFECT, removed, repository: to.name })
}

async function askById(deps: IngestDependencies, name: string, id: number): Promise<RepositoryFacts | undefined> {
  const outcome = await askRepository(deps.openRun({ requests: 2 }).forRepository(name), `/repositories/${id}`)
  return outcome.kind === 'found' && outcome.facts.id === id ? outcome.facts : undefined
}

/** A payload that says public may be older than one that said private. */
function withoutPublicity({ private: hidden, ...facts }: RepositoryFacts): Omit<RepositoryFacts, 'private'> & { readonly private?: boolean } {
  return { ...facts, ...(hidden && { private: true }) }
}
