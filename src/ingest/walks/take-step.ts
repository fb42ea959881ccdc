/**
 * One step of a walk: fetches through the surface, then commits what it found
 * together with the new position. The marker that is taken before the first
 * request shows whether something was removed or delivered meanwhile.
 */
import type { Result } from '../../base/result.ts'
import type { GitHubFault, GitHubResult } from '../../github/github.ts'
import { comparedRows } from '../../index/ingestion/compared-rows.ts'
import { holdsLease } from '../../index/ingestion/leases.ts'
import { readMarker } from '../../index/sql/markers.ts'
import { recordTrouble, type SurfaceMove, type Walk } from '../../index/ingestion/surface-reads.ts'
import type { PageSummary } from '../../index/write/page-plan.ts'
import { putPage, type IndexPage } from '../../index/write/put-page.ts'
import type { IngestDependencies } from '../ingest-dependencies.ts'
import type { RequestBudget } from '../request-budget.ts'
import { SURFACE_SPECS } from '../surfaces/index.ts'
import type { Step, SurfaceContext, SurfaceRepository } from '../surfaces/surface.ts'
import { toTrouble } from '../fault-trouble.ts'
import type { HeldLease } from './run-lease.ts'
import { splitPage } from './split-page.ts'
import { addCounts, NO_COUNTS, type WalkCounts } from './walk-request.ts'
import type { SurfaceTask } from './walk-tasks.ts'

export interface StepRun {
  readonly deps: IngestDependencies
  readonly held: HeldLease
  readonly budget: RequestBudget
  readonly walk: Walk
  /** In a dry run, in which nothing is written: the documents that it would have removed so far. */
  readonly dryRemoved?: Set<number> | undefined
}

export type StepOutcome =
  | { readonly kind: 'moved'; readonly counts: WalkCounts; readonly position: unknown; readonly ended: boolean }
  /** The trouble is recorded. */
  | { readonly kind: 'failed'; readonly fault: GitHubFault }
  | { readonly kind: 'spent' }
  /** Another run has the lease now. */
  | { readonly kind: 'lost' }

/** Without `mayEnd`, the walk is not at its end when its surface says so: there will be more to follow. */
export async function takeStep(run: StepRun, task: SurfaceTask, mayEnd = true): Promise<StepOutcome> {
  const { deps, budget, held, walk } = run
  const marker = await readMarker(deps.index)
  const usedBefore = budget.used
  const context = surfaceContext(deps, task.of.repository, budget)
  const read = await fetchStep(deps, () => SURFACE_SPECS[task.surface][walk](context, task.position))
  const requests = budget.used - usedBefore
  const result = read.ok && isStuck(read.value, task) ? STUCK : read
  if (!(await held.renew())) return { kind: 'lost' }
  if (!result.ok) return recordFault(run, task, result.fault, requests)
  const ended = result.value.ended && mayEnd
  const committed = await commitStep(run, task, { ...result.value, ended }, { marker, requests })
  if (!committed.ok) {
    if (!(await holdsLease(deps.index, held.lease))) return { kind: 'lost' }
    return recordFault(run, task, { kind: 'fault', reason: committed.failure.message }, requests)
  }
  const { position, closed } = result.value
  return { kind: 'moved', counts: committed.value, position, ended: result.value.ended || closed !== undefined }
}

/** The context of a surface; the repository is as the index knows it now. */
export function surfaceContext(
  { index, settings, now }: IngestDependencies,
  repository: SurfaceTask['of']['repository'],
  budget: RequestBudget,
): SurfaceContext {
  const { repoId: id, name, private: hidden, defaultBranch } = repository
  const described: SurfaceRepository = { id, name, private: hidden, defaultBranch, serverUrl: settings.urls.server }
  return { github: budget.github(name), repository: described, rows: comparedRows(index, id), nowMs: now() }
}

/** A bug in a surface is that surface's fault alone; the log has the evidence. */
export async function fetchStep<Value>(
  { log }: IngestDependencies,
  fetch: () => Promise<GitHubResult<Value>>,
): Promise<GitHubResult<Value>> {
  try {
    return await fetch()
  } catch (error) {
    log.error('surface_bug', { evidence: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    return { ok: false, fault: { kind: 'fault', reason: 'The server failed on an answer; its log has the reason.' } }
  }
}

/** Such a step would be taken for ever. */
function isStuck({ ended, closed, position, changes }: Step, task: SurfaceTask): boolean {
  const isSame = task.hasBegun && JSON.stringify(position) === JSON.stringify(task.position)
  return isSame && !ended && closed === undefined && changes.length === 0
}

const STUCK: GitHubResult<Step> = { ok: false, fault: { kind: 'fault', reason: 'The list does not go on.' } }

/** The last page moves the position, after all others. */
async function commitStep(
  { deps, held, walk, dryRemoved }: StepRun,
  { of, surface }: SurfaceTask,
  step: Step,
  { marker, requests }: { readonly marker: number; readonly requests: number },
): Promise<Result<WalkCounts>> {
  const { repoId } = of.repository
  const pages = splitPage(step.changes)
  const { position, ended, done, total, closed } = step
  const move: SurfaceMove = {
    repoId,
    surface,
    walk,
    // A lap begins at the beginning each time.
    position: walk === 'lap' && ended ? undefined : position,
    ended,
    requests,
    ...(done !== undefined && { done }),
    ...(total !== undefined && { total }),
    ...(closed && { closed }),
  }
  const pending = (step.pending ?? []).map((read) => ({ ...read, repoId }))
  let counts = addCounts(NO_COUNTS, { checked: step.checked ?? 0, pending: pending.length })
  for (const [at, changes] of pages.entries()) {
    const isLast = at === pages.length - 1
    const page: IndexPage = {
      changes,
      origin: { kind: 'read', marker },
      lease: held.lease,
      ...(isLast && { surface: move, pending }),
    }
    const put: Result<PageSummary> = await putPage(deps.index, page, deps.now(), { dryRemoved })
    if (!put.ok) return put
    counts = addCounts(counts, put.value)
  }
  return { ok: true, value: counts }
}

async function recordFault(
  { deps, walk, dryRemoved }: StepRun,
  { of, surface, attempts }: SurfaceTask,
  fault: GitHubFault,
  requests: number,
): Promise<StepOutcome> {
  if (fault.kind === 'spent') return { kind: 'spent' }
  const trouble = toTrouble(fault, attempts, deps.now())
  if (dryRemoved === undefined)
    await recordTrouble(deps.index, { repoId: of.repository.repoId, surface, walk, requests, ...trouble })
  return { kind: 'failed', fault }
}
