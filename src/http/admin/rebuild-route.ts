/** Answers `POST /admin/rebuild`. */
import { consoleLog } from '../../base/log.ts'
import { ok, type Result } from '../../base/result.ts'
import type { RebuildAnswer, RebuildQuery } from '../../contracts/admin/rebuild-contract.ts'
import { rebuild } from '../../ingest/rebuild-run.ts'
import type { AdminDeps } from './admin-route.ts'

export async function postRebuild(
  query: RebuildQuery,
  { index, vectors, now }: AdminDeps,
): Promise<Result<RebuildAnswer>> {
  const { dry_run: dryRun, resume } = query
  const { documents, done, ...left } = await rebuild({ index, vectors, now, log: consoleLog }, { dryRun, resume })
  return ok({ dry_run: dryRun, done, documents, left })
}
