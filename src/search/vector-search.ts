/**
 * The side of a search that goes by meaning: the question's vector, made once,
 * and the documents nearest to it. It is asked only where an embedder is
 * configured and the plan wants it.
 */
import { ok, refuse } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import type { NearestChunks, VectorIndex } from '../index/vectors/vector-index.ts'
import type { Embedder } from '../models/embedder/embedder.ts'
import type { HybridPlan } from './plan/plan.ts'

export interface VectorSearchParts {
  readonly embedder: Embedder
  readonly vectors: VectorIndex
}

/** Documents from this side for one row of the answer, and at least. */
const DOCUMENTS_A_ROW = 5
const LEAST_DOCUMENTS = 50

/** What a question may wait for its vector. */
const TIME_LIMIT_MS = 8_000

/** Whether the plan goes by meaning too; `hasWords` is false for a question of symbols, which mean nothing. */
export function usesVectors({ fusion }: HybridPlan, { weight }: Embedder, hasWords: boolean): boolean {
  return hasWords && fusion !== 'sparse_only' && (weight > 0 || fusion === 'dense_only')
}

/** One request to the embedder and two round trips. */
export async function findByVector(
  { embedder, vectors }: VectorSearchParts,
  plan: HybridPlan,
): Promise<Result<NearestChunks>> {
  const embedded = await embedder.embed([plan.words], TIME_LIMIT_MS)
  if (!embedded.ok) return embedded
  const vector = embedded.value[0]
  if (vector === undefined) {
    return refuse({ code: 'UNAVAILABLE', message: 'The embedder refuses the question.', hint: 'Word it differently.' })
  }
  const { scope, filters } = plan.request
  const limit = Math.max(LEAST_DOCUMENTS, DOCUMENTS_A_ROW * plan.topK)
  const near = await vectors.nearest(scope, filters, { vector, model: embedder.model }, limit)
  if (!near.ok) return near
  // What points the other way is no candidate.
  return ok({ ...near.value, rows: near.value.rows.filter(({ similarity: likeness }) => likeness > 0) })
}
