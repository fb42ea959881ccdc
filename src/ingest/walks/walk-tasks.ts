/** The work of a run as tasks: names to look up, and surfaces to take a step of. */
import type { Surface } from '../../base/vocabulary.ts'
import { SURFACES } from '../../base/vocabulary.ts'
import type { SurfaceRead, Walk } from '../../index/ingestion/surface-reads.ts'
import type { ConfiguredRepository } from '../names/configured-repositories.ts'
import { SURFACE_SPECS } from '../surfaces/index.ts'
import type { Task } from './task-queue.ts'

export interface NameTask extends Task {
  readonly kind: 'name'
  readonly of: ConfiguredRepository
}

export interface SurfaceTask extends Task {
  readonly kind: 'surface'
  readonly of: ConfiguredRepository & Required<Pick<ConfiguredRepository, 'repository'>>
  readonly surface: Surface
  readonly position: unknown
  readonly attempts: number
  /** Set after a failure. */
  readonly retryAtMs?: number
  /** It is still to be read to its end in this round. */
  readonly isOpen: boolean
  /** Polls have come to its end at least once. */
  readonly isRead: boolean
  readonly endedAtMs?: number
}

/** The surfaces that are walked for the one of a request, or for all nine: also those that it follows. */
export function listWalked(surface: Surface | undefined): Surface[] {
  const wanted = surface === undefined ? SURFACES : [SURFACE_SPECS[surface].after ?? surface, surface]
  return [...new Set(wanted.map(walkedSurface))]
}

/** The surface whose walk reads this one. */
export function walkedSurface(surface: Surface): Surface {
  return SURFACE_SPECS[surface].readWith ?? surface
}

export function toNameTask(of: ConfiguredRepository): NameTask {
  const { configured, name } = of
  return {
    kind: 'name',
    repository: configured,
    hasBegun: name !== undefined,
    hasFailed: name?.retryAtMs !== undefined,
    lastMs: name?.checkedAtMs ?? 0,
    of,
  }
}

/** The tasks of a repository that its name is known to stand for; none for another. */
export function toSurfaceTasks(
  of: ConfiguredRepository,
  surfaces: readonly Surface[],
  reads: readonly SurfaceRead[],
  walk: Walk,
): SurfaceTask[] {
  const { configured, repository } = of
  if (repository === undefined) return []
  return surfaces.map((surface) => {
    const read = findRead(reads, repository.repoId, surface, walk)
    return {
      kind: 'surface',
      repository: configured,
      hasBegun: read?.position !== undefined || read?.endedAtMs !== undefined,
      hasFailed: (read?.attempts ?? 0) > 0,
      lastMs: read?.movedAtMs ?? 0,
      of: { ...of, repository },
      surface,
      position: read?.position,
      attempts: read?.attempts ?? 0,
      ...(read?.retryAtMs !== undefined && { retryAtMs: read.retryAtMs }),
      isOpen: read?.isUnread ?? true,
      isRead: findRead(reads, repository.repoId, surface, 'poll')?.endedAtMs !== undefined,
      ...(read?.endedAtMs !== undefined && { endedAtMs: read.endedAtMs }),
    }
  })
}

export function findRead(
  reads: readonly SurfaceRead[],
  repoId: number,
  surface: Surface,
  walk: Walk,
): SurfaceRead | undefined {
  return reads.find((read) => read.repoId === repoId && read.surface === surface && read.walk === walk)
}
