/**
 * Builds the results of a search from the messages found: message, score,
 * relations, snippet and neighbours, within the response budget. Results take the
 * budget first; what is left goes to neighbours.
 */
import { COMPACT_CONTENT_CHARS, COMPACT_SNIPPET_CHARS } from '../../contracts/limits.ts'
import { SEARCHED_FIELDS, type RelationType } from '../../base/vocabulary.ts'
import type { RelationDirection, ShownMessage } from '../../contracts/messages/message-fields.ts'
import type { SearchMessagesAnswer, SearchMessagesArguments } from '../../contracts/tools/search-messages.ts'
import type { RankedHit } from '../../ranking/conversations/rank-messages.ts'
import { SNIPPET_CHARS, snippetOf } from '../../text/snippet.ts'
import { toBaseTerm } from '../../text/terms/irregular.ts'
import { toShownMessage } from '../present/shown-message.ts'
import type { Database } from '../store/message-database.ts'
import { MESSAGE_COLUMNS, type MessageRow } from '../store/message-row.ts'
import { findNeighbours, takeNearest } from '../store/neighbours.ts'
import { RELATED, RELATION_COUNT } from '../store/relations.ts'
import { ResponseBudget } from '../store/response-budget.ts'
import type { ListedMessage } from './list-newest.ts'
import type { MemoryQuestion } from './message-question.ts'
import type { SupersededMessages } from './superseded.ts'

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

/** The question and its arguments, and facts about the messages found. */
interface ResultContext {
  readonly superseded: SupersededMessages
  /** Absent when messages are listed. */
  readonly question?: MemoryQuestion
  readonly args: SearchMessagesArguments
}

/** Results in the order of `found`, `limit` at most. Ends early when the budget is full. */
export function toResults(
  database: Database,
  found: readonly (FoundMessage | ListedMessage)[],
  context: ResultContext,
): SearchResult[] {
  const { args } = context
  const budget = new ResponseBudget(args.limit)
  const taken: { result: SearchResult; message: MessageRow }[] = []
  for (const [one, message] of readFound(database, found.slice(0, args.limit))) {
    const result = toResult(one, message, context)
    if (!budget.take(result)) break
    // Only the place of the message is used below: do not keep its content in memory.
    taken.push({ result, message: { ...message, content: '' } })
  }
  return taken.map(({ result, message }) => withNeighbours(database, message, result, budget, args))
}

interface FoundRow extends MessageRow {
  readonly relation_count: number
  /** JSON list of `[type, direction, message_id]`. */
  readonly related: string
}

/** Reads messages one by one, in the given order, because an answer may end before its limit. CROSS JOIN keeps that order. */
function* readFound<Found extends ListedMessage>(
  database: Database,
  found: readonly Found[],
): Generator<[Found, FoundRow]> {
  const bySequence = new Map(found.map((one) => [one.sequence, one]))
  const messages = database.sql.exec(
    `SELECT ${MESSAGE_COLUMNS}, ${RELATION_COUNT} AS relation_count, ${RELATED} AS related
    FROM json_each(?) j CROSS JOIN messages m ON m.sequence = j.value CROSS JOIN sessions s ON s.session = m.session`,
    JSON.stringify([...bySequence.keys()]),
  ) as unknown as Iterable<FoundRow>
  for (const message of messages) yield [bySequence.get(message.sequence)!, message]
}

function toResult(
  found: FoundMessage | ListedMessage,
  message: FoundRow,
  { superseded, question, args }: ResultContext,
): SearchResult {
  const shown = toShownMessage(message, args, COMPACT_CONTENT_CHARS)
  const related = JSON.parse(message.related) as [RelationType, RelationDirection, string][]
  const newest = superseded.get(message.sequence)?.newestId
  return {
    ...shown,
    ...('score' in found && toScores(found, args)),
    relation_count: message.relation_count,
    ...('inSession' in found && { session_more: found.inSession }),
    ...(related.length > 0 && {
      related: related.map(([type, direction, message_id]) => ({ type, direction, message_id })),
    }),
    ...(newest !== undefined && { superseded_by: newest }),
    ...('score' in found && question !== undefined && toSnippet(found, message, shown, question, args)),
    ...(args.context_size > 0 && { context_preview: { before: [], after: [] } }),
  }
}

/** Significant digits of scores in compact results. */
const SCORE_DIGITS = 4

/** Compact scores are rounded, and their breakdown has only the matching fields. */
function toScores({ score, breakdown }: FoundMessage, { detail }: SearchMessagesArguments) {
  const matched = SEARCHED_FIELDS.filter((field) => breakdown[field] > 0)
  if (detail === 'full') return { score, score_breakdown: { ...breakdown }, matched_fields: matched }
  const rounded = (value: number): number => Number(value.toPrecision(SCORE_DIGITS))
  return {
    score: rounded(score),
    score_breakdown: Object.fromEntries(matched.map((field) => [field, rounded(breakdown[field])])),
    matched_fields: matched,
  }
}

/** The best part of the content; none in a compact result that has the whole content. */
function toSnippet(
  { start, chars }: FoundMessage,
  { content }: MessageRow,
  shown: ShownMessage,
  { candidateTerms, phrases }: MemoryQuestion,
  { detail }: SearchMessagesArguments,
): { snippet?: string } {
  if (detail === 'compact' && shown.content_truncated !== true) return {}
  const range = content.slice(start, start + chars)
  const maxChars = detail === 'compact' ? COMPACT_SNIPPET_CHARS : SNIPPET_CHARS
  return { snippet: snippetOf(range, start, { terms: candidateTerms, phrases }, toBaseTerm, maxChars).text }
}

/** Adds the neighbours that fit, the nearest first. */
function withNeighbours(
  database: Database,
  message: MessageRow,
  result: SearchResult,
  budget: ResponseBudget,
  args: SearchMessagesArguments,
): SearchResult {
  const { context_size } = args
  if (context_size === 0 || budget.isFull) return result
  const found = findNeighbours(database, message, context_size, context_size)
  const toShown = (neighbour: MessageRow): ShownMessage => toShownMessage(neighbour, args, COMPACT_CONTENT_CHARS)
  const neighbours = { before: found.before.map(toShown), after: found.after.map(toShown) }
  return { ...result, context_preview: takeNearest(neighbours, (neighbour) => budget.takePart(neighbour)) }
}
