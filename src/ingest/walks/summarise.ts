/** Where a round stands after a run: whether it is complete, how long what is left waits, and the state of each surface. */
import { SURFACES, type Surface } from '../../base/vocabulary.ts'
import type { SurfaceRead, Walk } from '../../index/ingestion/surface-reads.ts'
import type { ConfiguredRepository } from '../names/configured-repositories.ts'
import { SURFACE_SPECS } from '../surfaces/index.ts'
import { reportState } from './surface-states.ts'
import type { SurfaceReport, WalkSummary } from './walk-request.ts'
import { findRead, listWalked, walkedSurface } from './walk-tasks.ts'

export function summarise(
  selected: readonly ConfiguredRepository[],
  reads: readonly SurfaceRead[],
  walk: Walk,
  surface: Surface | undefined,
  nowMs: number,
): Pick<WalkSummary, 'done' | 'retryAfterMs' | 'surfaces'> {
  const left = selected.flatMap((of) => listLeft(of, listWalked(surface), reads, walk))
  const surfaces = selected.flatMap((of) =>
    (surface === undefined ? SURFACES : [surface]).map((one) => toReport(of, one, reads, walk)),
  )
  // Without a time there is something to do at once.
  const retryAtMs = Math.min(...left.map((one) => one.retryAtMs ?? 0))
  const isWaiting = left.length > 0 && retryAtMs > nowMs
  return { done: left.length === 0, ...(isWaiting && { retryAfterMs: retryAtMs - nowMs }), surfaces }
}

/** The parts of a repository that are not read to their end in this round. */
function listLeft(
  { name, repository }: ConfiguredRepository,
  surfaces: readonly Surface[],
  reads: readonly SurfaceRead[],
  walk: Walk,
): { readonly retryAtMs?: number }[] {
  if (name === undefined || name.isDue) return [name?.retryAtMs === undefined ? {} : { retryAtMs: name.retryAtMs }]
  // A name that leads nowhere has nothing to read.
  if (name.error !== undefined || repository === undefined) return []
  return surfaces.flatMap((one) => {
    const read = findRead(reads, repository.repoId, one, walk)
    if (read?.isUnread === false) return []
    const { after } = SURFACE_SPECS[one]
    const before = after && walk === 'poll' ? findRead(reads, repository.repoId, after, walk) : undefined
    // It can only end after the one before.
    const retryAtMs = before?.isUnread === true ? before.retryAtMs : read?.retryAtMs
    return [retryAtMs === undefined ? {} : { retryAtMs }]
  })
}

function toReport(
  { configured, name, repository }: ConfiguredRepository,
  surface: Surface,
  reads: readonly SurfaceRead[],
  walk: Walk,
): SurfaceReport {
  const read = repository && findRead(reads, repository.repoId, walkedSurface(surface), walk)
  const { state, error } = reportState(read, name)
  return { repository: repository?.name ?? configured, surface, state, ...(error !== undefined && { error }) }
}
