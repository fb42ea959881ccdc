/** Answers `DELETE /admin/repos/{owner}/{name}`. */
import { ok, refuse, type Result } from '../../base/result.ts'
import type { DropAnswer, DropQuery } from '../../contracts/admin/drop-contract.ts'
import { listConfiguredIds } from '../../index/ingestion/configured-names.ts'
import { countDocuments, dropRepository } from '../../index/write/drop-repository.ts'
import { findRepository } from '../../index/write/put-repository.ts'
import { DROP_CALL_MS } from '../limits.ts'
import { unknownRepository, type AdminDeps } from './admin-route.ts'

export async function deleteRepository(
  { owner, name, dry_run: dryRun }: DropQuery,
  { index, now, ingest }: AdminDeps,
): Promise<Result<DropAnswer>> {
  const repository = await findRepository(index, `${owner}/${name}`)
  if (repository === undefined) return refuse(unknownRepository(`${owner}/${name}`))
  const { repoId, name: repo } = repository
  if ((await listConfiguredIds(index, ingest.settings.repositories)).has(repoId)) {
    const message = `${repo} is configured: take it out of GITHUB_REPOSITORIES before its rows are dropped.`
    return refuse({ code: 'CONFLICT', message })
  }
  if (dryRun) return ok({ repo, documents: await countDocuments(index, repoId), removed: 0, done: false })
  const deadlineMs = now() + DROP_CALL_MS
  return ok({ repo, ...(await dropRepository(index, repoId, now(), () => now() < deadlineMs)) })
}
