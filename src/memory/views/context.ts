/**
 * A message among others: its neighbours in the session, and what relations
 * lead to from it or to it, across sessions. When there is too much, the nearest
 * stays.
 */
import { RELATION_TYPES } from '../../base/vocabulary.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import type { Message } from '../../contracts/messages/message-fields.ts'
import type { ContextAnswer } from '../../contracts/tools/read-messages-answers.ts'
import type { ContextArguments } from '../../contracts/tools/read-messages.ts'
import { row, type Database } from '../store/message-database.ts'
import { MAX_CONTEXT_MESSAGES } from '../limits.ts'
import { toMessage, type MessageRow } from '../store/message-row.ts'
import { findNeighbours, takeNearest } from '../store/neighbours.ts'
import { findLive } from '../changes/put-message.ts'
import { walkRelations, type MessageLink } from '../store/relations.ts'
import { ResponseBudget } from '../store/response-budget.ts'
import { unknownMessage } from '../changes/update.ts'

type Entry = ContextAnswer['relations'][number]

export function readContext(database: Database, args: ContextArguments): Result<ContextAnswer> {
  const { before, after, relation_depth, preview_chars } = args
  const target = findLive(database, args.message_id)
  if (target === undefined) return refuse(unknownMessage())
  const room = new ResponseBudget(MAX_CONTEXT_MESSAGES)
  const message = toMessage(target, preview_chars)
  room.take(message)
  const found = findNeighbours(database, target, before, after)
  const shown = (neighbour: MessageRow): Message => toMessage(neighbour, preview_chars)
  const near = { before: found.before.map(shown), after: found.after.map(shown) }
  const around = takeNearest(near, (neighbour) => room.take(neighbour))
  const types = args.relation_types.length === 0 ? RELATION_TYPES : args.relation_types
  const relations: Entry[] = []
  if (!room.isFull) {
    for (const link of walkRelations(database, target, types, relation_depth)) {
      const entry = toEntry(database, link, preview_chars)
      if (!room.take(entry)) break
      relations.push(entry)
    }
  }
  return ok({
    message,
    chronological_context: around,
    relations,
    session: { session_id: target.session_id, message_count: countLive(database, target.session) },
    truncated: room.isFull,
  })
}

/** What is not there any more, or never was, is named and called deleted. */
function toEntry(database: Database, link: MessageLink, previewChars: number | undefined): Entry {
  const { type, direction, depth, messageId } = link
  const found = findLive(database, messageId)
  if (found === undefined) return { type, direction, depth, message_id: messageId, status: 'deleted' }
  return { type, direction, depth, message: toMessage(found, previewChars) }
}

function countLive(database: Database, session: number): number {
  const found = row<{ count: number }>(
    database,
    'SELECT count(*) AS count FROM messages WHERE session = ? AND deleted = 0',
    session,
  )
  return found?.count ?? 0
}
