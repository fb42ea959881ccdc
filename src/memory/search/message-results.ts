/**
 * Builds the results of a search from the messages found: message, score,
 * snippet and neighbours, within the response budget. Results take the budget
 * first; what is left goes to neighbours.
 */
import { SEARCHED_FIELDS } from '../../base/vocabulary.ts'
import type { SearchMessagesAnswer, SearchMessagesArguments } from '../../contracts/tools/search-messages.ts'
import type { RankedHit } from '../../ranking/conversations/rank-messages.ts'
import { snippetOf } from '../../text/snippet.ts'
import { toBaseTerm } from '../../text/terms/irregular.ts'
import type { Database } from '../store/message-database.ts'
import { MESSAGE_COLUMNS, toMessage, type MessageRow } from '../store/message-row.ts'
import { findNeighbours, takeNearest } from '../store/neighbours.ts'
import { RELATION_COUNT } from '../store/relations.ts'
import { ResponseBudget } from '../store/response-budget.ts'
import type { MemoryQuestion } from './message-question.ts'

/** A message that was found, and the range of its content that matches best. */
export interface FoundMessage extends Pick<RankedHit, 'score' | 'breakdown'> {
  readonly sequence: number
  /** Start and length of the range in the content, in UTF-16 units. */
  readonly start: number
  readonly chars: number
  /** Messages found in its session, itself included; `session_more` is made of it. */
  readonly inSession?: number
}

type SearchResult = SearchMessagesAnswer['results'][number]

/** Results in the order of `found`, `limit` at most. Ends early when the budget is full. */
export function toResults(
  database: Database,
  found: readonly FoundMessage[],
  question: MemoryQuestion,
  args: SearchMessagesArguments,
): SearchResult[] {
  const budget = new ResponseBudget(args.limit)
  const taken: { result: SearchResult; message: MessageRow }[] = []
  for (const [one, message] of readFound(database, found.slice(0, args.limit))) {
    const result = toResult(one, message, question, args)
    if (!budget.take(result)) break
    // Only the place of the message is used below: do not keep its content in memory.
    taken.push({ result, message: { ...message, content: '' } })
  }
  return taken.map(({ result, message }) => withNeighbours(database, message, result, budget, args))
}

interface FoundRow extends MessageRow {
  readonly relation_count: number
}

/** Reads messages one by one, in the given order, because an answer may end before its limit. CROSS JOIN keeps that order. */
function* readFound(database: Database, found: readonly FoundMessage[]): Generator<[FoundMessage, FoundRow]> {
  const bySequence = new Map(found.map((one) => [one.sequence, one]))
  const messages = database.sql.exec(
    `SELECT ${MESSAGE_COLUMNS}, ${RELATION_COUNT} AS relation_count
    FROM json_each(?) j CROSS JOIN messages m ON m.sequence = j.value CROSS JOIN sessions s ON s.session = m.session`,
    JSON.stringify([...bySequence.keys()]),
  ) as unknown as Iterable<FoundRow>
  for (const message of messages) yield [bySequence.get(message.sequence)!, message]
}

function toResult(
  { score, breakdown, start, chars, inSession }: FoundMessage,
  message: FoundRow,
  question: MemoryQuestion,
  { preview_chars, context_size }: SearchMessagesArguments,
): SearchResult {
  const range = message.content.slice(start, start + chars)
  const { text: snippet } = snippetOf(
    range,
    start,
    { terms: question.candidateTerms, phrases: question.phrases },
    toBaseTerm,
  )
  return {
    ...toMessage(message, preview_chars),
    score,
    score_breakdown: { ...breakdown },
    matched_fields: SEARCHED_FIELDS.filter((field) => breakdown[field] > 0),
    relation_count: message.relation_count,
    ...(inSession !== undefined && { session_more: inSession }),
    snippet,
    ...(context_size > 0 && { context_preview: { before: [], after: [] } }),
  }
}

/** Adds the neighbours that fit, the nearest first. */
function withNeighbours(
  database: Database,
  message: MessageRow,
  result: SearchResult,
  budget: ResponseBudget,
  { context_size, preview_chars }: SearchMessagesArguments,
): SearchResult {
  if (context_size === 0 || budget.isFull) return result
  const found = findNeighbours(database, message, context_size, context_size)
  const neighbours = {
    before: found.before.map((neighbour) => toMessage(neighbour, preview_chars)),
    after: found.after.map((neighbour) => toMessage(neighbour, preview_chars)),
  }
  return { ...result, context_preview: takeNearest(neighbours, (neighbour) => budget.takePart(neighbour)) }
}
