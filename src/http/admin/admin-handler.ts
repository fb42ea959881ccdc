/** What a handler of the operator's routes is given, and what it gives back. */
import type { Result } from '../../base/result.ts'
import type { Index } from '../../index/sql/index-database.ts'
import type { VectorIndex } from '../../index/vectors/vector-index.ts'
import type { MaintenanceSummary } from '../../ingest/maintenance-run.ts'
import type { RouteRequest } from '../route.ts'

export interface AdminDeps {
  readonly index: Index
  readonly vectors: VectorIndex
  readonly now: () => number
  readonly runMaintenance: () => Promise<MaintenanceSummary>
  readonly version: string
  readonly schemaVersion: number
}

export type AdminHandler = (request: Pick<RouteRequest, 'url' | 'body'>, deps: AdminDeps) => Promise<Result<object>>
