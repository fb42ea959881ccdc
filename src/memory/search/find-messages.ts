/**
 * Searches messages. By words: candidates from the word index, ranked together
 * with their neighbours. By vector, if the question has one: the nearest
 * messages, merged with those found by words. A question without a searchable
 * word is searched for literally. Without a question, messages are listed.
 */
import { ok, type Result } from '../../base/result.ts'
import type { SearchMessagesAnswer, SearchMessagesArguments } from '../../contracts/tools/search-messages.ts'
import { row, type Database } from '../store/message-database.ts'
import { candidateCount, findByWords, type MessageSearchRequest } from './find-by-words.ts'
import { findPhrases } from './find-phrases.ts'
import { findLiterally } from './find-literally.ts'
import { listNewest } from './list-newest.ts'
import { mergeVectorResults } from './merge-vector-results.ts'
import type { MemoryQuestion } from './message-question.ts'
import { toResults, type FoundMessage } from './message-results.ts'
import type { QuestionVector } from './question-vectors.ts'
import { countSessions, withoutShown } from './session-more.ts'
import { findSuperseded, replaceSuperseded } from './superseded.ts'

/** Results best first. A session that does not exist gives none. `question` is the analysed query of `args`. */
export function findMessages(
  database: Database,
  args: SearchMessagesArguments & { readonly query: string },
  question: MemoryQuestion,
  questionVector?: QuestionVector,
): Result<SearchMessagesAnswer> {
  const request = withSession(database, args)
  if (request === undefined) return ok({ results: [] })
  const ranked = findRanked(database, question, request, questionVector)
  const superseded = findSuperseded(database, ranked)
  const found = replaceSuperseded(ranked, superseded)
  return ok({ results: withoutShown(toResults(database, found, { superseded, question, args })) })
}

/** The newest messages that pass the filters. A session that does not exist gives none. */
export function listMessages(database: Database, args: SearchMessagesArguments): Result<SearchMessagesAnswer> {
  const request = withSession(database, args)
  if (request === undefined) return ok({ results: [] })
  const listed = listNewest(database, request, request.limit)
  return ok({ results: toResults(database, listed, { superseded: findSuperseded(database, listed), args }) })
}

/** The arguments with the number of their session; undefined when no session has the id. */
function withSession<Arguments extends SearchMessagesArguments>(
  database: Database,
  args: Arguments,
): (Arguments & { readonly session?: number }) | undefined {
  if (args.session_id === undefined) return args
  const find = 'SELECT session FROM sessions WHERE session_id = ?'
  const found = row<{ session: number }>(database, find, args.session_id)
  return found && { ...args, session: found.session }
}

function findRanked(
  database: Database,
  question: MemoryQuestion,
  request: MessageSearchRequest,
  questionVector: QuestionVector | undefined,
): FoundMessage[] {
  if (question.candidateTerms.length === 0) {
    return findLiterally(database, request.query.trim(), request, candidateCount(request.limit))
  }
  const phrased = findPhrases(database, question.phrases)
  const phrasing = { ...request, ...(phrased !== undefined && { phrased }) }
  const words = findByWords(database, question, phrasing)
  const found = questionVector === undefined ? words : mergeVectorResults(database, words, phrasing, questionVector)
  return countSessions(database, found)
}
