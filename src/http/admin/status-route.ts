/** Answers `GET /admin/status`: the index's overview and how far GitHub is read, in the names and times of the contract. */
import { ok, type Result } from '../../base/result.ts'
import { toTime } from '../../base/time.ts'
import type {
  CursorStatus,
  GitHubStatus,
  RepositoryStatus,
  StatusAnswer,
  SurfaceStatus,
} from '../../contracts/admin/status-contract.ts'
import type { SourceCursor } from '../../index/documents/source-cursors.ts'
import {
  readGitHubStatus,
  type GitHubOverview,
  type ReadRepository,
  type SurfaceOverview,
} from '../../ingest/github-status.ts'
import type { AdminDeps } from './admin-route.ts'

type StatusDeps = Pick<AdminDeps, 'ingest' | 'now' | 'version' | 'schemaVersion'>

export async function readStatus(_query: object, deps: StatusDeps): Promise<Result<StatusAnswer>> {
  const overview = await readGitHubStatus(deps.ingest)
  return ok({
    version: deps.version,
    schema: deps.schemaVersion,
    github: toGitHub(overview, deps),
    repositories: overview.repositories.map((repository) => toRepository(repository, deps.now())),
  })
}

function toGitHub({ limit, lastDeliveryAtMs }: GitHubOverview, { ingest }: StatusDeps): GitHubStatus {
  const { settings, github } = ingest
  const { limit: hourly, remaining, resetsAtMs } = limit ?? {}
  return {
    auth: github.auth,
    webhook: settings.webhookSecret === undefined ? 'off' : 'on',
    api_url: settings.urls.api,
    ...(hourly !== undefined &&
      remaining !== undefined &&
      resetsAtMs !== undefined && { rate_limit: { limit: hourly, remaining, resets_at: toTime(resetsAtMs) } }),
    ...(lastDeliveryAtMs !== undefined && { last_delivery_at: toTime(lastDeliveryAtMs) }),
  }
}

function toRepository(overview: ReadRepository, nowMs: number): RepositoryStatus {
  return {
    repo: overview.name,
    ...(overview.repoId > 0 && { repo_id: overview.repoId }),
    private: overview.private,
    configured: overview.isConfigured,
    ...(overview.isArchived && { archived: true }),
    ...(overview.defaultBranch !== undefined && { default_branch: overview.defaultBranch }),
    documents: overview.documents,
    cursors: overview.cursors.map(toCursor),
    surfaces: overview.surfaces.map((surface) => toSurface(surface, nowMs)),
    pending: overview.pending,
    ...(overview.lastError !== undefined && { last_error: overview.lastError }),
  }
}

function toSurface(overview: SurfaceOverview, nowMs: number): SurfaceStatus {
  const { surface, state, rows, done, total, pending, requests, lastSuccessAtMs, lastError, retryAtMs } = overview
  return {
    surface,
    state,
    rows,
    ...(done !== undefined && { done }),
    ...(total !== undefined && { total }),
    pending,
    requests,
    ...(lastSuccessAtMs !== undefined && {
      lag_s: Math.max(0, Math.round((nowMs - lastSuccessAtMs) / 1000)),
      last_success_at: toTime(lastSuccessAtMs),
    }),
    ...(lastError !== undefined && { last_error: lastError }),
    ...(retryAtMs !== undefined && { retry_at: toTime(retryAtMs) }),
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
