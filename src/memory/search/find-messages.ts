/**
 * Searches messages. By words: candidates from the word index, ranked together
 * with their neighbours. By vector, if the question has one: the nearest
 * messages, merged with those found by words. A question without a searchable
 * word is searched for literally.
 */
import { ok, type Result } from '../../base/result.ts'
import type { SearchMessagesAnswer, SearchMessagesArguments } from '../../contracts/tools/search-messages.ts'
import { row, type Database } from '../store/message-database.ts'
import { findByWords, type MessageSearchRequest } from './find-by-words.ts'
import { findPhrases } from './find-phrases.ts'
import { findLiterally } from './find-literally.ts'
import { mergeVectorResults } from './merge-vector-results.ts'
import type { MemoryQuestion } from './message-question.ts'
import { toResults, type FoundMessage } from './message-results.ts'
import type { QuestionVector } from './question-vectors.ts'
import { countSessions, withoutShown } from './session-more.ts'

/** Results best first. A session that does not exist gives none. `question` is the analysed query of `args`. */
export function findMessages(
  database: Database,
  args: SearchMessagesArguments,
  question: MemoryQuestion,
  questionVector?: QuestionVector,
): Result<SearchMessagesAnswer> {
  const session = args.session_id === undefined ? undefined : findSession(database, args.session_id)
  if (session === null) return ok({ results: [] })
  const request = { ...args, ...(session !== undefined && { session }) }
  const found = findRanked(database, question, request, questionVector)
  return ok({ results: withoutShown(toResults(database, found, question, args)) })
}

/** The number of a session; null when no session has the id. */
function findSession(database: Database, sessionId: string): number | null {
  const found = row<{ session: number }>(database, 'SELECT session FROM sessions WHERE session_id = ?', sessionId)
  return found?.session ?? null
}

function findRanked(
  database: Database,
  question: MemoryQuestion,
  request: MessageSearchRequest,
  questionVector: QuestionVector | undefined,
): FoundMessage[] {
  if (question.candidateTerms.length === 0) {
    return findLiterally(database, request.query.trim(), request, request.limit)
  }
  const phrased = findPhrases(database, question.phrases)
  const phrasing = { ...request, ...(phrased !== undefined && { phrased }) }
  const words = findByWords(database, question, phrasing)
  const found = questionVector === undefined ? words : mergeVectorResults(database, words, phrasing, questionVector)
  return countSessions(database, found)
}
