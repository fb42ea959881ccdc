/** The reranker of a server that has none configured. */
import { refuse } from '../../base/result.ts'
import type { Reranker } from './reranker.ts'

export const NO_RERANKER: Reranker = {
  reranks: false,
  rerank: () => Promise.resolve(refuse({ code: 'UNAVAILABLE', message: 'No reranker is configured.' })),
}
