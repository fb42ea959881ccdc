/**
 * The requests of one run. Steps are taken while some are left. The first step
 * of a run may make more than are left, so that a run always finishes one: how
 * far a budget of one request gets depends on no guess of what a step costs.
 */
import type { GitHub, GitHubRun } from '../github/github.ts'
import type { IngestDependencies, RunOptions } from './ingest-dependencies.ts'
import { FIRST_STEP_REQUESTS } from './limits.ts'

export interface RequestBudget {
  readonly used: number
  /** True while a further step may be taken. */
  readonly hasMore: boolean
  github(repository: string): GitHub
  /** A step was finished: from now on the run's own limit counts. */
  finishStep(): void
}

export function openBudget(
  deps: Pick<IngestDependencies, 'openRun' | 'requestsPerRun'>,
  { requests = deps.requestsPerRun, ...options }: Partial<RunOptions>,
): RequestBudget {
  const first = deps.openRun({ ...options, requests: Math.max(requests, FIRST_STEP_REQUESTS) })
  let further: GitHubRun | undefined
  return {
    get used() {
      return first.used + (further?.used ?? 0)
    },
    get hasMore() {
      return first.used + (further?.used ?? 0) < requests
    },
    github: (repository) => (further ?? first).forRepository(repository),
    finishStep() {
      further ??= deps.openRun({ ...options, requests: Math.max(0, requests - first.used) })
    },
  }
}
