/** Answers `POST /admin/rebuild`. */
import { ok, type Result } from '../../base/result.ts'
import type { RebuildAnswer, RebuildQuery } from '../../contracts/admin/rebuild-contract.ts'
import { rebuild } from '../../ingest/rebuild-run.ts'
import type { AdminDeps } from './admin-route.ts'

export async function postRebuild(
  query: RebuildQuery,
  { index, vectors, now, log }: AdminDeps,
): Promise<Result<RebuildAnswer>> {
  const { dry_run: dryRun, resume } = query
  const { documents, done, ...left } = await rebuild({ index, vectors, now, log }, { dryRun, resume })
  return ok({ dry_run: dryRun, done, documents, left })
}
