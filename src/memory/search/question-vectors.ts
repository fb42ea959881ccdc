/**
 * The side of a search that goes by meaning: the question's vector, asked for
 * before anything is read, and the messages near it fused with those that words
 * found. Without a vector words answer alone.
 */
import type { Log } from '../../base/log.ts'
import { fuse } from '../../ranking/fuse.ts'
import type { Embedder } from '../../models/embedder/embedder.ts'
import { row, rows, type Database } from '../store/message-database.ts'
import type { FoundMessage } from './message-results.ts'
import type { MessageFilters } from '../store/message-filters.ts'
import { readMemoryQuestion } from './message-question.ts'
import { readStore } from '../store/store-state.ts'
import { findNearestMessages } from '../vectors/nearest-messages.ts'

/** A question's vector, of unit length, and what its judgement is worth beside words. */
export interface QuestionVector {
  readonly vector: Float32Array
  readonly weight: number
}

/** What a question may wait for its vector. */
const TIME_LIMIT_MS = 8_000

/** Messages from this side for one result, and at least. */
const MESSAGES_A_RESULT = 5
const LEAST_MESSAGES = 50

/** Words always have a say: a message whose vector is not made yet is found by them alone. */
const MOST_WEIGHT = 0.95

/** After a failure questions go by words for so long, so that not each of them waits for an embedder that is down. */
const REST_MS = 30_000

/** Asks for questions' vectors. */
export class QuestionVectors {
  readonly #database: Database
  readonly #embedder: Embedder
  readonly #log: Log
  /** Unix ms; until then nothing is asked. */
  #restsUntil = 0

  constructor(database: Database, embedder: Embedder, log: Log) {
    this.#database = database
    this.#embedder = embedder
    this.#log = log
  }

  /** One request to the embedder; none, and no vector, where none is configured or there is nothing to compare. */
  async embed(query: string): Promise<QuestionVector | undefined> {
    const { weight } = this.#embedder
    if (weight === 0 || this.#database.now() < this.#restsUntil || !this.#isAskable(query)) return undefined
    const embedded = await this.#embedder.embed([query], TIME_LIMIT_MS)
    if (!embedded.ok) {
      this.#restsUntil = this.#database.now() + REST_MS
      this.#log.error('question_without_meaning', { reason: embedded.failure.message })
      return undefined
    }
    const [vector] = embedded.value
    return vector && { vector, weight: Math.min(weight, MOST_WEIGHT) }
  }

  /** Signs alone (`***`) mean nothing. */
  #isAskable(query: string): boolean {
    return (
      readMemoryQuestion(query).candidateTerms.length > 0 &&
      readStore(this.#database).vectors_model === this.#embedder.model &&
      row(this.#database, 'SELECT 1 FROM sketches LIMIT 1') !== undefined
    )
  }
}

/**
 * What words found, best first, made one with what is near. What meaning adds to
 * a score stands under the content, which is all it has read.
 */
export function mergeVectorResults(
  database: Database,
  words: readonly FoundMessage[],
  filters: MessageFilters & { readonly limit: number },
  { vector, weight }: QuestionVector,
): FoundMessage[] {
  const limit = Math.max(LEAST_MESSAGES, MESSAGES_A_RESULT * filters.limit)
  const near = findNearestMessages(database, vector, filters, limit)
  const meaning = near.map(({ sequence, similarity: likeness }) => ({ document: sequence, score: likeness }))
  const sided = words.map(({ sequence, score }) => ({ document: sequence, score }))
  const shares = new Map(fuse([], meaning, weight).map(({ document, score }) => [document, score]))
  const found = new Map<number, FoundMessage>()
  for (const { sequence, start, chars } of near) {
    found.set(sequence, { sequence, score: 0, breakdown: { content: 0, summary: 0, tags: 0 }, start, chars })
  }
  for (const one of words) found.set(one.sequence, one)
  const joined = fuse(sided, meaning, weight).flatMap(({ document, score }) => {
    const one = found.get(document)
    if (one === undefined || score === 0) return []
    const content = one.breakdown.content + (shares.get(document) ?? 0)
    return [{ ...one, score, breakdown: { ...one.breakdown, content } }]
  })
  return inOrder(database, joined)
}

interface Rank {
  readonly sequence: number
  readonly importance: number
  readonly timestamp: number
  readonly message_id: string
}

/** By score; equal ones by importance, then the newer, then by id. */
function inOrder(database: Database, found: readonly FoundMessage[]): FoundMessage[] {
  const ranks = rows<Rank>(
    database,
    `SELECT m.sequence, m.importance, m.timestamp, m.message_id
    FROM json_each(?) j CROSS JOIN messages m ON m.sequence = j.value`,
    JSON.stringify(found.map(({ sequence }) => sequence)),
  )
  const ofSequence = new Map(ranks.map((rank) => [rank.sequence, rank]))
  const ranked = found.flatMap((one) => {
    const rank = ofSequence.get(one.sequence)
    return rank === undefined ? [] : [{ one, rank }]
  })
  return ranked
    .sort(
      (a, b) =>
        b.one.score - a.one.score ||
        b.rank.importance - a.rank.importance ||
        b.rank.timestamp - a.rank.timestamp ||
        (a.rank.message_id < b.rank.message_id ? -1 : 1),
    )
    .map(({ one }) => one)
}
