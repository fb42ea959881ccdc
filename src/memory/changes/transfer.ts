/**
 * Exports messages as lines and imports them with their ids, times and revisions.
 * An export that is imported into an empty store is exported again byte for byte.
 */
import { ok } from '../../base/result.ts'
import type { MessageLine } from '../../contracts/messages/message-lines.ts'
import { findLive } from '../store/live-message.ts'
import { row, run, type Database } from '../store/message-database.ts'
import { MAX_EXPORT_PAGE_CHARS } from '../limits.ts'
import { isSame, MESSAGE_COLUMNS, newMetadata, toMessage, type MessageRow } from '../store/message-row.ts'
import { REMOVED_COLUMNS, insertMessage, type RemovedMessage } from './put-message.ts'
import { runChange, addToCounters, readStore } from '../store/store-state.ts'

/** A page of messages in order of creation, one JSON object a line. */
interface ExportPage {
  readonly lines: string
  /** The `after` of the next page; absent on the last page. */
  readonly next?: number
}

/** Reads a page of live messages with a sequence above `after`, which is 0 for the first page. */
export function exportPage(database: Database, after: number): ExportPage {
  const found = database.sql.exec(
    `SELECT ${MESSAGE_COLUMNS} FROM messages m JOIN sessions s USING (session)
    WHERE m.deleted = 0 AND m.sequence > ? ORDER BY m.sequence`,
    after,
  ) as unknown as Iterable<MessageRow>
  let lines = ''
  for (const message of found) {
    lines += `${JSON.stringify(toMessage(message))}\n`
    if (lines.length > MAX_EXPORT_PAGE_CHARS) return { lines, next: message.sequence }
  }
  return { lines }
}

/** Numbers of messages of a page, by outcome. */
interface ImportedMessages {
  readonly imported: number
  /** The store has an equal message. */
  readonly unchanged: number
  /** The store has the message in another state, which stays. */
  readonly kept: number
}

/**
 * Inserts the messages that the store does not have, in the given order; a
 * deleted one is inserted again. Inserts all or, after an error, none. The ids
 * do not influence the ids of messages written later.
 */
export function importMessages(database: Database, lines: readonly MessageLine[]) {
  return runChange<ImportedMessages>(database, () => {
    const summary = { imported: 0, unchanged: 0, kept: 0 }
    let bytes = 0
    for (const line of lines) {
      const message = { ...line, metadata: newMetadata(line.metadata) }
      const present = findLive(database, message.message_id)
      if (present !== undefined) {
        summary[isSame(toMessage(present), message) ? 'unchanged' : 'kept'] += 1
        continue
      }
      purgeTombstone(database, message.message_id)
      const store = readStore(database)
      bytes += insertMessage(database, store, store.last_sequence + 1, message)
      summary.imported += 1
    }
    return { answer: ok(summary), wrote: { calls: summary.imported, bytes } }
  })
}

function purgeTombstone(database: Database, messageId: string): void {
  const dead = row<RemovedMessage>(
    database,
    `SELECT ${REMOVED_COLUMNS} FROM messages WHERE message_id = ? AND deleted = 1`,
    messageId,
  )
  if (dead === undefined) return
  run(database, 'DELETE FROM messages WHERE sequence = ?', dead.sequence)
  addToCounters(database, { dead_messages: -1, dead_bytes: -(dead.content_bytes + dead.metadata_bytes) })
}
