/**
 * One bounded run over the surfaces of the configured repositories: the core of
 * polls and laps. A round reads every surface once to its end. A run begins a
 * round or goes on with it, step by step; each step commits together with its
 * position, so a run that is killed repeats one step. A surface that fails is
 * left for a later run and blocks no other.
 */
import type { Failure } from '../../base/failure.ts'
import { toNameKey } from '../../base/repository-name.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { markNamesDue } from '../../index/ingestion/configured-names.ts'
import { beginRound, listSurfaceReads, restartOpenLaps, type Walk } from '../../index/ingestion/surface-reads.ts'
import type { IngestDependencies } from '../ingest-dependencies.ts'
import { LAP_INTERVAL_MS, RUN_MS } from '../limits.ts'
import { checkName, type NameOutcome } from '../names/check-name.ts'
import { listConfigured, type ConfiguredRepository } from '../names/configured-repositories.ts'
import { openBudget, type RequestBudget } from '../request-budget.ts'
import { SURFACE_SPECS } from '../surfaces/index.ts'
import { withLease, type HeldLease } from './run-lease.ts'
import { summarise } from './summarise.ts'
import { takeStep, type StepRun } from './take-step.ts'
import { TaskQueue } from './task-queue.ts'
import { addCounts, NO_COUNTS, type WalkRequest, type WalkSummary } from './walk-request.ts'
import { listWalked, toNameTask, toSurfaceTasks, type NameTask, type SurfaceTask } from './walk-tasks.ts'

type WalkTask = NameTask | SurfaceTask

/** The repositories of the request, and what there is to do for them. */
interface Listed {
  readonly selected: readonly ConfiguredRepository[]
  readonly tasks: readonly WalkTask[]
}

export const NOTHING_CONFIGURED: Failure = {
  code: 'UNAVAILABLE',
  message: 'No repository is read from GitHub: GITHUB_REPOSITORIES is not set.',
}

/** Refuses with UNAVAILABLE when nothing is configured, NOT_FOUND for another repository, BUSY during another run. */
export async function runWalks(
  deps: IngestDependencies,
  walk: Walk,
  request: WalkRequest,
): Promise<Result<WalkSummary>> {
  const selected = await selectConfigured(deps, request.repository)
  if (!selected.ok) return selected
  return withLease(deps, (held) => new WalkRun(deps, walk, request, held).run())
}

async function selectConfigured(
  deps: IngestDependencies,
  repository: string | undefined,
): Promise<Result<ConfiguredRepository[]>> {
  if (deps.settings.repositories.length === 0) {
    return refuse(NOTHING_CONFIGURED)
  }
  const configured = await listConfigured(deps)
  if (repository === undefined) return ok(configured)
  const key = toNameKey(repository)
  const found = configured.filter((one) => [one.configured, one.repository?.name ?? ''].map(toNameKey).includes(key))
  if (found.length > 0) return ok(found)
  return refuse({
    code: 'NOT_FOUND',
    message: `repo: ${repository} is not configured`,
    hint: `Configured are: ${configured.map((one) => one.configured).join(', ')}.`,
  })
}

class WalkRun {
  readonly #deps: IngestDependencies
  readonly #walk: Walk
  readonly #request: WalkRequest
  readonly #held: HeldLease
  readonly #budget: RequestBudget
  readonly #deadlineMs: number
  #counts = NO_COUNTS
  #isLost = false
  #isSpent = false
  /** Repositories that were looked up in this run. */
  readonly #looked = new Set<string>()
  /** Surfaces that are not yet read to their end in this round. */
  readonly #open = new Set<string>()
  /** Documents that a dry run would have removed. */
  readonly #dryRemoved = new Set<number>()

  constructor(deps: IngestDependencies, walk: Walk, request: WalkRequest, held: HeldLease) {
    this.#deps = deps
    this.#walk = walk
    this.#request = request
    this.#held = held
    this.#deadlineMs = deps.now() + RUN_MS
    this.#budget = openBudget(deps, { ...request, beforeRequest: held.renew })
  }

  async run(): Promise<Result<WalkSummary>> {
    const { dryRun: isDry = false } = this.#request
    let listed = await this.#list()
    if (!isDry && (await this.#beginRound(listed))) listed = await this.#list()
    // So that an operator's poll and lap together see everything as it is now.
    if (this.#walk === 'poll' && !this.#request.isClock) await restartOpenLaps(this.#deps.index)
    const tasks = listed.tasks.filter((task) => this.#isWork(task))
    const queue = new TaskQueue<WalkTask>(isDry ? tasks.map(atStart) : tasks)
    for (const task of tasks) this.#open.add(keyOf(task))
    let failed = false
    while (this.#mayGoOn()) {
      const task = queue.take((one) => !queue.some((other) => isAfter(one, other)))
      if (task === undefined) break
      if (task.kind === 'name') await this.#look(task, queue)
      else failed = !(await this.#step(task, queue)) || failed
    }
    await this.#budget.close()
    if (this.#isLost) {
      return refuse({ code: 'BUSY', message: 'Another run has taken over this one.', retryAfterMs: 1_000 })
    }
    const isDone = isDry ? queue.isEmpty && !failed && !this.#isSpent : undefined
    return ok(await this.#summary(isDone))
  }

  #mayGoOn(): boolean {
    return !this.#isLost && !this.#isSpent && this.#budget.hasMore && this.#deps.now() < this.#deadlineMs
  }

  /**
   * A round is over when nothing is open, and also when all that is open has
   * failed: a surface that fails for a long time must not keep the others from
   * being read again. False if none was begun.
   */
  async #beginRound({ selected, tasks }: Listed): Promise<boolean> {
    const { restart = false } = this.#request
    const names = tasks.filter((task) => task.kind === 'name')
    const surfaces = tasks.filter((task) => task.kind === 'surface')
    const isOver =
      names.every((task) => task.hasFailed) && surfaces.every((task) => !this.#isOpen(task) || task.hasFailed)
    if (!isOver && !restart) return false
    const begun = surfaces.filter((task) => restart || (!task.isOpen && this.#isDue(task)))
    if (begun.length === 0 && surfaces.length > 0) return false
    const { index } = this.#deps
    await beginRound(
      index,
      this.#walk,
      begun.map((task) => ({ repoId: task.of.repository.repoId, surface: task.surface })),
    )
    const renewed = selected.filter(
      (of) =>
        of.repository === undefined || isOutOfReach(of) || begun.some((task) => task.repository === of.configured),
    )
    await markNamesDue(
      index,
      renewed.map((of) => of.configured),
    )
    return true
  }

  /** The clock compares what has been read once. */
  #isOpen({ isOpen, isRead }: SurfaceTask): boolean {
    return isOpen && (this.#walk === 'poll' || !this.#request.isClock || isRead)
  }

  /** The clock begins a lap once a day. */
  #isDue({ endedAtMs }: SurfaceTask): boolean {
    if (this.#walk !== 'lap' || !this.#request.isClock || endedAtMs === undefined) return true
    return endedAtMs + LAP_INTERVAL_MS <= this.#deps.now()
  }

  async #selected(): Promise<readonly ConfiguredRepository[]> {
    const selected = await selectConfigured(this.#deps, this.#request.repository)
    return selected.ok ? selected.value : []
  }

  /** Names to look up, and all surfaces of the names that lead somewhere. */
  async #list(): Promise<Listed> {
    const [selected, reads] = [await this.#selected(), await listSurfaceReads(this.#deps.index)]
    const surfaces = listWalked(this.#request.surface)
    const tasks = selected.flatMap((of): WalkTask[] => {
      if (isToLookUp(of) && !this.#request.dryRun) return [toNameTask(of)]
      return isOutOfReach(of) ? [] : toSurfaceTasks(of, surfaces, reads, this.#walk)
    })
    return { selected, tasks }
  }

  #isWork(task: WalkTask): boolean {
    const retryAtMs = task.kind === 'name' ? task.of.name?.retryAtMs : task.retryAtMs
    if (this.#request.isClock && retryAtMs !== undefined && retryAtMs > this.#deps.now()) return false
    return task.kind === 'name' || this.#isOpen(task) || (this.#request.dryRun ?? false)
  }

  /** Looks a name up, then adds the surfaces of the repository to the queue. */
  async #look({ of }: NameTask, queue: TaskQueue<WalkTask>): Promise<void> {
    const outcome = await this.#check(of)
    if (outcome.kind !== 'found') return
    for (const task of await this.#listSurfaces(of)) {
      if (!this.#isWork(task)) continue
      queue.add(task)
      this.#open.add(keyOf(task))
    }
  }

  async #check(of: ConfiguredRepository): Promise<NameOutcome> {
    this.#looked.add(of.configured)
    const outcome = await checkName(this.#deps, this.#budget.github(of.configured), of)
    this.#budget.finishStep()
    this.#isLost = !(await this.#held.renew())
    if (outcome.kind === 'failed' && outcome.fault.kind === 'spent') this.#isSpent = true
    return outcome
  }

  /** The surfaces of a repository as they are stored now. */
  async #listSurfaces(of: ConfiguredRepository): Promise<SurfaceTask[]> {
    const now = (await listConfigured(this.#deps)).find(({ configured }) => configured === of.configured)
    const reads = await listSurfaceReads(this.#deps.index)
    return now === undefined ? [] : toSurfaceTasks(now, listWalked(this.#request.surface), reads, this.#walk)
  }

  /** A surface has failed. The repository may have been renamed or hidden since it was looked up. */
  async #lookAgain({ of }: SurfaceTask, queue: TaskQueue<WalkTask>): Promise<void> {
    if (this.#looked.has(of.configured) || this.#request.dryRun) return
    if (!this.#budget.hasMore) return markNamesDue(this.#deps.index, [of.configured])
    const outcome = await this.#check(of)
    const { repoId, name, defaultBranch } = of.repository
    if (outcome.kind === 'absent') return queue.drop(of.configured)
    if (outcome.kind !== 'found') return
    const { facts } = outcome
    if (facts.id === repoId && facts.name === name && facts.defaultBranch === defaultBranch) return
    queue.drop(of.configured)
    for (const task of await this.#listSurfaces(of)) if (this.#isOpen(task)) queue.add(task)
  }

  /** False if the step failed. */
  async #step(task: SurfaceTask, queue: TaskQueue<WalkTask>): Promise<boolean> {
    const dryRemoved = this.#request.dryRun ? this.#dryRemoved : undefined
    const run: StepRun = { deps: this.#deps, held: this.#held, budget: this.#budget, walk: this.#walk, dryRemoved }
    const { after } = SURFACE_SPECS[task.surface]
    const mayEnd = this.#walk === 'lap' || after === undefined || !this.#open.has(`${task.repository} ${after}`)
    const outcome = await takeStep(run, task, mayEnd)
    this.#budget.finishStep()
    if (outcome.kind === 'lost') this.#isLost = true
    if (outcome.kind === 'spent') this.#isSpent = true
    if (outcome.kind === 'failed' && outcome.fault.kind !== 'waiting') await this.#lookAgain(task, queue)
    if (outcome.kind !== 'moved') return false
    this.#counts = addCounts(this.#counts, outcome.counts)
    if (outcome.ended) {
      if (mayEnd) this.#open.delete(keyOf(task))
    } else {
      const moved = { ...task, position: outcome.position, hasBegun: true, hasFailed: false, attempts: 0 }
      queue.add({ ...moved, lastMs: this.#deps.now() })
    }
    return true
  }

  async #summary(isDone: boolean | undefined): Promise<WalkSummary> {
    const [selected, reads] = [await this.#selected(), await listSurfaceReads(this.#deps.index)]
    const state = summarise(selected, reads, this.#walk, this.#request.surface, this.#deps.now())
    return { ...state, ...(isDone !== undefined && { done: isDone }), ...this.#counts, requests: this.#budget.used }
  }
}

function keyOf(task: WalkTask): string {
  return task.kind === 'name' ? task.repository : `${task.repository} ${task.surface}`
}

/** True if the first is of a surface that follows the second's. */
function isAfter(one: WalkTask, other: WalkTask): boolean {
  if (one.kind === 'name' || other.kind === 'name' || one.repository !== other.repository) return false
  return SURFACE_SPECS[one.surface].after === other.surface
}

function atStart(task: WalkTask): WalkTask {
  return task.kind === 'name' ? task : { ...task, position: undefined, hasBegun: false }
}

/** Until it is known what the name stands for, and again in each round. */
function isToLookUp({ name }: ConfiguredRepository): boolean {
  return name === undefined || name.isDue
}

function isOutOfReach({ name }: ConfiguredRepository): boolean {
  return name?.error !== undefined
}
