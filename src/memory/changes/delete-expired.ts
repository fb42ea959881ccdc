/** Deletes messages whose expiry time has come, and says when the next one expires. The alarm and every change call it. */
import { row, rows, type Database } from '../store/message-database.ts'
import { runChange } from '../store/store-state.ts'
import { deleteAll } from './delete.ts'
import { REMOVED_COLUMNS, type RemovedMessage } from './put-message.ts'

/** Deletes all messages that have expired. */
export function deleteExpired(database: Database) {
  return runChange<{ deleted: number }>(database, () => {
    const messages = rows<RemovedMessage>(
      database,
      `SELECT ${REMOVED_COLUMNS} FROM messages
      WHERE deleted = 0 AND expires_at IS NOT NULL AND expires_at <= ? ORDER BY sequence`,
      database.now(),
    )
    return deleteAll(database, messages)
  })
}

/** Unix ms at which the next message expires; undefined when no message does. */
export function nextExpiry(database: Database): number | undefined {
  const found = row<{ next: number | null }>(
    database,
    'SELECT min(expires_at) AS next FROM messages WHERE deleted = 0 AND expires_at IS NOT NULL',
  )
  return found?.next ?? undefined
}
