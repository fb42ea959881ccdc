/**
 * Deletes messages: one by its id, or all of a session. A deleted message becomes
 * a tombstone; each counts as one change.
 */
import { ok } from '../../base/result.ts'
import type { DeleteMessageAnswer, DeleteMessageArguments } from '../../contracts/tools/delete-message.ts'
import { findLive } from '../store/live-message.ts'
import { rows, type Database } from '../store/message-database.ts'
import { readStore, runChange, type StoreChange } from '../store/store-state.ts'
import { REMOVED_COLUMNS, softDeleteMessages, type RemovedMessage } from './put-message.ts'

/** The status NOT_FOUND, for an unknown or deleted id or a message of another session, is an answer, not a refusal. */
export function deleteMessage(database: Database, { message_id, session_id }: DeleteMessageArguments) {
  return runChange<DeleteMessageAnswer>(database, () => {
    const message = findLive(database, message_id)
    if (message === undefined || (session_id !== undefined && session_id !== message.session_id)) {
      return { answer: ok({ status: 'NOT_FOUND' }) }
    }
    softDeleteMessages(database, readStore(database), [message])
    return { answer: ok({ status: 'OK' }), wrote: { calls: 1, bytes: 0 } }
  })
}

/** Deletes all messages of a session. */
export function deleteSession(database: Database, sessionId: string) {
  return runChange<{ deleted: number }>(database, () => {
    const messages = rows<RemovedMessage>(
      database,
      `SELECT ${REMOVED_COLUMNS} FROM messages WHERE deleted = 0
      AND session = (SELECT session FROM sessions WHERE session_id = ?) ORDER BY sequence`,
      sessionId,
    )
    return deleteAll(database, messages)
  })
}

/** Soft-deletes the messages, as the change of a transaction that is already open. */
export function deleteAll(database: Database, messages: readonly RemovedMessage[]): StoreChange<{ deleted: number }> {
  if (messages.length > 0) softDeleteMessages(database, readStore(database), messages)
  return { answer: ok({ deleted: messages.length }), wrote: { calls: messages.length, bytes: 0 } }
}
