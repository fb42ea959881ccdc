/**
 * Laps: every row of the index compared with GitHub. A lap finds what moved no
 * date and what no delivery reported, deletions above all; each is proven by
 * itself before a row goes.
 */
import type { Result } from '../base/result.ts'
import type { IngestDependencies } from './ingest-dependencies.ts'
import { runWalks } from './walks/run-walks.ts'
import type { WalkRequest, WalkSummary } from './walks/walk-request.ts'

/** One bounded run, which begins a lap or goes on with it. */
export function reconcile(deps: IngestDependencies, request: WalkRequest): Promise<Result<WalkSummary>> {
  return runWalks(deps, 'lap', request)
}
