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
   * none. Scores of one call compare with each other and with nothing else.
   * One request whatever is asked; no texts cost none. UNAVAILABLE when it does
   * not answer, or not in scores; then nothing is known of any text.
   */
  rerank(query: string, texts: readonly string[], timeLimitMs: number): Promise<Result<readonly (number | undefined)[]>>
}
