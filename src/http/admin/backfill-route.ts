/** Answers `POST /admin/backfill`. A run that reads GitHub at the same time would move the cursors again, so it holds the lease. */
import { toNameKey } from '../../base/repository-name.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { SURFACES } from '../../base/vocabulary.ts'
import type { BackfillAnswer, BackfillQuery } from '../../contracts/admin/backfill-contract.ts'
import { forgetSurfaces } from '../../index/ingestion/surface-reads.ts'
import { findRepository } from '../../index/write/put-repository.ts'
import { withLease } from '../../ingest/walks/run-lease.ts'
import { NOTHING_CONFIGURED } from '../../ingest/walks/run-walks.ts'
import { walkedSurface } from '../../ingest/walks/walk-tasks.ts'
import { unknownRepository, type AdminDeps } from './admin-route.ts'

export async function postBackfill({ repo, surface }: BackfillQuery, deps: AdminDeps): Promise<Result<BackfillAnswer>> {
  const { index, ingest } = deps
  const { repositories } = ingest.settings
  if (repositories.length === 0) return refuse(NOTHING_CONFIGURED)
  const repository = await findRepository(index, repo)
  const isConfigured = repositories.some((name) => toNameKey(name) === toNameKey(repo))
  if (repository === undefined && !isConfigured) return refuse(unknownRepository(repo))
  return withLease(ingest, async () => {
    const walked = surface === undefined ? {} : { surface: walkedSurface(surface) }
    if (repository !== undefined) await forgetSurfaces(index, repository.repoId, walked)
    return ok({ repo: repository?.name ?? repo, reset: surface === undefined ? [...SURFACES] : [surface] })
  })
}
