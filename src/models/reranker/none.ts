/** The reranker when none is configured: every request fails. */
import { refuse } from '../../base/result.ts'
import type { Reranker } from './reranker.ts'

export const NO_RERANKER: Reranker = {
  reranks: false,
  rerank: () =>
    Promise.resolve(
      refuse({
        code: 'UNAVAILABLE',
        message: 'No reranker is configured.',
        hint: 'Set RERANKER_URL and RERANKER_MODEL, or use the ranking of the search.',
      }),
    ),
}
