/**
 * Finds the messages nearest to the question's vector and merges them with those
 * found by words. The share of the vector counts as score of the content, the
 * only field that is embedded.
 */
import { compareTies, type TieKeys } from '../../ranking/conversations/tie-order.ts'
import { fuse } from '../../ranking/fuse.ts'
import { rows, type Database } from '../store/message-database.ts'
import type { MessageFilters } from '../store/message-filters.ts'
import { findNearestMessages } from '../vectors/nearest-messages.ts'
import type { RankedMessage } from './message-results.ts'
import type { QuestionVector } from './question-vectors.ts'

/** Nearest messages: at least, and for each requested result. */
const NEAREST = 50
const NEAREST_PER_RESULT = 5

/** Messages of both retrievers, best first; ties by compareTies. `words` are best first. */
export function mergeVectorResults(
  database: Database,
  words: readonly RankedMessage[],
  filters: MessageFilters & { readonly limit: number },
  { vector, weight }: QuestionVector,
): RankedMessage[] {
  const limit = Math.max(NEAREST, NEAREST_PER_RESULT * filters.limit)
  const nearest = findNearestMessages(database, vector, filters, limit)
  const byVector = nearest.map(({ sequence, similarity }) => ({ document: sequence, score: similarity }))
  const byWords = words.map(({ sequence, score }) => ({ document: sequence, score }))
  const vectorShares = new Map(fuse([], byVector, weight).map(({ document, score }) => [document, score]))
  const found = new Map<number, RankedMessage>()
  for (const { sequence, session, start, chars } of nearest) {
    found.set(sequence, { sequence, session, score: 0, breakdown: { content: 0, summary: 0, tags: 0 }, start, chars })
  }
  for (const one of words) found.set(one.sequence, one)
  const merged = fuse(byWords, byVector, weight).flatMap(({ document, score }) => {
    const one = found.get(document)
    if (one === undefined || score === 0) return []
    const content = one.breakdown.content + (vectorShares.get(document) ?? 0)
    return [{ ...one, score, breakdown: { ...one.breakdown, content } }]
  })
  return inOrder(database, merged)
}

interface TieRow extends TieKeys {
  readonly sequence: number
}

function inOrder(database: Database, found: readonly RankedMessage[]): RankedMessage[] {
  const ties = rows<TieRow>(
    database,
    `SELECT m.sequence, m.importance, m.timestamp, m.message_id AS id
    FROM json_each(?) j CROSS JOIN messages m ON m.sequence = j.value`,
    JSON.stringify(found.map(({ sequence }) => sequence)),
  )
  const tieOf = new Map(ties.map((tie) => [tie.sequence, tie]))
  const ranked = found.flatMap((one) => {
    const tie = tieOf.get(one.sequence)
    return tie === undefined ? [] : [{ one, tie }]
  })
  return ranked.sort((a, b) => b.one.score - a.one.score || compareTies(a.tie, b.tie)).map(({ one }) => one)
}
