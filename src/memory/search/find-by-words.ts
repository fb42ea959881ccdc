/**
 * Finds messages by words: selects the terms to look up, reads candidates from
 * the word index, and ranks them with their neighbours.
 */
import type { SearchMessagesArguments } from '../../contracts/tools/search-messages.ts'
import { documentOf } from '../../fts/chunk-number.ts'
import { rankConversation, type RankedHit } from '../../ranking/conversations/rank-messages.ts'
import { selectiveTerms } from '../../ranking/selective-terms.ts'
import type { QuestionTerm } from '../../text/question/question-terms.ts'
import type { Database } from '../store/message-database.ts'
import { indexTables } from '../store/message-index.ts'
import type { MessageFilters } from '../store/message-filters.ts'
import { readStore } from '../store/store-state.ts'
import { findCandidateChunks, readCandidates, readFrequencies, type CandidatePlace } from './message-candidates.ts'
import type { MemoryQuestion } from './message-question.ts'
import type { FoundMessage } from './message-results.ts'

/** The arguments of a search, with the filters that the store resolved. */
export type MessageSearchRequest = SearchMessagesArguments & MessageFilters & { readonly query: string }

/** Candidate messages: at least, and for each requested result. */
const CANDIDATES = 50
const CANDIDATES_PER_RESULT = 2

/** More messages than the results that were requested: a superseded one gives its place to the one that replaced it. */
export function candidateCount(limit: number): number {
  return Math.max(CANDIDATES, limit * CANDIDATES_PER_RESULT)
}

/** Rows of the word index that the first lookup reads; a row counts once for each of its terms. Small stores have fewer. */
export const CANDIDATE_ROWS = 20_000

/** All candidates that match the question, best first. */
export function findByWords(
  database: Database,
  question: MemoryQuestion,
  request: MessageSearchRequest,
): FoundMessage[] {
  const store = readStore(database)
  const tables = indexTables(store.generation)
  const frequencies = readFrequencies(database, tables, question.terms)
  const limit = candidateCount(request.limit)
  const chunks = chooseCandidateTerms(question.candidateTerms, frequencies, store.chunks, limit, (terms) =>
    findCandidateChunks(database, tables, terms, request, limit),
  )
  if (chunks.length === 0) return []
  const { windows, places } = readCandidates(database, tables, chunks, request)
  return rankConversation(question, frequencies, store, windows).map((hit) => toFound(hit, places.get(hit.id)!))
}

/**
 * Chunks of at most `limit` messages, best first. `find` is called with the most
 * selective terms, because each matching row costs about a microsecond. If these
 * give fewer messages than `limit`, it is called again with all indexed terms.
 */
export function chooseCandidateTerms(
  terms: readonly QuestionTerm[],
  frequencies: ReadonlyMap<string, number>,
  chunks: number,
  limit: number,
  find: (terms: readonly QuestionTerm[]) => number[],
): number[] {
  const indexed = terms.filter(({ term }) => frequencies.has(term))
  if (indexed.length === 0) return []
  const selective = selectiveTerms(indexed, frequencies, chunks, CANDIDATE_ROWS)
  const found = find(selective)
  const messages = new Set(found.map(documentOf)).size
  return messages < limit && selective.length < indexed.length ? find(indexed) : found
}

function toFound({ score, breakdown, chunk }: RankedHit, { sequence, chunks }: CandidatePlace): FoundMessage {
  const { start, chars } = chunks[chunk] ?? { start: 0, chars: 0 }
  return { sequence, score, breakdown, start, chars }
}
