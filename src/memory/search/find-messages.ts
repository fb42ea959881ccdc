/**
 * Finding messages: candidates from the word index, ranked with their
 * neighbours, joined by those near in meaning where that was asked for, shown
 * with what matched. A question in which nothing can be searched for as a word
 * is looked for letter by letter.
 */
import { ok, type Result } from '../../base/result.ts'
import type { SearchMessagesAnswer, SearchMessagesArguments } from '../../contracts/tools/search-messages.ts'
import { rankConversation, type RankedHit } from '../../ranking/conversations/rank-messages.ts'
import { FIELDS } from '../../ranking/conversations/message-signals.ts'
import { toBaseTerm } from '../../text/terms/irregular.ts'
import { snippetOf } from '../../text/snippet.ts'
import { chooseCandidateTerms } from './find-by-words.ts'
import { row, type Database } from '../store/message-database.ts'
import { indexTables } from '../store/message-index.ts'
import { findLiterally } from './find-literally.ts'
import type { FoundMessage } from './message-results.ts'
import { mergeVectorResults, type QuestionVector } from './question-vectors.ts'
import { MESSAGE_COLUMNS, toMessage, type MessageRow } from '../store/message-row.ts'
import { findNeighbours, takeNearest } from '../store/neighbours.ts'
import { candidatesOf, frequenciesOf, candidateSequences, type CandidatePlace } from './message-candidates.ts'
import { readMemoryQuestion, type MemoryQuestion } from './message-question.ts'
import { RELATION_COUNT } from '../store/relations.ts'
import { ResponseBudget } from '../store/response-budget.ts'
import { readStore } from '../store/store-state.ts'

/** Chunks in the pool: with what stands around them enough to find what there is to find; more when more is asked for. */
const CANDIDATE_CHUNKS = 50
const CANDIDATE_CHUNKS_PER_RESULT = 2

export function findMessages(
  database: Database,
  args: SearchMessagesArguments,
  meaning?: QuestionVector,
): Result<SearchMessagesAnswer> {
  const question = readMemoryQuestion(args.query)
  const session = args.session_id === undefined ? undefined : findSession(database, args.session_id)
  if (session === null) return ok({ results: [] })
  const filters = { ...args, ...(session !== undefined && { session }) }
  const found =
    question.candidateTerms.length === 0
      ? findLiterally(database, args.query.trim(), filters, args.limit)
      : findByBoth(database, question, filters, meaning)
  const room = new ResponseBudget(args.limit)
  const shown: { result: SearchResult; message: MessageRow }[] = []
  for (const [one, message] of readFound(database, found.slice(0, args.limit))) {
    const result = toResult(one, message, question, args)
    if (!room.take(result)) break
    shown.push({ result, message: { ...message, content: '' } })
  }
  return ok({ results: shown.map(({ result, message }) => withNeighbours(database, message, result, room, args)) })
}

/** The number of a session; null when there is none of that id. */
function findSession(database: Database, sessionId: string): number | null {
  const found = row<{ session: number }>(database, 'SELECT session FROM sessions WHERE session_id = ?', sessionId)
  return found?.session ?? null
}

type SearchRequest = SearchMessagesArguments & { readonly session?: number }

/** Best first. */
function findByBoth(
  database: Database,
  question: MemoryQuestion,
  asked: SearchRequest,
  meaning?: QuestionVector,
): FoundMessage[] {
  const found = findByWords(database, question, asked)
  return meaning === undefined ? found : mergeVectorResults(database, found, asked, meaning)
}

/** Best first. */
function findByWords(database: Database, question: MemoryQuestion, filters: SearchRequest): FoundMessage[] {
  const store = readStore(database)
  const tables = indexTables(store.generation)
  const frequencies = frequenciesOf(database, tables, question.terms)
  const limit = Math.max(CANDIDATE_CHUNKS, filters.limit * CANDIDATE_CHUNKS_PER_RESULT)
  const pool = chooseCandidateTerms(question.candidateTerms, frequencies, store.chunks, limit, (terms) =>
    candidateSequences(database, tables, terms, filters, limit),
  )
  if (pool.length === 0) return []
  const { windows, places } = candidatesOf(database, tables, pool, filters)
  return rankConversation(question, frequencies, store, windows).map((hit) => toFound(hit, places.get(hit.id)!))
}

function toFound({ score, breakdown, chunk }: RankedHit, { sequence, chunks }: CandidatePlace): FoundMessage {
  const { start, chars } = chunks[chunk] ?? { start: 0, chars: 0 }
  return { sequence, score, breakdown, start, chars }
}

type SearchResult = SearchMessagesAnswer['results'][number]

function toResult(
  { score, breakdown, start, chars }: FoundMessage,
  message: FoundRow,
  question: MemoryQuestion,
  { preview_chars, context_size }: SearchMessagesArguments,
): SearchResult {
  const looked = { terms: question.candidateTerms, phrases: [] }
  const snippet = snippetOf(message.content.slice(start, start + chars), start, looked, toBaseTerm).text
  return {
    ...toMessage(message, preview_chars),
    score,
    score_breakdown: { ...breakdown },
    matched_fields: FIELDS.filter((field) => breakdown[field] > 0),
    relation_count: message.relation_count,
    snippet,
    ...(context_size > 0 && { context_preview: { before: [], after: [] } }),
  }
}

/** What room the results leave goes to neighbours, the nearest first; those that do not fit are left out. */
function withNeighbours(
  database: Database,
  message: MessageRow,
  result: SearchResult,
  room: ResponseBudget,
  { context_size, preview_chars }: SearchMessagesArguments,
): SearchResult {
  if (context_size === 0 || room.isFull) return result
  const found = findNeighbours(database, message, context_size, context_size)
  const shown = {
    before: found.before.map((neighbour) => toMessage(neighbour, preview_chars)),
    after: found.after.map((neighbour) => toMessage(neighbour, preview_chars)),
  }
  return { ...result, context_preview: takeNearest(shown, (neighbour) => room.takeBytes(neighbour)) }
}

interface FoundRow extends MessageRow {
  readonly relation_count: number
}

/** What was found with its message, read one by one, since an answer may end early. The list's order is that of the outer loop. */
function* readFound(database: Database, found: readonly FoundMessage[]): Generator<[FoundMessage, FoundRow]> {
  const bySequence = new Map(found.map((one) => [one.sequence, one]))
  const messages = database.sql.exec(
    `SELECT ${MESSAGE_COLUMNS}, ${RELATION_COUNT} AS relation_count
    FROM json_each(?) j CROSS JOIN messages m ON m.sequence = j.value CROSS JOIN sessions s ON s.session = m.session`,
    JSON.stringify([...bySequence.keys()]),
  ) as unknown as Iterable<FoundRow>
  for (const message of messages) yield [bySequence.get(message.sequence)!, message]
}
