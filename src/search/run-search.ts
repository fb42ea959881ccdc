/**
 * The search use case: a viewer and the arguments of one call in, an answer or a
 * refusal out. The plan decides which of the three modes runs. Search decides
 * which rankings are used, how they are merged and what is shown; reading is
 * done by src/index/.
 */
import type { Viewer } from '../access/viewer.ts'
import type { Result } from '../base/result.ts'
import type { SearchAnswer } from '../contracts/tools/search-answers.ts'
import type { SearchArguments } from '../contracts/tools/search.ts'
import { readerOf } from '../index/reader.ts'
import type { Index } from '../index/sql/index-database.ts'
import type { VectorIndex } from '../index/vectors/vector-index.ts'
import type { Embedder } from '../models/embedder/embedder.ts'
import { NO_EMBEDDER } from '../models/embedder/none.ts'
import { NO_RERANKER } from '../models/reranker/none.ts'
import type { Reranker } from '../models/reranker/reranker.ts'
import { fetchBodies } from './fetch-bodies.ts'
import { searchHybrid } from './hybrid-search.ts'
import { toPlan } from './plan/plan.ts'
import { scanDocuments } from './scan-documents.ts'

export interface SearchDependencies {
  readonly index: Index
  readonly vectors: VectorIndex
  /** Without one, rows are ranked by words alone. */
  readonly embedder?: Embedder
  readonly reranker?: Reranker
  /** Milliseconds UTC. */
  now(): number
}

export async function search(
  { index, vectors, now, embedder = NO_EMBEDDER, reranker = NO_RERANKER }: SearchDependencies,
  viewer: Viewer,
  args: SearchArguments,
): Promise<Result<SearchAnswer>> {
  const plan = toPlan(viewer, args, now())
  if (!plan.ok) return plan
  const reader = readerOf(index.database)
  switch (plan.value.mode) {
    case 'fetch':
      return fetchBodies(reader, plan.value)
    case 'scan':
      return scanDocuments(reader, plan.value)
    case 'search':
      return searchHybrid({ reader, vectors, embedder, reranker }, plan.value)
  }
}
