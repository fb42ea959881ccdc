/** Polls: what changed on GitHub since the last read, and at first everything. */
import type { Result } from '../base/result.ts'
import type { IngestDependencies } from './ingest-dependencies.ts'
import { runWalks } from './walks/run-walks.ts'
import type { WalkRequest, WalkSummary } from './walks/walk-request.ts'

/** One bounded run, which begins a round or goes on with it. */
export function poll(deps: IngestDependencies, request: WalkRequest): Promise<Result<WalkSummary>> {
  return runWalks(deps, 'poll', request)
}
