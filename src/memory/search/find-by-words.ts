/**
 * Finds messages by words: selects the terms to look up, reads candidates from
 * the word index, and ranks them with their neighbours.
 */
import type { SearchMessagesArguments } from '../../contracts/tools/search-messages.ts'
import { rankConversation, type RankedHit } from '../../ranking/conversations/rank-messages.ts'
import type { Database } from '../store/message-database.ts'
import { indexTables } from '../store/message-index.ts'
import type { MessageFilters } from '../store/message-filters.ts'
import { readStore } from '../store/store-state.ts'
import { findCandidates } from './find-candidates.ts'
import {
  countFiltered,
  findCandidateChunks,
  readCandidates,
  readFrequencies,
  type CandidatePlace,
} from './message-candidates.ts'
import type { MemoryQuestion } from './message-question.ts'
import type { RankedMessage } from './message-results.ts'

/** The arguments of a search, with the filters that the store resolved. */
export type MessageSearchRequest = SearchMessagesArguments & MessageFilters & { readonly query: string }

/** Candidate messages: at least, and for each requested result. */
const CANDIDATES = 50
const CANDIDATES_PER_RESULT = 2

/** More messages than the results that were requested: a superseded one gives its place to the one that replaced it. */
export function candidateCount(limit: number): number {
  return Math.max(CANDIDATES, limit * CANDIDATES_PER_RESULT)
}

/** All candidates that match the question, best first. */
export function findByWords(
  database: Database,
  question: MemoryQuestion,
  request: MessageSearchRequest,
): RankedMessage[] {
  const store = readStore(database)
  const tables = indexTables(store.generation)
  const frequencies = readFrequencies(database, tables, question.terms)
  const limit = candidateCount(request.limit)
  const chunks = findCandidates(question.candidateTerms, frequencies, store, {
    limit,
    find: (lookup) => findCandidateChunks(database, tables, lookup, request, limit),
    // The messages with a phrase are listed already.
    countFiltered: () => (request.phrased === undefined ? countFiltered(database, tables, request) : 0),
  })
  if (chunks.length === 0) return []
  const { windows, places } = readCandidates(database, tables, chunks, request)
  return rankConversation(question, frequencies, store, windows).map((hit) => toFound(hit, places.get(hit.id)!))
}

function toFound({ score, breakdown, chunk }: RankedHit, { sequence, session, chunks }: CandidatePlace): RankedMessage {
  const { start, chars } = chunks[chunk] ?? { start: 0, chars: 0 }
  return { sequence, session, score, breakdown, start, chars }
}
