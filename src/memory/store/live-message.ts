/** Finds a live message by its id, and the refusals of a call that names one message. */
import type { Failure } from '../../base/failure.ts'
import { row, type Database } from './message-database.ts'
import { MESSAGE_COLUMNS, type MessageRow } from './message-row.ts'

export function findLive(database: Database, messageId: string): MessageRow | undefined {
  return row<MessageRow>(
    database,
    `SELECT ${MESSAGE_COLUMNS} FROM messages m JOIN sessions s USING (session)
    WHERE m.message_id = ? AND m.deleted = 0`,
    messageId,
  )
}

/** The same refusal for an id that never existed and for a deleted message. */
export function unknownMessage(): Failure {
  return { code: 'NOT_FOUND', message: 'message_id: no message has this id' }
}

/** The refusal of a call that expects another revision; undefined when it expects this one or any. */
export function staleRevision(expected: number | undefined, revision: number): Failure | undefined {
  if (expected === undefined || expected === revision) return undefined
  return {
    code: 'CONFLICT',
    message: `expected_revision: ${expected} was given, the message is at revision ${revision}`,
    hint: 'Read the message again before you change it.',
  }
}
