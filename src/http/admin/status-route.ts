/** Answers `GET /admin/status`: the index's overview in the names and times of the contract. */
import { ok, type Result } from '../../base/result.ts'
import { toTime } from '../../base/time.ts'
import type { CursorStatus, RepositoryStatus, StatusAnswer } from '../../contracts/admin/status-contract.ts'
import type { SourceCursor } from '../../index/documents/source-cursors.ts'
import { readOverview, type RepositoryOverview } from '../../index/maintenance/overview.ts'
import type { AdminDeps } from './admin-route.ts'

export async function readStatus(
  _query: object,
  { index, version, schemaVersion }: AdminDeps,
): Promise<Result<StatusAnswer>> {
  const repositories = await readOverview(index)
  return ok({ version, schema: schemaVersion, repositories: repositories.map(toRepository) })
}

function toRepository(overview: RepositoryOverview): RepositoryStatus {
  return {
    repo: overview.name,
    ...(overview.repoId > 0 && { repo_id: overview.repoId }),
    private: overview.private,
    documents: overview.documents,
    cursors: overview.cursors.map(toCursor),
    pending: overview.pending,
    ...(overview.lastError !== undefined && { last_error: overview.lastError }),
  }
}

function toCursor({ source, position, done, total, movedAt }: SourceCursor): CursorStatus {
  return {
    source,
    position,
    ...(done !== null && { done }),
    ...(total !== null && { total }),
    moved_at: toTime(movedAt),
  }
}
