/**
 * Search, the use case: a viewer's question in, an answer out. Which of the
 * three modes it is, the plan says.
 */
import type { Viewer } from '../access/viewer.ts'
import type { Result } from '../base/result.ts'
import type { SearchAnswer } from '../contracts/tools/search-answers.ts'
import type { SearchArguments } from '../contracts/tools/search.ts'
import type { Index } from '../index/sql/index-database.ts'
import type { Embedder } from '../models/embedder/embedder.ts'
import { NO_EMBEDDER } from '../models/embedder/none.ts'
import { NO_RERANKER } from '../models/reranker/none.ts'
import type { Reranker } from '../models/reranker/reranker.ts'
import { fetchBodies } from './fetch-bodies.ts'
import { hybrid } from './hybrid-search.ts'
import { toPlan } from './plan/plan.ts'
import { scanDocuments } from './scan-documents.ts'

export interface SearchDependencies {
  readonly index: Index
  /** None unless given. */
  readonly embedder?: Embedder
  readonly reranker?: Reranker
  /** Milliseconds UTC. */
  now(): number
}

export async function search(
  { index, now, embedder = NO_EMBEDDER, reranker = NO_RERANKER }: SearchDependencies,
  viewer: Viewer,
  args: SearchArguments,
): Promise<Result<SearchAnswer>> {
  const plan = toPlan(viewer, args, now())
  if (!plan.ok) return plan
  switch (plan.value.mode) {
    case 'fetch':
      return fetchBodies(index, plan.value)
    case 'scan':
      return scanDocuments(index, plan.value)
    case 'search':
      return hybrid({ index, embedder, reranker }, plan.value)
  }
}
