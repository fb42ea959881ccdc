/**
 * The requests of one run. Steps are taken while some are left. The first step
 * of a run may make more than are left, so that a run always finishes one: how
 * far a budget of one request gets depends on no guess of what a step costs.
 */
import type { GitHub, GitHubRun } from '../github/github.ts'
import type { IngestDependencies } from './ingest-dependencies.ts'
import { FIRST_STEP_REQUESTS } from './limits.ts'

export interface RequestBudget {
  readonly used: number
  /** True while a further step may be taken. */
  readonly hasMore: boolean
  github(repository: string): GitHub
  /** A step was finished: from now on the run's own limit counts. */
  finishStep(): void
  /** Stores what the answers said about limits. */
  close(): Promise<void>
}

export interface BudgetOptions {
  /** By default that of the settings. */
  readonly requests?: number | undefined
  /** Ask although GitHub said to wait. */
  readonly force?: boolean | undefined
  /** Called before each request. */
  readonly beforeRequest: () => Promise<unknown>
}

export function openBudget(
  { github, settings }: Pick<IngestDependencies, 'github' | 'settings'>,
  { requests = settings.requestsPerRun, force = false, beforeRequest }: BudgetOptions,
): RequestBudget {
  const first = github.openRun({ budget: Math.max(requests, FIRST_STEP_REQUESTS), force })
  let further: GitHubRun | undefined
  return {
    get used() {
      return first.used + (further?.used ?? 0)
    },
    get hasMore() {
      return first.used + (further?.used ?? 0) < requests
    },
    github: (repository) => before((further ?? first).forRepository(repository), beforeRequest),
    finishStep() {
      // A wait of the first run is in the store, where the second one finds it.
      if (requests < FIRST_STEP_REQUESTS)
        further ??= github.openRun({ budget: Math.max(0, requests - first.used), force })
    },
    async close() {
      await first.saveLimits()
      await further?.saveLimits()
    },
  }
}

function before(github: GitHub, act: () => Promise<unknown>): GitHub {
  const after = async <Value>(call: () => Promise<Value>): Promise<Value> => {
    await act()
    return call()
  }
  return {
    auth: github.auth,
    hasGraphql: github.hasGraphql,
    get: (path, options) => after(() => github.get(path, options)),
    graphql: (query, variables, surface) => after(() => github.graphql(query, variables, surface)),
    readWikiHead: () => after(() => github.readWikiHead()),
    readWikiPageList: () => after(() => github.readWikiPageList()),
    readWikiPage: (file, etag) => after(() => github.readWikiPage(file, etag)),
  }
}
