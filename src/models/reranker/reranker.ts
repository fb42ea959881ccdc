/**
 * The port to a reranker: a model that reads a question and a text together. Search
 * gives it the best chunk of each candidate, never an empty text.
 */
import type { Result } from '../../base/result.ts'

export interface Reranker {
  /** False when no reranker is configured. */
  readonly reranks: boolean
  /**
   * One score for each text, in order, higher is better; undefined for a text
   * without a score. Scores compare only within one call. At most one request,
   * and none without texts. UNAVAILABLE when it does not answer with scores; then
   * there is no result for any text.
   */
  rerank(query: string, texts: readonly string[], timeLimitMs: number): Promise<Result<readonly (number | undefined)[]>>
}
