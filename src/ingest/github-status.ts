/**
 * How far GitHub is read, for the status: the credential and its limit, and of
 * each repository every surface with its state, rows, pending work and last
 * error. A surface counts as current only after a read to its end.
 */
import { SURFACES, type DocumentType, type ReadKind, type Surface, type SurfaceState } from '../base/vocabulary.ts'
import type { LimitState } from '../github/github.ts'
import { readLastDelivery } from '../index/ingestion/deliveries.ts'
import { countPendingReads, type PendingReadCount } from '../index/ingestion/pending-reads.ts'
import { listSurfaceReads, type SurfaceRead } from '../index/ingestion/surface-reads.ts'
import { readOverview, type RepositoryOverview } from '../index/maintenance/overview.ts'
import { listRepositories, type KnownRepository } from '../index/write/put-repository.ts'
import type { IngestDependencies } from './ingest-dependencies.ts'
import { listConfigured, type ConfiguredRepository } from './names/configured-repositories.ts'
import { reportState } from './walks/surface-states.ts'
import { findRead, walkedSurface } from './walks/walk-tasks.ts'

export interface GitHubOverview {
  readonly limit?: LimitState
  readonly lastDeliveryAtMs?: number
  /** Those of the index, and configured ones that are not in it yet, by name. */
  readonly repositories: readonly ReadRepository[]
}

export interface ReadRepository extends RepositoryOverview {
  readonly isConfigured: boolean
  readonly isArchived: boolean
  readonly defaultBranch?: string
  readonly surfaces: readonly SurfaceOverview[]
}

export interface SurfaceOverview {
  readonly surface: Surface
  readonly state: SurfaceState
  readonly rows: number
  /** While it is read for the first time. */
  readonly done?: number
  readonly total?: number
  readonly pending: number
  readonly requests: number
  readonly lastSuccessAtMs?: number
  readonly lastError?: string
  readonly retryAtMs?: number
}

/** The surface that a pending read belongs to; one of the repository itself belongs to none. */
const SURFACE_OF: Readonly<Record<ReadKind, Surface | undefined>> = {
  thread: 'issue',
  threads: 'issue',
  issue_comment: 'issue_comment',
  pr_review: 'pr_review',
  pr_review_comment: 'pr_review_comment',
  release: 'release',
  docs: 'doc',
  wiki: 'wiki_doc',
  commits: 'diff',
  repository: undefined,
}

export async function readGitHubStatus(deps: IngestDependencies): Promise<GitHubOverview> {
  const { index, github, settings } = deps
  const [overview, known, configured] = [
    await readOverview(index),
    await listRepositories(index),
    await listConfigured(deps),
  ]
  const [reads, pending] = [await listSurfaceReads(index), await countPendingReads(index)]
  const indexed = overview.map((one) => {
    const of = configured.find(({ repository }) => repository?.repoId === one.repoId)
    const facts = known.find(({ repoId }) => repoId === one.repoId)
    const own = pending.filter(({ repoId }) => repoId === one.repoId)
    return toRepository(one, facts, of, reads, own)
  })
  const unknown = configured
    .filter(({ repository }) => repository === undefined)
    .map((of) => toRepository(emptyOverview(of.configured), undefined, of, [], []))
  const limit = await github.readLimit(settings.repositories[0])
  const lastDeliveryAtMs = await readLastDelivery(index)
  return {
    ...(limit && { limit }),
    ...(lastDeliveryAtMs !== undefined && { lastDeliveryAtMs }),
    repositories: [...indexed, ...unknown].sort((one, other) => (one.name < other.name ? -1 : 1)),
  }
}

/** Private until GitHub says otherwise. */
function emptyOverview(name: string): RepositoryOverview {
  return { name, repoId: 0, private: true, documents: {}, cursors: [], pending: 0, pendingByType: {} }
}

function toRepository(
  overview: RepositoryOverview,
  facts: KnownRepository | undefined,
  of: ConfiguredRepository | undefined,
  reads: readonly SurfaceRead[],
  pending: readonly PendingReadCount[],
): ReadRepository {
  const isConfigured = of !== undefined
  const toRead = pending.reduce((sum, { count }) => sum + count, 0)
  const error = overview.lastError ?? pending.find((one) => one.error !== undefined)?.error
  return {
    ...overview,
    pending: overview.pending + toRead,
    ...(error !== undefined && { lastError: error }),
    isConfigured,
    isArchived: facts?.archived ?? false,
    ...(facts?.defaultBranch !== undefined && { defaultBranch: facts.defaultBranch }),
    surfaces: SURFACES.map((surface) => toSurface(surface, overview, of, reads, pending)),
  }
}

function toSurface(
  surface: Surface,
  { repoId, documents, pendingByType }: RepositoryOverview,
  of: ConfiguredRepository | undefined,
  reads: readonly SurfaceRead[],
  pending: readonly PendingReadCount[],
): SurfaceOverview {
  const walked = walkedSurface(surface)
  const read = findRead(reads, repoId, walked, 'poll')
  const lap = findRead(reads, repoId, walked, 'lap')
  const { state, error, retryAtMs } =
    of === undefined ? ({ state: 'off' } as const satisfies { state: SurfaceState }) : reportState(read, of.name)
  const again = pending.filter(({ kind }) => SURFACE_OF[kind] === surface)
  return {
    surface,
    state,
    rows: documents[surface] ?? 0,
    ...(read?.done !== undefined && { done: read.done }),
    ...(read?.total !== undefined && { total: read.total }),
    pending: (pendingByType[surface satisfies DocumentType] ?? 0) + again.reduce((sum, { count }) => sum + count, 0),
    requests: (read?.requests ?? 0) + (lap?.requests ?? 0),
    ...(read?.endedAtMs !== undefined && { lastSuccessAtMs: read.endedAtMs }),
    ...(error !== undefined && { lastError: error }),
    ...(retryAtMs !== undefined && { retryAtMs }),
  }
}
