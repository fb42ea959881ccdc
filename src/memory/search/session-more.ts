/**
 * How many further messages of a result's session match: first all messages found
 * in the session are counted, then, when the answer is complete, those in it are
 * subtracted.
 */
import type { SearchMessagesAnswer } from '../../contracts/tools/search-messages.ts'
import { rows, type Database } from '../store/message-database.ts'
import type { FoundMessage } from './message-results.ts'

/** The found messages, each with the number of those in its session, itself included. */
export function countSessions(database: Database, found: readonly FoundMessage[]): FoundMessage[] {
  const places = rows<{ sequence: number; session: number }>(
    database,
    `SELECT m.sequence, m.session FROM json_each(?) j CROSS JOIN messages m ON m.sequence = j.value`,
    JSON.stringify(found.map(({ sequence }) => sequence)),
  )
  const sessionOf = new Map(places.map(({ sequence, session }) => [sequence, session]))
  const counts = new Map<number | undefined, number>()
  for (const { session } of places) counts.set(session, (counts.get(session) ?? 0) + 1)
  return found.map((one) => ({ ...one, inSession: counts.get(sessionOf.get(one.sequence)) ?? 1 }))
}

type Results = SearchMessagesAnswer['results']

/** Results whose `session_more` no longer counts the results of the session. */
export function withoutShown(results: Results): Results {
  const shown = new Map<string, number>()
  for (const { session_id } of results) shown.set(session_id, (shown.get(session_id) ?? 0) + 1)
  return results.map((result) =>
    result.session_more === undefined
      ? result
      : { ...result, session_more: Math.max(0, result.session_more - (shown.get(result.session_id) ?? 0)) },
  )
}
