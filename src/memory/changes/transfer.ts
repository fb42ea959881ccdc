/**
 * Messages out of a store and into one, as they are: ids, times and revisions
 * kept. What goes out of one store and into an empty one comes out of that the
 * same, byte by byte.
 */
import { ok } from '../../base/result.ts'
import type { MessageLine } from '../../contracts/messages/message-lines.ts'
import { row, run, type Database } from '../store/message-database.ts'
import { MAX_EXPORT_PAGE_CHARS } from '../limits.ts'
import { isSame, MESSAGE_COLUMNS, newMetadata, toMessage, type MessageRow } from '../store/message-row.ts'
import { REMOVED_COLUMNS, findLive, insertMessage, type RemovedMessage } from './put-message.ts'
import { change, addToCounters, readStore } from '../store/store-state.ts'

/** Some messages of a store in the order of creation, one JSON object a line. */
export interface ExportPage {
  readonly lines: string
  /** Where the next page begins; absent after the last. */
  readonly next?: number
}

/** A page of the live messages after `after`, 0 for the first. What changes between two pages shows as it is by then. */
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

/** What became of the messages of a page. */
export interface ImportedMessages {
  readonly imported: number
  /** They were there already, just so. */
  readonly unchanged: number
  /** Another state of them is there, which was kept. */
  readonly kept: number
}

/**
 * Adds messages that are not there, in their order; a deleted one comes back as
 * a new one would. All of them or, when one fails, none. The ids given here say
 * nothing about the ids of messages written later.
 */
export function importMessages(database: Database, lines: readonly MessageLine[]) {
  return change<ImportedMessages>(database, () => {
    const told = { imported: 0, unchanged: 0, kept: 0 }
    let bytes = 0
    for (const line of lines) {
      const message = { ...line, metadata: newMetadata(line.metadata) }
      const present = findLive(database, message.message_id)
      if (present !== undefined) {
        told[isSame(toMessage(present), message) ? 'unchanged' : 'kept'] += 1
        continue
      }
      forgetTombstone(database, message.message_id)
      const store = readStore(database)
      bytes += insertMessage(database, store, store.last_sequence + 1, message)
      told.imported += 1
    }
    return { answer: ok(told), wrote: { calls: told.imported, bytes } }
  })
}

function forgetTombstone(database: Database, messageId: string): void {
  const dead = row<RemovedMessage>(
    database,
    `SELECT ${REMOVED_COLUMNS} FROM messages WHERE message_id = ? AND deleted = 1`,
    messageId,
  )
  if (dead === undefined) return
  run(database, 'DELETE FROM messages WHERE sequence = ?', dead.sequence)
  addToCounters(database, { dead_messages: -1, dead_bytes: -(dead.content_bytes + dead.metadata_bytes) })
}
