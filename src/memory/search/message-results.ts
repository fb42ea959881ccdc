/**
 * Builds the results of a search from the messages found: message, score,
 * relations, snippet and neighbours, within the response budget. Results take the
 * budget first; what is left goes to neighbours. Compact results are cut to a size
 * that a model reads at once.
 */
import { COMPACT_CONTENT_CHARS, COMPACT_SNIPPET_CHARS } from '../../contracts/limits.ts'
import { SEARCHED_FIELDS, type RelationType } from '../../base/vocabulary.ts'
import type { RelationDirection, ShownMessage } from '../../contracts/messages/message-fields.ts'
import type { Detail } from '../../contracts/messages/message-parameters.ts'
import type { SearchMessagesAnswer, SearchMessagesArguments } from '../../contracts/tools/search-messages.ts'
import type { RankedHit } from '../../ranking/conversations/rank-messages.ts'
import { SNIPPET_CHARS, snippetOf } from '../../text/snippet.ts'
import { toBaseTerm } from '../../text/terms/irregular.ts'
import { fitResults } from '../present/fit-results.ts'
import { toShownMessage } from '../present/shown-message.ts'
import { utf8Bytes } from '../../base/utf8.ts'
import { MAX_COMPACT_BYTES, MAX_COMPACT_RESULT_BYTES } from '../limits.ts'
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
  const taken: { one: FoundMessage | ListedMessage; result: SearchResult; message: MessageRow }[] = []
  for (const [one, message] of readFound(database, found.slice(0, args.limit))) {
    const result = toResult(one, message, context)
    if (!budget.take(result)) break
    // Only the place of the message is used below: do not keep its content in memory.
    taken.push({ one, result, message: { ...message, content: '' } })
  }
  const results = fitCompact(
    taken.map(({ result }) => result),
    taken.map(({ one }) => one),
    context,
  )
  return taken.map(({ message }, at) => withNeighbours(database, message, results[at]!, budget, args))
}

/** Compact results whose contents are cut until the answer is small enough, unless the caller gave a length. */
function fitCompact(
  results: readonly SearchResult[],
  found: readonly (FoundMessage | ListedMessage)[],
  { question, args: { detail, preview_chars, limit } }: ResultContext,
): readonly SearchResult[] {
  if (detail === 'full' || preview_chars !== undefined) return results
  const maxBytes = Math.max(MAX_COMPACT_BYTES, MAX_COMPACT_RESULT_BYTES * limit) - ANSWER_FRAME_BYTES
  return fitResults(results, maxBytes, (result, content, at) => {
    if (result.content_truncated === true) return { ...result, content }
    const one = found[at]!
    return {
      ...result,
      content,
      content_bytes: utf8Bytes(result.content),
      content_truncated: true,
      ...('score' in one && question !== undefined && { snippet: toSnippet(one, result.content, question, detail) }),
    }
  })
}

/** UTF-8 bytes of an answer beside the list of results. */
const ANSWER_FRAME_BYTES = 16

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
    ...('score' in found &&
      question !== undefined &&
      (args.detail === 'full' || shown.content_truncated === true) && {
        snippet: toSnippet(found, message.content, question, args.detail),
      }),
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

/** The best part of the content. In a compact result one of wide characters is half as long. */
function toSnippet(
  { start, chars }: FoundMessage,
  content: string,
  { candidateTerms, phrases }: MemoryQuestion,
  detail: Detail,
): string {
  const range = content.slice(start, start + chars)
  const compactChars = utf8Bytes(range) > 2 * range.length ? COMPACT_SNIPPET_CHARS / 2 : COMPACT_SNIPPET_CHARS
  const maxChars = detail === 'compact' ? compactChars : SNIPPET_CHARS
  return snippetOf(range, start, { terms: candidateTerms, phrases }, toBaseTerm, maxChars).text
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
