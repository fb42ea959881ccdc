/**
 * The port to a reranker: a model that reads a question and a passage together.
 * Search gives it the best-matching chunk of each candidate and nothing empty.
 */
import type { Result } from '../../base/result.ts'

export interface Reranker {
  /** False for a reranker that is none, which is never asked. */
  readonly reranks: boolean
  /**
   * One score a text, in order, higher is better; undefined for a text it gave
   * none. UNAVAILABLE when it does not answer.
   */
  rerank(query: string, texts: readonly string[]): Promise<Result<readonly (number | undefined)[]>>
}
