/** The reranker of a server that has none configured: it is never asked. */
import { refuse } from '../../base/result.ts'
import type { Reranker } from './reranker.ts'

export const NO_RERANKER: Reranker = {
  reranks: false,
  rerank: () =>
    Promise.resolve(
      refuse({
        code: 'UNAVAILABLE',
        message: 'No reranker is configured.',
        hint: 'Set RERANKER_URL and RERANKER_MODEL, or go by the order in which rows were found.',
      }),
    ),
}
