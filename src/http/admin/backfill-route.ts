/** Answers `POST /admin/backfill`. A run that reads GitHub at the same time would move the cursors again, so it holds the lease. */
import { ok, refuse, type Result } from '../../base/result.ts'
import { SURFACES } from '../../base/vocabulary.ts'
import type { BackfillAnswer, BackfillQuery } from '../../contracts/admin/backfill-contract.ts'
import { forgetSurfaces } from '../../index/ingestion/surface-reads.ts'
import { findRepository } from '../../index/write/put-repository.ts'
import { withLease } from '../../ingest/walks/run-lease.ts'
import { unknownRepository, type AdminDeps } from './admin-route.ts'

export async function postBackfill({ repo, surface }: BackfillQuery, deps: AdminDeps): Promise<Result<BackfillAnswer>> {
  const { index } = deps
  const repository = await findRepository(index, repo)
  if (repository === undefined) return refuse(unknownRepository(repo))
  return withLease(deps, async () => {
    await forgetSurfaces(index, repository.repoId, surface === undefined ? {} : { surface })
    return ok({ repo: repository.name, reset: surface === undefined ? [...SURFACES] : [surface] })
  })
}
