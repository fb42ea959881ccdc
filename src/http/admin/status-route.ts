/**
 * `GET /admin/status`: per repository its rows, cursors, owed work and last
 * error, in the words of the outside.
 */
import { ok, type Result } from '../../base/result.ts'
import { toTime } from '../../base/time.ts'
import type { SourceCursor } from '../../index/documents/source-cursors.ts'
import { readOverview, type RepositoryOverview } from '../../index/maintenance/overview.ts'
import type { AdminDeps } from './admin-handler.ts'

export async function getStatus(
  _request: object,
  { index, version, schemaVersion }: AdminDeps,
): Promise<Result<object>> {
  const repositories = await readOverview(index)
  return ok({ version, schema: schemaVersion, repositories: repositories.map(toRepository) })
}

function toRepository(overview: RepositoryOverview): object {
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

function toCursor({ source, position, done, total, movedAt }: SourceCursor): object {
  return {
    source,
    position,
    ...(done !== null && { done }),
    ...(total !== null && { total }),
    moved_at: toTime(movedAt),
  }
}
