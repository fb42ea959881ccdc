/**
 * One admin route: a contract and the function that answers it. The caller has
 * proven the admin token before; the query is parsed here, so that every route
 * refuses an unknown or wrong parameter alike.
 */
import type { Failure } from '../../base/failure.ts'
import type { Log } from '../../base/log.ts'
import type { Result } from '../../base/result.ts'
import {
  parseAdminQuery,
  type AdminContract,
  type AnswerOf,
  type QueryOf,
} from '../../contracts/admin/admin-contract.ts'
import type { Index } from '../../index/sql/index-database.ts'
import type { VectorIndex } from '../../index/vectors/vector-index.ts'
import type { IngestDependencies } from '../../ingest/ingest-dependencies.ts'
import type { App, RouteRequest } from '../route.ts'

export interface AdminDeps {
  readonly index: Index
  readonly vectors: VectorIndex
  readonly ingest: IngestDependencies
  readonly log: Log
  readonly now: () => number
  readonly runMaintenance: App['runMaintenance']
  readonly version: string
  readonly schemaVersion: number
}

export interface AdminRoute {
  readonly method: AdminContract['method']
  readonly path: string
  /** Resolves to JSON, or to a stream of lines. */
  readonly handle: (
    request: Pick<RouteRequest, 'url' | 'parameters' | 'body'>,
    deps: AdminDeps,
  ) => Promise<Result<object>>
  /** Absent for a route whose body is small. */
  readonly maxBodyBytes?: number
}

/** `answer` takes the parsed query of the contract and returns its answer; the compiler checks both. */
export function adminRoute<Contract extends AdminContract>(
  contract: Contract,
  answer: (query: QueryOf<Contract>, deps: AdminDeps, body: ArrayBuffer) => Promise<Result<AnswerOf<Contract>>>,
  maxBodyBytes?: number,
): AdminRoute {
  return { ...toRoute(contract, answer), ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }) }
}

/** The same for a route that answers with lines. */
export function adminStream<Contract extends AdminContract>(
  contract: Contract,
  answer: (query: QueryOf<Contract>, deps: AdminDeps) => Promise<Result<ReadableStream<Uint8Array>>>,
): AdminRoute {
  return toRoute(contract, answer)
}

function toRoute<Contract extends AdminContract>(
  contract: Contract,
  answer: (query: QueryOf<Contract>, deps: AdminDeps, body: ArrayBuffer) => Promise<Result<object>>,
): AdminRoute {
  return {
    method: contract.method,
    path: contract.path,
    handle: async ({ url, parameters, body }, deps) => {
      const parsed = parseAdminQuery(contract, url.searchParams, parameters)
      return parsed.ok ? answer(parsed.value, deps, body) : parsed
    },
  }
}

/** The refusal of a repository that the index does not have. */
export function unknownRepository(name: string): Failure {
  return { code: 'NOT_FOUND', message: `repo: the index has no repository ${name}` }
}
