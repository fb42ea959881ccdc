/** Answers `POST /admin/poll` and `POST /admin/reconcile`: one bounded run each. */
import { ok, type Result } from '../../base/result.ts'
import type { PollAnswer, PollQuery } from '../../contracts/admin/poll-contract.ts'
import type { ReconcileAnswer, ReconcileQuery } from '../../contracts/admin/reconcile-contract.ts'
import { poll } from '../../ingest/poll-run.ts'
import { reconcile } from '../../ingest/reconcile-run.ts'
import type { WalkRequest, WalkSummary } from '../../ingest/walks/walk-request.ts'
import type { AdminDeps } from './admin-route.ts'

export async function postPoll(query: PollQuery, { ingest }: AdminDeps): Promise<Result<PollAnswer>> {
  const run = await poll(ingest, toRequest(query))
  return run.ok ? ok(toAnswer(run.value)) : run
}

export async function postReconcile(query: ReconcileQuery, { ingest }: AdminDeps): Promise<Result<ReconcileAnswer>> {
  const run = await reconcile(ingest, { ...toRequest(query), dryRun: query.dry_run })
  return run.ok ? ok({ ...toAnswer(run.value), checked: run.value.checked }) : run
}

function toRequest({ repo, surface, requests, restart, force, clock }: PollQuery): WalkRequest {
  return {
    ...(repo !== undefined && { repository: repo }),
    ...(surface !== undefined && { surface }),
    ...(requests !== undefined && { requests }),
    restart,
    force,
    isClock: clock,
  }
}

function toAnswer(summary: WalkSummary): PollAnswer {
  const { done, requests, written, unchanged, stale, removed, pending, retryAfterMs, surfaces } = summary
  return {
    done,
    requests,
    written,
    unchanged,
    stale,
    removed,
    pending,
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
    surfaces: surfaces.map(({ repository, ...surface }) => ({ repo: repository, ...surface })),
  }
}
