/**
 * Finding messages: candidates from the word index, ranked with their
 * neighbours, shown with what matched. A question in which nothing can be
 * searched for as a word is looked for letter by letter.
 */
import { ok, type Result } from '../base/result.ts'
import type { SearchMessagesAnswer, SearchMessagesArguments } from '../contracts/tools/search-messages.ts'
import { rankConversation, type Hit } from '../ranking/conversation.ts'
import { FIELDS } from '../ranking/message-signals.ts'
import { choosingTerms } from '../ranking/prune.ts'
import { toBaseTerm } from '../text/irregular.ts'
import { snippetOf } from '../text/snippet.ts'
import { row, type Database } from './database.ts'
import { derivedTables } from './derived.ts'
import { findLiterally } from './find-literally.ts'
import type { Found } from './found.ts'
import { MESSAGE_COLUMNS, toMessage, type MessageRow } from './message.ts'
import { findNeighbours, takeNearest } from './neighbours.ts'
import { candidatesOf, frequenciesOf, poolOf, type CandidatePlace } from './pool.ts'
import { readMemoryQuestion, type MemoryQuestion } from './question.ts'
import { countRelations } from './relations.ts'
import { Room } from './room.ts'
import { readStore } from './store.ts'

/** Pieces in the pool: with what stands around them enough to find what there is to find; more when more is asked for. */
const POOL_PIECES = 50
const POOL_PIECES_A_RESULT = 2

export function findMessages(database: Database, args: SearchMessagesArguments): Result<SearchMessagesAnswer> {
  const question = readMemoryQuestion(args.query)
  const session = args.session_id === undefined ? undefined : findSession(database, args.session_id)
  if (session === null) return ok({ results: [] })
  const narrowing = { ...args, ...(session !== undefined && { session }) }
  const found =
    question.choosing.length === 0
      ? findLiterally(database, args.query.trim(), narrowing, args.limit)
      : findByWords(database, question, narrowing)
  const room = new Room(args.limit)
  const results: SearchMessagesAnswer['results'] = []
  for (const one of found) {
    const result = toResult(database, one, question, args)
    if (!room.take(result)) break
    results.push(withNeighbours(database, one.sequence, result, room, args))
  }
  return ok({ results })
}

/** The number of a session; null when there is none of that id. */
function findSession(database: Database, sessionId: string): number | null {
  const found = row<{ session: number }>(database, 'SELECT session FROM sessions WHERE session_id = ?', sessionId)
  return found?.session ?? null
}

/** Best first. */
function findByWords(
  database: Database,
  question: MemoryQuestion,
  narrowing: SearchMessagesArguments & { readonly session?: number },
): Found[] {
  const store = readStore(database)
  const tables = derivedTables(store.generation)
  const frequencies = frequenciesOf(database, tables, question.terms)
  const terms = choosingTerms(question.choosing, frequencies, store.pieces)
  if (terms.length === 0) return []
  const limit = Math.max(POOL_PIECES, narrowing.limit * POOL_PIECES_A_RESULT)
  const { windows, places } = candidatesOf(
    database,
    tables,
    poolOf(database, tables, terms, narrowing, limit),
    narrowing,
  )
  return rankConversation(question, frequencies, store, windows).map((hit) => toFound(hit, places.get(hit.id)!))
}

function toFound({ score, breakdown, piece }: Hit, { sequence, pieces }: CandidatePlace): Found {
  const { start, chars } = pieces[piece] ?? { start: 0, chars: 0 }
  return { sequence, score, breakdown, start, chars }
}

type SearchResult = SearchMessagesAnswer['results'][number]

function toResult(
  database: Database,
  { sequence, score, breakdown, start, chars }: Found,
  question: MemoryQuestion,
  { preview_chars }: SearchMessagesArguments,
): SearchResult {
  const message = readMessage(database, sequence)
  const looked = { terms: question.choosing, phrases: [] }
  const snippet = snippetOf(message.content.slice(start, start + chars), start, looked, toBaseTerm).text
  return {
    ...toMessage(message, preview_chars),
    score,
    score_breakdown: { ...breakdown },
    matched_fields: FIELDS.filter((field) => breakdown[field] > 0),
    relation_count: countRelations(database, message.message_id, sequence),
    snippet,
  }
}

/** What room is left goes to neighbours, the nearest first; those that do not fit are left out. */
function withNeighbours(
  database: Database,
  sequence: number,
  result: SearchResult,
  room: Room,
  { context_size, preview_chars }: SearchMessagesArguments,
): SearchResult {
  if (context_size === 0) return result
  const { session } = readMessage(database, sequence)
  const found = findNeighbours(database, { session, sequence }, context_size, context_size)
  const shown = {
    before: found.before.map((message) => toMessage(message, preview_chars)),
    after: found.after.map((message) => toMessage(message, preview_chars)),
  }
  return { ...result, context_preview: takeNearest(shown, (message) => room.takeInside(message)) }
}

function readMessage(database: Database, sequence: number): MessageRow {
  const found = row<MessageRow>(
    database,
    `SELECT ${MESSAGE_COLUMNS} FROM messages m JOIN sessions s USING (session) WHERE m.sequence = ?`,
    sequence,
  )
  if (found === undefined) throw new Error('a candidate is not in the store')
  return found
}
