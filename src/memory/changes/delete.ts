/** Deleting messages: one by its id, a session's all, those whose time has come. Each counts as a change of its own. */
import { ok } from '../../base/result.ts'
import type { DeleteMessageAnswer, DeleteMessageArguments } from '../../contracts/tools/delete-message.ts'
import { row, rows, type Database } from '../store/message-database.ts'
import { REMOVED_COLUMNS, softDeleteMessages, findLive, type RemovedMessage } from './put-message.ts'
import { change, readStore } from '../store/store-state.ts'

/** NOT_FOUND is an answer here: unknown, deleted already, or in another session than the guard says. */
export function deleteMessage(database: Database, { message_id, session_id }: DeleteMessageArguments) {
  return change<DeleteMessageAnswer>(database, () => {
    const message = findLive(database, message_id)
    if (message === undefined || (session_id !== undefined && session_id !== message.session_id)) {
      return { answer: ok({ status: 'NOT_FOUND' }) }
    }
    softDeleteMessages(database, readStore(database), [message])
    return { answer: ok({ status: 'OK' }), wrote: { calls: 1, bytes: 0 } }
  })
}

/** Deletes every message of a session, none of another; says how many there were. */
export function deleteSession(database: Database, sessionId: string) {
  return change<{ deleted: number }>(database, () => {
    const doomed = rows<RemovedMessage>(
      database,
      `SELECT ${REMOVED_COLUMNS} FROM messages WHERE deleted = 0
      AND session = (SELECT session FROM sessions WHERE session_id = ?) ORDER BY sequence`,
      sessionId,
    )
    return entombed(database, doomed)
  })
}

/** Deletes what has expired by now; says how many there were. */
export function deleteExpired(database: Database) {
  return change<{ deleted: number }>(database, () => {
    const doomed = rows<RemovedMessage>(
      database,
      `SELECT ${REMOVED_COLUMNS} FROM messages
      WHERE deleted = 0 AND expires_at IS NOT NULL AND expires_at <= ? ORDER BY sequence`,
      database.now(),
    )
    return entombed(database, doomed)
  })
}

/** Unix ms at which the next message expires; undefined when none will. */
export function nextExpiry(database: Database): number | undefined {
  const found = row<{ next: number | null }>(
    database,
    'SELECT min(expires_at) AS next FROM messages WHERE deleted = 0 AND expires_at IS NOT NULL',
  )
  return found?.next ?? undefined
}

function entombed(database: Database, doomed: readonly RemovedMessage[]) {
  if (doomed.length > 0) softDeleteMessages(database, readStore(database), doomed)
  return { answer: ok({ deleted: doomed.length }), wrote: { calls: doomed.length, bytes: 0 } }
}
