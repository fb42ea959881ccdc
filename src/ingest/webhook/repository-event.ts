/**
 * Deliveries about a repository itself. A deleted one loses its rows, a
 * privatized one is hidden, both at once. Other changes are read from GitHub,
 * because deliveries come in any order; if GitHub does not answer, the payload
 * counts until a maintenance run has read them. It never makes rows public.
 */
import { ok, type Result } from '../../base/result.ts'
import type { ReadKind } from '../../base/vocabulary.ts'
import { readMarker } from '../../index/sql/markers.ts'
import { dropRepository } from '../../index/write/drop-repository.ts'
import { listRepositories, putRepository, type KnownRepository } from '../../index/write/put-repository.ts'
import type { IngestDependencies } from '../ingest-dependencies.ts'
import { MAX_DELIVERY_REQUEST_MS, MAX_DROP_MS } from '../limits.ts'
import { askRepository } from '../names/check-name.ts'
import { parseRepositoryFacts, type RepositoryFacts } from '../names/repository-facts.ts'
import { DELETED } from '../pending-reads-run.ts'
import type { Delivery } from './delivery.ts'
import type { DeliveredTo } from './identify-repository.ts'
import { NO_EFFECT, putDelivery, type DeliverySummary } from './put-delivery.ts'
import { within } from './time-limit.ts'

/** The kinds of reads after each action; other actions say nothing that the index has. */
const READ_AFTER: Readonly<Record<string, readonly ReadKind[]>> = {
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
  { id, name }: DeliveredTo,
): Promise<Result<DeliverySummary>> {
  const { index } = deps
  const { action = '' } = delivery
  const known = (await listRepositories(index)).find(({ repoId }) => repoId === id)
  if (known !== undefined && action === 'deleted') return deleteRepository(deps, delivery, known)
  const kinds = READ_AFTER[action]
  if (kinds === undefined || known === undefined) return ok({ ...NO_EFFECT, repository: name, isIgnored: true })
  const { repoId } = known
  if (action === 'privatized') await putRepository(index, { ...sourceOf(known), private: true }, { kind: 'delivery' })
  const isRead = await readAndPut(deps, known)
  const delivered = parseRepositoryFacts(delivery.payload['repository'])
  if (!isRead && delivered?.id === repoId) {
    const now = { ...sourceOf(known), ...factsOf(delivered), private: known.private || delivered.private }
    await putRepository(index, now, { kind: 'delivery' })
  }
  const pending = kinds.map((kind) => ({ kind, key: '' }))
  return putDelivery(deps, delivery, { id: repoId, name: known.name }, { pending })
}

/** False if GitHub did not answer in time. */
async function readAndPut(deps: IngestDependencies, { repoId, name }: KnownRepository): Promise<boolean> {
  const marker = await readMarker(deps.index)
  const github = deps.github.openRun({ budget: 1 }).forRepository(name)
  const answer = await within(MAX_DELIVERY_REQUEST_MS, askRepository(github, `/repositories/${repoId}`))
  if (answer?.kind !== 'found' || answer.facts.id !== repoId) return false
  await putRepository(deps.index, { repoId, ...factsOf(answer.facts) }, { kind: 'read', marker })
  return true
}

/** Everything of it goes; the next maintenance run removes the rest if the time of an answer is too short. */
async function deleteRepository(
  deps: IngestDependencies,
  delivery: Delivery,
  { repoId, name }: KnownRepository,
): Promise<Result<DeliverySummary>> {
  const { index, now } = deps
  const deadlineMs = now() + MAX_DROP_MS
  const { removed, done } = await dropRepository(index, repoId, now(), () => now() < deadlineMs)
  if (done) return ok({ ...NO_EFFECT, removed, repository: name })
  const put = await putDelivery(
    deps,
    delivery,
    { id: repoId, name },
    { pending: [{ kind: 'repository', key: DELETED }] },
  )
  return put.ok ? ok({ ...put.value, removed }) : put
}

function sourceOf({ repoId, name, private: hidden, archived, defaultBranch }: KnownRepository) {
  return { repoId, name, private: hidden, archived, defaultBranch }
}

function factsOf({ name, private: hidden, archived, defaultBranch }: RepositoryFacts) {
  return { name, private: hidden, archived, defaultBranch }
}
