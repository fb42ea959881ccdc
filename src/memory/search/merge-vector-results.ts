/**
 * Finds the messages nearest to the question's vector and merges them with those
 * found by words, whose vectors are compared too. The share of the vector counts as
 * score of the content, the only field that is embedded.
 */
import { CONVERSATION_WEIGHTS } from '../../ranking/conversations/conversation-weights.ts'
import { compareTies, type TieKeys } from '../../ranking/conversations/tie-order.ts'
import { aboveMedian, vectorWeight } from '../../ranking/conversations/vector-evidence.ts'
import { fuse, type ScoredDocument } from '../../ranking/fuse.ts'
import { rows, type Database } from '../store/message-database.ts'
import type { MessageFilters } from '../store/message-filters.ts'
import { compareMessages, findNearestMessages } from '../vectors/nearest-messages.ts'
import type { RankedMessage } from './message-results.ts'
import type { QuestionVector } from './question-vectors.ts'

/** Nearest messages: at least, and for each requested result. */
const NEAREST = 50
const NEAREST_PER_RESULT = 5

/** The best messages found by words whose vectors are compared; further ones are below any page of results. */
const COMPARED_WORDS = 200

/** Messages of both retrievers, best first; ties by compareTies. `words` are best first. */
export function mergeVectorResults(
  database: Database,
  words: readonly RankedMessage[],
  filters: MessageFilters & { readonly limit: number },
  { vector, weight }: QuestionVector,
): RankedMessage[] {
  const limit = Math.max(NEAREST, NEAREST_PER_RESULT * filters.limit)
  const nearest = findNearestMessages(database, vector, filters, limit)
  const found = new Map<number, RankedMessage>()
  for (const { sequence, session, start, chars } of nearest) {
    found.set(sequence, { sequence, session, score: 0, breakdown: { content: 0, summary: 0, tags: 0 }, start, chars })
  }
  const others = words.slice(0, COMPARED_WORDS).filter(({ sequence }) => !found.has(sequence))
  for (const one of words) found.set(one.sequence, one)

  const compared = [...nearest, ...compareMessages(database, vector, others)]
  const similarities = compared.map(({ sequence, similarity }) => ({ document: sequence, score: similarity }))
  const byVector = aboveMedian(similarities, CONVERSATION_WEIGHTS)
  const byWords = words.map(({ sequence, score }) => ({ document: sequence, score }))
  return fuseFound(database, found, byWords, byVector, vectorWeight(weight, words, CONVERSATION_WEIGHTS))
}

interface TieRow extends TieKeys {
  readonly sequence: number
}

/** The found messages with their fused scores, best first, the share of vectors added to that of the content. */
function fuseFound(
  database: Database,
  found: ReadonlyMap<number, RankedMessage>,
  byWords: readonly ScoredDocument[],
  byVector: readonly ScoredDocument[],
  weight: number,
): RankedMessage[] {
  const ties = rows<TieRow>(
    database,
    `SELECT m.sequence, m.importance, m.timestamp, m.message_id AS id
    FROM json_each(?) j CROSS JOIN messages m ON m.sequence = j.value`,
    JSON.stringify([...found.keys()]),
  )
  const tieOf = new Map(ties.map((tie) => [tie.sequence, tie]))
  const vectorShares = new Map(fuse([], byVector, weight).map(({ document, score }) => [document, score]))
  const merged = fuse(byWords, byVector, weight).flatMap(({ document, score }) => {
    const [one, tie] = [found.get(document), tieOf.get(document)]
    if (one === undefined || tie === undefined || score === 0) return []
    const content = one.breakdown.content + (vectorShares.get(document) ?? 0)
    return [{ tie, one: { ...one, score, breakdown: { ...one.breakdown, content } } }]
  })
  return merged.sort((a, b) => b.one.score - a.one.score || compareTies(a.tie, b.tie)).map(({ one }) => one)
}
