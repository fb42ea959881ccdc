/** What a handler of the operator's routes is given, and what it gives back. */
import type { Result } from '../../base/result.ts'
import type { Index } from '../../index/sql/index-database.ts'
import type { VectorIndex } from '../../index/vectors/vector-index.ts'

export interface AdminDeps {
  readonly index: Index
  readonly vectors: VectorIndex
  readonly now: () => number
  readonly version: string
  readonly schemaVersion: number
}

export type AdminHandler = (request: Request, deps: AdminDeps) => Promise<Result<object>>
