/**
 * The context view: a message with its neighbours in the session and its related
 * messages across sessions. When they exceed the budget, the farthest are omitted.
 */
import { RELATION_TYPES } from '../../base/vocabulary.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import type { ShownMessage } from '../../contracts/messages/message-fields.ts'
import type { ContextAnswer } from '../../contracts/tools/read-messages-answers.ts'
import type { ContextArguments } from '../../contracts/tools/read-messages.ts'
import { findLive, unknownMessage } from '../store/live-message.ts'
import { row, type Database } from '../store/message-database.ts'
import { MAX_CONTEXT_MESSAGES } from '../../contracts/limits.ts'
import { toShownMessage } from '../present/shown-message.ts'
import type { MessageRow } from '../store/message-row.ts'
import { findNeighbours, takeNearest } from '../store/neighbours.ts'
import { walkRelations, type MessageLink } from '../store/relations.ts'
import { ResponseBudget } from '../store/response-budget.ts'

type Entry = ContextAnswer['relations'][number]

export function readContext(database: Database, args: ContextArguments): Result<ContextAnswer> {
  const { before, after, relation_depth } = args
  const target = findLive(database, args.message_id)
  if (target === undefined) return refuse(unknownMessage())
  const budget = new ResponseBudget(MAX_CONTEXT_MESSAGES)
  const toShown = (found: MessageRow): ShownMessage => toShownMessage(found, args)
  const message = toShown(target)
  budget.take(message)
  const found = findNeighbours(database, target, before, after)
  const near = { before: found.before.map(toShown), after: found.after.map(toShown) }
  const taken = takeNearest(near, (neighbour) => budget.take(neighbour))
  const types = args.relation_types.length === 0 ? RELATION_TYPES : args.relation_types
  const relations: Entry[] = []
  if (!budget.isFull) {
    for (const link of walkRelations(database, target, types, relation_depth)) {
      const entry = toEntry(database, link, toShown)
      if (!budget.take(entry)) break
      relations.push(entry)
    }
  }
  return ok({
    message,
    chronological_context: taken,
    relations,
    session: { session_id: target.session_id, message_count: countLive(database, target.session) },
    truncated: budget.isFull,
  })
}

/** A target that is deleted or never existed is given by id with the status `deleted`. */
function toEntry(database: Database, link: MessageLink, toShown: (found: MessageRow) => ShownMessage): Entry {
  const { type, direction, depth, messageId } = link
  const found = findLive(database, messageId)
  if (found === undefined) return { type, direction, depth, message_id: messageId, status: 'deleted' }
  return { type, direction, depth, message: toShown(found) }
}

function countLive(database: Database, session: number): number {
  const found = row<{ count: number }>(
    database,
    'SELECT count(*) AS count FROM messages WHERE session = ? AND deleted = 0',
    session,
  )
  return found?.count ?? 0
}
