/**
 * Inserts, replaces and soft-deletes a message with everything that belongs to
 * it: its row, session, relations, index rows, vectors and the counters. The
 * caller must run these functions inside a transaction.
 */
import { utf8Bytes } from '../../base/utf8.ts'
import type { MessageMetadata } from '../../contracts/messages/message-fields.ts'
import { rows, run, type Database } from '../store/message-database.ts'
import { unindexMessage, indexMessage, type IndexedMessage } from '../store/message-index.ts'
import { jsonBytes, toMetadata, type MessageRow, type NewMessage } from '../store/message-row.ts'
import { addToCounters, type Store } from '../store/store-state.ts'
import { dropVectors, hasVectors, invalidateVectors } from '../vectors/message-vectors.ts'

/** Inserts a message as the last of its session and of the store. Returns its UTF-8 bytes: content and metadata. */
export function insertMessage(database: Database, store: Store, sequence: number, message: NewMessage): number {
  const { message_id, session_id, timestamp, updated_at, revision, role, content, metadata } = message
  const { session, place } = takePlace(database, session_id, timestamp)
  const [metadataBytes, contentBytes] = [jsonBytes(metadata), utf8Bytes(content)]
  run(
    database,
    `INSERT INTO messages (sequence, message_id, session, place, deleted, timestamp, updated_at, revision, role,
      memory_tier, memory_kind, importance, expires_at, tool_call_id, tags, relations, source_message_ids, summary,
      metadata_bytes, content_bytes, content)
    VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    sequence,
    message_id,
    session,
    place,
    timestamp,
    updated_at,
    revision,
    role,
    ...metadataValues(metadata),
    metadataBytes,
    contentBytes,
    content,
  )
  putRelations(database, sequence, metadata)
  const extent = indexMessage(
    database,
    store.generation,
    toIndexedFields({ sequence, session, place, role, content }, metadata),
  )
  addToCounters(database, {
    last_sequence: sequence - store.last_sequence,
    live_messages: 1,
    content_bytes: contentBytes,
    metadata_bytes: metadataBytes,
    ...extent,
  })
  return contentBytes + metadataBytes
}

/** Replaces content and metadata of a live message. Returns its new UTF-8 bytes: content and metadata. */
export function replaceMessage(
  database: Database,
  store: Store,
  before: MessageRow,
  after: Pick<NewMessage, 'content' | 'metadata' | 'revision' | 'updated_at'>,
): number {
  const { content, metadata, revision, updated_at } = after
  const [metadataBytes, contentBytes] = [jsonBytes(metadata), utf8Bytes(content)]
  run(
    database,
    `UPDATE messages SET updated_at = ?, revision = ?, memory_tier = ?, memory_kind = ?, importance = ?, expires_at = ?,
      tool_call_id = ?, tags = ?, relations = ?, source_message_ids = ?, summary = ?, metadata_bytes = ?,
      content_bytes = ?, content = ?
    WHERE sequence = ?`,
    updated_at,
    revision,
    ...metadataValues(metadata),
    metadataBytes,
    contentBytes,
    content,
    before.sequence,
  )
  run(database, 'DELETE FROM relations WHERE source = ?', before.sequence)
  putRelations(database, before.sequence, metadata)
  if (hasVectors(store) && content !== before.content) invalidateVectors(database, store, before.sequence)
  const dropped = unindexMessage(database, store.generation, before)
  const put = indexMessage(database, store.generation, toIndexedFields({ ...before, content }, metadata))
  addToCounters(database, {
    last_sequence: 1,
    update_records: 1,
    content_bytes: contentBytes - before.content_bytes,
    metadata_bytes: metadataBytes - before.metadata_bytes,
    chunks: put.chunks - dropped.chunks,
    length: put.length - dropped.length,
  })
  return contentBytes + metadataBytes
}

/** The columns of a message that soft deletion needs. */
export type RemovedMessage = Pick<
  MessageRow,
  'sequence' | 'session' | 'place' | 'timestamp' | 'content_bytes' | 'metadata_bytes'
>

export const REMOVED_COLUMNS = 'sequence, session, place, timestamp, content_bytes, metadata_bytes'

/** Turns live messages into tombstones, which no answer contains. The next rebuild removes their text. */
export function softDeleteMessages(database: Database, store: Store, messages: readonly RemovedMessage[]): void {
  const removed = { chunks: 0, length: 0, contentBytes: 0, metadataBytes: 0 }
  for (const message of messages) {
    const { chunks, length } = unindexMessage(database, store.generation, message)
    run(database, 'UPDATE messages SET deleted = 1 WHERE sequence = ?', message.sequence)
    run(database, 'DELETE FROM relations WHERE source = ?', message.sequence)
    removed.chunks += chunks
    removed.length += length
    removed.contentBytes += message.content_bytes
    removed.metadataBytes += message.metadata_bytes
  }
  if (hasVectors(store)) {
    dropVectors(
      database,
      messages.map(({ sequence }) => sequence),
    )
  }
  for (const [session, ofSession] of Map.groupBy(messages, ({ session }) => session)) {
    updateSessionStart(database, session, Math.min(...ofSession.map(({ timestamp }) => timestamp)))
  }
  addToCounters(database, {
    last_sequence: messages.length,
    live_messages: -messages.length,
    dead_messages: messages.length,
    content_bytes: -removed.contentBytes,
    metadata_bytes: -removed.metadataBytes,
    dead_bytes: removed.contentBytes + removed.metadataBytes,
    chunks: -removed.chunks,
    length: -removed.length,
  })
}

/** The fields of a stored message from which its index rows are made. */
export function toIndexed(message: MessageRow): IndexedMessage {
  return toIndexedFields(message, toMetadata(message))
}

function toIndexedFields(
  message: Pick<IndexedMessage, 'sequence' | 'session' | 'place' | 'role' | 'content'>,
  { tags, summary, memory_tier, memory_kind }: MessageMetadata,
): IndexedMessage {
  const { sequence, session, place, role, content } = message
  return { sequence, session, place, role, content, summary, tags, memory_tier, memory_kind }
}

function metadataValues(metadata: MessageMetadata) {
  return [
    metadata.memory_tier,
    metadata.memory_kind,
    metadata.importance,
    metadata.expires_at ?? null,
    metadata.tool_call_id ?? null,
    JSON.stringify(metadata.tags),
    JSON.stringify(metadata.relations),
    JSON.stringify(metadata.source_message_ids),
    metadata.summary ?? null,
  ] as const
}

/** Takes the next place of a session, which is created if it is new. */
function takePlace(database: Database, sessionId: string, timestamp: number): { session: number; place: number } {
  const [taken] = rows<{ session: number; place: number }>(
    database,
    `INSERT INTO sessions (session_id, next_place, started_at) VALUES (?, 1, ?)
    ON CONFLICT (session_id) DO UPDATE SET
      next_place = next_place + 1,
      started_at = min(coalesce(started_at, excluded.started_at), excluded.started_at)
    RETURNING session, next_place - 1 AS place`,
    sessionId,
    timestamp,
  )
  if (taken === undefined) throw new Error('an upsert returned no row')
  return taken
}

/** Updates the time of a session's oldest live message after messages from `removedAt` on, in Unix ms, were deleted. */
function updateSessionStart(database: Database, session: number, removedAt: number): void {
  run(
    database,
    `UPDATE sessions SET started_at = (SELECT min(timestamp) FROM messages WHERE session = ?1 AND deleted = 0)
    WHERE session = ?1 AND started_at >= ?2`,
    session,
    removedAt,
  )
}

function putRelations(database: Database, source: number, { relations }: MessageMetadata): void {
  for (const [ordinal, { type, message_id }] of relations.entries()) {
    run(database, 'INSERT INTO relations VALUES (?, ?, ?, ?)', source, ordinal, type, message_id)
  }
}
