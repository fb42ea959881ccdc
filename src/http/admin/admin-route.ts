/**
 * One admin route: a contract and the function that answers it. The caller has
 * proven the admin token before; the query is parsed here, so that every route
 * refuses an unknown or wrong parameter alike.
 */
import type { Result } from '../../base/result.ts'
import {
  parseAdminQuery,
  type AdminContract,
  type AnswerOf,
  type QueryOf,
} from '../../contracts/admin/admin-contract.ts'
import type { Index } from '../../index/sql/index-database.ts'
import type { MaintenanceSummary } from '../../ingest/maintenance-run.ts'

export interface AdminDeps {
  readonly index: Index
  readonly now: () => number
  readonly runMaintenance: () => Promise<MaintenanceSummary>
  readonly version: string
  readonly schemaVersion: number
}

export interface AdminRoute {
  readonly method: string
  readonly path: string
  readonly handle: (request: Request, deps: AdminDeps) => Promise<Result<object>>
}

/** `answer` takes the parsed query of the contract and returns its answer; the compiler checks both. */
export function adminRoute<Contract extends AdminContract>(
  contract: Contract,
  answer: (query: QueryOf<Contract>, deps: AdminDeps, request: Request) => Promise<Result<AnswerOf<Contract>>>,
): AdminRoute {
  return {
    method: contract.method,
    path: contract.path,
    handle: async (request, deps) => {
      const parsed = parseAdminQuery(contract, new URL(request.url).searchParams)
      return parsed.ok ? answer(parsed.value, deps, request) : parsed
    },
  }
}
