/**
 * The repository that a delivery is about: a configured one, and by its id the
 * one that the configured name stands for. A name can pass to another
 * repository, and a repository to another name; the id decides.
 */
import { toNameKey } from '../../base/repository-name.ts'
import type { IngestDependencies } from '../ingest-dependencies.ts'
import { MAX_DELIVERY_REQUEST_MS } from '../limits.ts'
import { checkName } from '../names/check-name.ts'
import { listConfigured, type ConfiguredRepository } from '../names/configured-repositories.ts'
import { derivedRepoId } from '../../index/documents/vector-id.ts'
import { adoptConfiguredName } from '../../index/ingestion/configured-names.ts'
import { readMarker } from '../../index/sql/markers.ts'
import { putRepository } from '../../index/write/put-repository.ts'
import type { Delivery } from './delivery.ts'
import { within } from './time-limit.ts'

/** The repository as the index knows it, or as the delivery names it before the first read. */
export interface DeliveredTo {
  readonly id: number
  readonly name: string
}

/** Undefined for one that is not configured, or that has taken the name of a configured one. */
export async function identifyRepository(
  deps: IngestDependencies,
  { repository }: Delivery,
): Promise<DeliveredTo | undefined> {
  if (repository === undefined || deps.settings.repositories.length === 0) return undefined
  const configured = await listConfigured(deps)
  const { id } = repository
  const known = configured.find((one) => one.name?.repoId !== undefined && one.name.repoId === id)
  if (known !== undefined && id !== undefined) return { id, name: known.repository?.name ?? repository.name }
  const named = configured.find((one) => toNameKey(one.configured) === toNameKey(repository.name))
  if (named === undefined) return undefined
  return confirm(deps, named, repository)
}

/**
 * Asks GitHub what the name stands for. Without an answer, a name of which
 * nothing is known stands for what the signed delivery says.
 */
async function confirm(
  deps: IngestDependencies,
  named: ConfiguredRepository,
  { id, name }: Partial<DeliveredTo> & { readonly name: string },
): Promise<DeliveredTo | undefined> {
  const known = named.repository
  if (id === undefined && known !== undefined) return { id: known.repoId, name: known.name }
  const run = deps.github.openRun({ budget: 1 })
  const answer = await within(MAX_DELIVERY_REQUEST_MS, checkName(deps, run.forRepository(named.configured), named))
  if (answer?.kind === 'found') {
    const { facts } = answer
    return id === undefined || id === facts.id ? { id: facts.id, name: facts.name } : undefined
  }
  if (known !== undefined || answer?.kind === 'absent') return undefined
  return adopt(deps, named.configured, { id: id ?? derivedRepoId(toNameKey(name)), name })
}

/** Until GitHub has said whether it is public, its rows are private. */
async function adopt({ index }: IngestDependencies, configured: string, to: DeliveredTo): Promise<DeliveredTo> {
  const { id: repoId, name } = to
  const marker = await readMarker(index)
  const unknown = { repoId, name, private: true, defaultBranch: undefined, archived: false }
  await putRepository(index, unknown, { kind: 'read', marker })
  await adoptConfiguredName(index, configured, repoId)
  return to
}
