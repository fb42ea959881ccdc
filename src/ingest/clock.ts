/**
 * The clock: each minute one maintenance run and one bounded poll, and once a day
 * a lap, a few requests a minute. Each part runs although another one failed, and
 * a run that is still under way is left alone.
 */
import type { Result } from '../base/result.ts'
import type { IngestDependencies } from './ingest-dependencies.ts'
import { poll } from './poll-run.ts'
import { reconcile } from './reconcile-run.ts'

/** A lap takes this part of a run's requests each minute, so that polls are never short of them. */
const LAP_SHARE = 1 / 10

/** Rejects with the first error after every part has run, so that the platform counts the run as failed. */
export async function runClock(deps: IngestDependencies, runMaintenance: () => Promise<unknown>): Promise<void> {
  const errors: unknown[] = []
  const parts: (() => Promise<unknown>)[] = [runMaintenance]
  if (deps.settings.repositories.length > 0) {
    const lapRequests = Math.max(1, Math.floor(deps.settings.requestsPerRun * LAP_SHARE))
    parts.push(
      async () => report(deps, 'poll', await poll(deps, { isClock: true })),
      async () => report(deps, 'lap', await reconcile(deps, { isClock: true, requests: lapRequests })),
    )
  }
  for (const part of parts) {
    try {
      await part()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

function report(
  { log }: IngestDependencies,
  walk: string,
  result: Result<{
    readonly requests: number
    readonly written: number
    readonly removed: number
    readonly done: boolean
  }>,
): void {
  if (!result.ok) return log.info('github_run_skipped', { walk, code: result.failure.code })
  const { requests, written, removed, done } = result.value
  if (requests > 0) log.info('github_run', { walk, requests, written, removed, done })
}
