/**
 * Finds the messages nearest to the question's vector and merges them with those
 * found by words, whose vectors are compared too. The share of the vector counts as
 * score of the content, the only field that is embedded.
 */
import { CONVERSATION_WEIGHTS } from '../../ranking/conversations/conversation-weights.ts'
import { compareTies, type TieKeys } from '../../ranking/conversations/tie-order.ts'
import { aboveMedian, vectorWeight } from '../../ranking/conversations/vector-evidence.ts'
import { fuse } from '../../ranking/fuse.ts'
import { rows, type Database } from '../store/message-database.ts'
import type { MessageFilters } from '../store/message-filters.ts'
import { compareMessages, findNearestMessages, type NearestMessage } from '../vectors/nearest-messages.ts'
import type { FoundMessage } from './message-results.ts'
import type { QuestionVector } from './question-vectors.ts'

/** Nearest messages: at least, and for each requested result. */
const NEAREST = 50
const NEAREST_PER_RESULT = 5

/** The best messages found by words whose vectors are compared; further ones are below any page of results. */
const COMPARED_WORDS = 200

/** Messages of both retrievers, best first; ties by compareTies. `words` are best first. */
export function mergeVectorResults(
  database: Database,
  words: readonly FoundMessage[],
  filters: MessageFilters & { readonly limit: number },
  { vector, weight }: QuestionVector,
): FoundMessage[] {
  const limit = Math.max(NEAREST, NEAREST_PER_RESULT * filters.limit)
  const nearest = findNearestMessages(database, vector, filters, limit)
  const compared = [...nearest, ...compareOthers(database, vector, words, nearest)]
  const found = new Map<number, FoundMessage>()
  for (const { sequence, start, chars } of compared) {
    found.set(sequence, { sequence, score: 0, breakdown: { content: 0, summary: 0, tags: 0 }, start, chars })
  }
  for (const one of words) found.set(one.sequence, one)
  const places = readPlaces(database, [...found.keys()])
  const sessions = words.map(({ sequence, score }) => ({ session: places.get(sequence)?.session, score }))
  const share = vectorWeight(weight, sessions, CONVERSATION_WEIGHTS)
  const byVector = aboveMedian(
    compared.map(({ sequence, similarity }) => ({ document: sequence, score: similarity })),
    CONVERSATION_WEIGHTS,
  )
  const byWords = words.map(({ sequence, score }) => ({ document: sequence, score }))
  const vectorShares = new Map(fuse([], byVector, share).map(({ document, score }) => [document, score]))
  const merged = fuse(byWords, byVector, share).flatMap(({ document, score }) => {
    const [one, place] = [found.get(document), places.get(document)]
    if (one === undefined || place === undefined || score === 0) return []
    const content = one.breakdown.content + (vectorShares.get(document) ?? 0)
    return [{ place, one: { ...one, score, breakdown: { ...one.breakdown, content } } }]
  })
  return merged.sort((a, b) => b.one.score - a.one.score || compareTies(a.place, b.place)).map(({ one }) => one)
}

/** The similarity of the messages found by words that are not among the nearest. */
function compareOthers(
  database: Database,
  vector: Float32Array,
  words: readonly FoundMessage[],
  nearest: readonly NearestMessage[],
): NearestMessage[] {
  const known = new Set(nearest.map(({ sequence }) => sequence))
  const others = words.slice(0, COMPARED_WORDS).map(({ sequence }) => sequence)
  return compareMessages(
    database,
    vector,
    others.filter((sequence) => !known.has(sequence)),
  )
}

interface PlaceRow extends TieKeys {
  readonly sequence: number
  readonly session: number
}

function readPlaces(database: Database, sequences: readonly number[]): ReadonlyMap<number, PlaceRow> {
  const found = rows<PlaceRow>(
    database,
    `SELECT m.sequence, m.session, m.importance, m.timestamp, m.message_id AS id
    FROM json_each(?) j CROSS JOIN messages m ON m.sequence = j.value`,
    JSON.stringify(sequences),
  )
  return new Map(found.map((one) => [one.sequence, one]))
}
