/**
 * A message into the store and out of it again: its row, its session, its
 * relations and what it is found by, always together, and only inside a
 * transaction that somebody else began.
 */
import { utf8Bytes } from '../../base/utf8.ts'
import type { MessageMetadata } from '../../contracts/messages/message-fields.ts'
import { row, rows, run, type Database } from '../store/message-database.ts'
import { unindexMessage, indexMessage, type IndexedMessage } from '../store/message-index.ts'
import { jsonBytes, MESSAGE_COLUMNS, toMetadata, type MessageRow, type NewMessage } from '../store/message-row.ts'
import { addToCounters, type Store } from '../store/store-state.ts'
import { dropVectors, hasVectors, invalidateVectors } from '../vectors/message-vectors.ts'

/** The live message of an id. */
export function findLive(database: Database, messageId: string): MessageRow | undefined {
  return row<MessageRow>(
    database,
    `SELECT ${MESSAGE_COLUMNS} FROM messages m JOIN sessions s USING (session)
    WHERE m.message_id = ? AND m.deleted = 0`,
    messageId,
  )
}

/** Adds a message as the next of its session and of the store; returns the bytes it came to. */
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
  const extent = indexMessage(database, store.generation, toSource({ sequence, session, place, role, content }, metadata))
  addToCounters(database, {
    last_sequence: sequence - store.last_sequence,
    live_messages: 1,
    content_bytes: contentBytes,
    metadata_bytes: metadataBytes,
    ...extent,
  })
  return contentBytes + metadataBytes
}

/** Puts a live message's new content and metadata in place of the old; returns the bytes it came to. */
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
  const put = indexMessage(database, store.generation, toSource({ ...before, content }, metadata))
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

/** What a tombstone is made from. */
export type RemovedMessage = Pick<
  MessageRow,
  'sequence' | 'session' | 'place' | 'timestamp' | 'content_bytes' | 'metadata_bytes'
>

export const REMOVED_COLUMNS = 'sequence, session, place, timestamp, content_bytes, metadata_bytes'

/** Makes tombstones of live messages: gone from every answer at once, their text from the store with the next rebuild. */
export function softDeleteMessages(database: Database, store: Store, doomed: readonly RemovedMessage[]): void {
  const gone = { chunks: 0, length: 0, contentBytes: 0, metadataBytes: 0 }
  for (const message of doomed) {
    const { chunks, length } = unindexMessage(database, store.generation, message)
    run(database, 'UPDATE messages SET deleted = 1 WHERE sequence = ?', message.sequence)
    run(database, 'DELETE FROM relations WHERE source = ?', message.sequence)
    gone.chunks += chunks
    gone.length += length
    gone.contentBytes += message.content_bytes
    gone.metadataBytes += message.metadata_bytes
  }
  if (hasVectors(store)) {
    dropVectors(
      database,
      doomed.map(({ sequence }) => sequence),
    )
  }
  for (const [session, ofSession] of Map.groupBy(doomed, ({ session }) => session)) {
    updateSessionStart(database, session, Math.min(...ofSession.map(({ timestamp }) => timestamp)))
  }
  addToCounters(database, {
    last_sequence: doomed.length,
    live_messages: -doomed.length,
    dead_messages: doomed.length,
    content_bytes: -gone.contentBytes,
    metadata_bytes: -gone.metadataBytes,
    dead_bytes: gone.contentBytes + gone.metadataBytes,
    chunks: -gone.chunks,
    length: -gone.length,
  })
}

/** What the derived rows of a stored message are made from. */
export function sourceOf(message: MessageRow): IndexedMessage {
  return toSource(message, toMetadata(message))
}

function toSource(
  place: Pick<IndexedMessage, 'sequence' | 'session' | 'place' | 'role' | 'content'>,
  { tags, summary, memory_tier, memory_kind }: MessageMetadata,
): IndexedMessage {
  const { sequence, session, role, content } = place
  return { sequence, session, place: place.place, role, content, summary, tags, memory_tier, memory_kind }
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

/** The session, begun if it is new, and the next place in it. */
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

/** A session begins with its oldest live message; it may have been the one of this time, which is gone. */
function updateSessionStart(database: Database, session: number, gone: number): void {
  run(
    database,
    `UPDATE sessions SET started_at = (SELECT min(timestamp) FROM messages WHERE session = ?1 AND deleted = 0)
    WHERE session = ?1 AND started_at >= ?2`,
    session,
    gone,
  )
}

function putRelations(database: Database, source: number, { relations }: MessageMetadata): void {
  for (const [ordinal, { type, message_id }] of relations.entries()) {
    run(database, 'INSERT INTO relations VALUES (?, ?, ?, ?)', source, ordinal, type, message_id)
  }
}
