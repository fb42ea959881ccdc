/**
 * Processes pending reads: things that a delivery, a lap or a contradiction left
 * to be read again. Each is one thing by its key, or a walk of its surface to
 * the end. A read that fails is retried later and blocks no other.
 */
import { ok, type Result } from '../base/result.ts'
import type { ReadKind, Surface } from '../base/vocabulary.ts'
import type { GitHubFault, GitHubResult } from '../github/github.ts'
import { readMarker } from '../index/sql/markers.ts'
import { holdsLease } from '../index/ingestion/leases.ts'
import { listPendingReads, retryPendingRead, type QueuedRead } from '../index/ingestion/pending-reads.ts'
import { listSurfaceReads } from '../index/ingestion/surface-reads.ts'
import { dropRepository } from '../index/write/drop-repository.ts'
import { putPage } from '../index/write/put-page.ts'
import { putRepository } from '../index/write/put-repository.ts'
import type { IngestDependencies } from './ingest-dependencies.ts'
import { MAX_LEASE_WAIT_MS, MAX_PENDING_READS, RUN_MS } from './limits.ts'
import { askRepository } from './names/check-name.ts'
import { listConfigured } from './names/configured-repositories.ts'
import { openBudget, type RequestBudget } from './request-budget.ts'
import { AGAIN_READERS, SURFACE_SPECS } from './surfaces/index.ts'
import type { AgainReader } from './surfaces/read-again.ts'
import type { ReadAgain } from './surfaces/surface.ts'
import { toTrouble } from './fault-trouble.ts'
import { waitForLease, type HeldLease } from './walks/run-lease.ts'
import { splitPage } from './walks/split-page.ts'
import { fetchStep, surfaceContext, takeStep, type StepOutcome } from './walks/take-step.ts'
import { toSurfaceTasks, type SurfaceTask } from './walks/walk-tasks.ts'

/** The surface that is polled for a kind of which there is one thing in a repository. */
const WALKED = { docs: 'doc', wiki: 'wiki_doc', commits: 'diff' } as const satisfies Partial<Record<ReadKind, Surface>>

/** The key of a repository's pending read that says it was deleted: its rows go without a further question. */
export const DELETED = 'deleted'

/**
 * The number of reads that are done; 0 while another run reads GitHub.
 * `isForced`: also those that wait for their next try.
 */
export async function runPendingReads(deps: IngestDependencies, isForced = false): Promise<number> {
  const { index, now, settings } = deps
  if (settings.repositories.length === 0) return 0
  const owners = (await listConfigured(deps)).filter((of): of is Owner => of.repository !== undefined)
  const configured = new Map(owners.map((of) => [of.repository.repoId, of]))
  if ((await listPendingReads(index, now(), 1, { isForced, repoIds: [...configured.keys()] })).length === 0) return 0
  const run = await waitForLease(deps, MAX_LEASE_WAIT_MS, (held) => processReads({ deps, held, configured }, isForced))
  return run.ok ? run.value : 0
}

type Ending = { readonly kind: 'done' | 'lost' | 'spent' } | { readonly kind: 'failed'; readonly fault: GitHubFault }

interface ReadsRun {
  readonly deps: IngestDependencies
  readonly held: HeldLease
  /** By id. */
  readonly configured: ReadonlyMap<number, Owner>
}

async function processReads({ deps, held, configured }: ReadsRun, isForced: boolean): Promise<Result<number>> {
  const { index, now } = deps
  const deadlineMs = now() + RUN_MS
  const budget = openBudget(deps, { beforeRequest: held.renew })
  let fetched = 0
  let failed = 0
  const seen = new Set<string>()
  // A read may queue further ones, which are read in the same run. Of those that were taken, failed ones alone stay.
  while (seen.size < MAX_PENDING_READS) {
    const listed = await listPendingReads(index, now(), failed + 1, { isForced, repoIds: [...configured.keys()] })
    const read = listed.find((one) => !seen.has(keyOf(one)))
    if (read === undefined || !budget.hasMore || now() >= deadlineMs) break
    seen.add(keyOf(read))
    const ending = await processRead({ deps, held, budget }, configured.get(read.repoId)!, read)
    budget.finishStep()
    if (ending.kind === 'done') fetched += 1
    if (ending.kind === 'lost' || ending.kind === 'spent') break
    if (ending.kind === 'failed') {
      failed += 1
      await retryLater(deps, read, ending.fault)
    }
  }
  await budget.close()
  return ok(fetched)
}

/** A read that was queued again is another one. */
function keyOf({ repoId, kind, key, queued }: QueuedRead): string {
  return JSON.stringify([repoId, kind, key, queued])
}

interface ReadRun {
  readonly deps: IngestDependencies
  readonly held: HeldLease
  readonly budget: RequestBudget
}

type Owner = SurfaceTask['of']

async function processRead(run: ReadRun, of: Owner, read: QueuedRead): Promise<Ending> {
  const marker = await readMarker(run.deps.index)
  switch (read.kind) {
    case 'repository':
      return readRepository(run, of, read, marker)
    case 'docs':
    case 'wiki':
    case 'commits':
      return walk(run, of, read, WALKED[read.kind])
    default:
      return readAgain(run, of, read, AGAIN_READERS[read.kind], marker)
  }
}

async function retryLater({ index, now }: IngestDependencies, read: QueuedRead, fault: GitHubFault) {
  if (fault.kind === 'spent') return
  const { error, retryAtMs } = toTrouble(fault, read.attempts, now())
  await retryPendingRead(index, read, { error, nowMs: now(), retryAtMs })
}

async function readRepository(
  { deps, held, budget }: ReadRun,
  of: Owner,
  read: QueuedRead,
  marker: number,
): Promise<Ending> {
  if (read.key === DELETED) {
    const { done } = await dropRepository(deps.index, read.repoId, deps.now(), () => true)
    return { kind: done ? 'done' : 'spent' }
  }
  const outcome = await askRepository(budget.github(of.repository.name), `/repositories/${read.repoId}`)
  if (outcome.kind === 'failed') return toEnding(outcome.fault)
  // Out of reach by its id: the next look at its name says so, and rows stay.
  if (outcome.kind === 'found') {
    const { id: repoId, ...facts } = outcome.facts
    await putRepository(deps.index, { ...facts, repoId }, { kind: 'read', marker })
  }
  return commit({ deps, held }, read, { changes: [] }, marker)
}

async function readAgain(
  run: ReadRun,
  of: Owner,
  read: QueuedRead,
  reader: AgainReader,
  marker: number,
): Promise<Ending> {
  const { deps, budget } = run
  const context = surfaceContext(deps, of.repository, budget)
  const result: GitHubResult<ReadAgain> = await fetchStep(deps, () => reader(context, read.key))
  return result.ok ? commit(run, read, result.value, marker) : toEnding(result.fault)
}

/** The last page finishes the read. */
async function commit(
  { deps: { index, now }, held }: Pick<ReadRun, 'deps' | 'held'>,
  read: QueuedRead,
  { changes, pending = [] }: ReadAgain,
  marker: number,
): Promise<Ending> {
  const pages = splitPage(changes)
  for (const [at, page] of pages.entries()) {
    const isLast = at === pages.length - 1
    const queued = pending.map((one) => ({ ...one, repoId: read.repoId }))
    const put = await putPage(
      index,
      {
        changes: page,
        origin: { kind: 'read', marker },
        lease: held.lease,
        ...(isLast && { pending: queued, fetched: [read] }),
      },
      now(),
    )
    if (!put.ok && !(await holdsLease(index, held.lease))) return { kind: 'lost' }
    if (!put.ok) return { kind: 'failed', fault: { kind: 'fault', reason: put.failure.message } }
  }
  return { kind: 'done' }
}

/**
 * Polls the surface to its end, and once more if a walk was in the middle: that
 * one may have begun too early. One that was never read to its end is read by
 * polls, which come to it anyway.
 */
async function walk(run: ReadRun, of: Owner, read: QueuedRead, surface: Surface): Promise<Ending> {
  const { deps, budget } = run
  const [task] = toSurfaceTasks(of, [surface], await listSurfaceReads(deps.index), 'poll')
  let current = task!
  let walks = current.isRead ? (current.isOpen ? 2 : 1) : 0
  while (walks > 0) {
    const outcome: StepOutcome = await takeStep({ ...run, walk: 'poll' }, current)
    if (outcome.kind !== 'moved') return outcome
    if (outcome.ended) walks -= 1
    current = { ...current, position: outcome.position, hasBegun: true, attempts: 0 }
    if (walks > 0 && !budget.hasMore) return { kind: 'spent' }
  }
  const marker = await readMarker(deps.index)
  const reader = SURFACE_SPECS[surface].readAgain
  return reader === undefined ? commit(run, read, { changes: [] }, marker) : readAgain(run, of, read, reader, marker)
}

function toEnding(fault: GitHubFault): Ending {
  return fault.kind === 'spent' ? { kind: 'spent' } : { kind: 'failed', fault }
}
