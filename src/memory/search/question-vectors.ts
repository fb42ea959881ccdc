/**
 * Embeds questions. Without a vector, because no embedder is configured, it
 * failed, or the store has no vectors of its model, a search uses words alone.
 * A failure is reported with the answer.
 */
import type { Log } from '../../base/log.ts'
import type { Embedder } from '../../models/embedder/embedder.ts'
import { row, type Database } from '../store/message-database.ts'
import { readStore } from '../store/store-state.ts'
import type { MemoryQuestion } from './message-question.ts'

export interface QuestionVector {
  /** Of unit length. */
  readonly vector: Float32Array
  /** Share of vector scores in the fused score, above 0 and below 1. */
  readonly weight: number
}

/** The vector of a question, or why it has none although the store has vectors. */
export interface EmbeddedQuestion {
  readonly vector?: QuestionVector
  readonly warning?: string
}

/** Time in ms that a search waits for the vector of its question. */
const TIME_LIMIT_MS = 8_000

/** The largest share of vectors in the fused score, so that words can find a message whose vector is still pending. */
const VECTOR_SHARE = 0.95

/** Time in ms without requests after the embedder failed, so that only one search waits for an embedder that is down. */
const PAUSE_MS = 30_000

export class QuestionVectors {
  readonly #database: Database
  readonly #embedder: Embedder
  readonly #log: Log
  /** Unix ms before which the embedder is not called. */
  #pausedUntil = 0
  /** Why the embedder is not called. */
  #problem = ''

  constructor(database: Database, embedder: Embedder, log: Log) {
    this.#database = database
    this.#embedder = embedder
    this.#log = log
  }

  /** Calls the embedder once, or not at all when there is nothing to compare the vector with. Logs its failure. */
  async embed(query: string, question: MemoryQuestion): Promise<EmbeddedQuestion> {
    const { weight } = this.#embedder
    if (weight === 0 || !this.#isComparable(question)) return {}
    if (this.#database.now() < this.#pausedUntil) return { warning: this.#problem }
    const embedded = await this.#embedder.embed([query], TIME_LIMIT_MS)
    if (!embedded.ok) {
      this.#pausedUntil = this.#database.now() + PAUSE_MS
      this.#problem = `${embedded.failure.message} Messages are ranked by words alone.`
      this.#log.error('question_not_embedded', { reason: embedded.failure.message })
      return { warning: this.#problem }
    }
    const [vector] = embedded.value
    return vector === undefined ? {} : { vector: { vector, weight: Math.min(weight, VECTOR_SHARE) } }
  }

  /** Whether the question has a searchable word, and the store has vectors of the embedder's model. */
  #isComparable({ candidateTerms }: MemoryQuestion): boolean {
    return (
      candidateTerms.length > 0 &&
      readStore(this.#database).vectors_model === this.#embedder.model &&
      row(this.#database, 'SELECT 1 FROM sketches LIMIT 1') !== undefined
    )
  }
}
