/**
 * Converts a row of `messages` to the message that callers see, and merges
 * changes into metadata. Texts stay byte for byte: not trimmed, not normalised.
 */
import { utf8Bytes } from '../../base/utf8.ts'
import {
  DEFAULT_METADATA,
  type Message,
  type MessageMetadata,
  type MetadataChange,
  type Relation,
} from '../../contracts/messages/message-fields.ts'
import { StoreDamage } from './message-database.ts'
import type { MemoryKind, MemoryTier, Role } from '../../base/vocabulary.ts'

/** A row of `messages`, joined with the id of its session. */
export interface MessageRow {
  readonly sequence: number
  readonly message_id: string
  readonly session: number
  readonly session_id: string
  readonly place: number
  readonly timestamp: number
  readonly updated_at: number
  readonly revision: number
  readonly role: Role
  readonly memory_tier: MemoryTier
  readonly memory_kind: MemoryKind
  readonly importance: number
  readonly expires_at: number | null
  readonly tool_call_id: string | null
  readonly tags: string
  readonly relations: string
  readonly source_message_ids: string
  readonly summary: string | null
  readonly metadata_bytes: number
  readonly content_bytes: number
  readonly content: string
}

/** A message to be written, with its id and times. */
export type NewMessage = Omit<Message, 'content_bytes' | 'content_truncated'>

/** The columns of a `MessageRow`, selected `FROM messages m JOIN sessions s USING (session)`. */
export const MESSAGE_COLUMNS = `m.sequence, m.message_id, m.session, s.session_id, m.place, m.timestamp, m.updated_at,
  m.revision, m.role, m.memory_tier, m.memory_kind, m.importance, m.expires_at, m.tool_call_id, m.tags, m.relations,
  m.source_message_ids, m.summary, m.metadata_bytes, m.content_bytes, m.content`

/** `previewChars` cuts the content to that many code points. Throws StoreDamage for a row that no write can have made. */
export function toMessage(row: MessageRow, previewChars?: number): Message {
  const message: Message = {
    message_id: row.message_id,
    session_id: row.session_id,
    timestamp: row.timestamp,
    role: row.role,
    content: row.content,
    revision: row.revision,
    updated_at: row.updated_at,
    metadata: toMetadata(row),
  }
  if (previewChars === undefined) return message
  const content = firstCodePoints(row.content, previewChars)
  return {
    ...message,
    content,
    content_bytes: row.content_bytes,
    content_truncated: content.length < row.content.length,
  }
}

export function toMetadata(row: MessageRow): MessageMetadata {
  return {
    tags: parseList<string>(row, 'tags'),
    memory_tier: row.memory_tier,
    memory_kind: row.memory_kind,
    importance: row.importance,
    relations: parseList<Relation>(row, 'relations'),
    source_message_ids: parseList<string>(row, 'source_message_ids'),
    ...(row.tool_call_id !== null && { tool_call_id: row.tool_call_id }),
    ...(row.summary !== null && { summary: row.summary }),
    ...(row.expires_at !== null && { expires_at: row.expires_at }),
  }
}

/** Metadata after a change: a given field replaces the stored one, null restores the default, other fields stay. */
export function changeMetadata(metadata: MessageMetadata, change: MetadataChange): MessageMetadata {
  const merged = { ...metadata, ...change }
  const value = <Field extends keyof MessageMetadata>(field: Field): MessageMetadata[Field] =>
    (merged[field] ?? (DEFAULT_METADATA as unknown as MessageMetadata)[field]) as MessageMetadata[Field]
  const { tool_call_id, summary, expires_at } = merged
  return {
    tags: value('tags'),
    memory_tier: value('memory_tier'),
    memory_kind: value('memory_kind'),
    importance: value('importance'),
    relations: value('relations').map(({ type, message_id }) => ({ type, message_id })),
    source_message_ids: value('source_message_ids'),
    ...(tool_call_id != null && { tool_call_id }),
    ...(summary != null && { summary }),
    ...(expires_at != null && { expires_at }),
  }
}

/** Metadata of a new message: the defaults with `change` applied. */
export function newMetadata(change: MetadataChange): MessageMetadata {
  return changeMetadata(DEFAULT_METADATA as unknown as MessageMetadata, change)
}

/** UTF-8 bytes of a value as JSON. */
export function jsonBytes(value: unknown): number {
  return utf8Bytes(JSON.stringify(value))
}

/** The first `count` code points of a text. */
function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text
  let end = 0
  for (let left = count; left > 0 && end < text.length; left -= 1) end += text.codePointAt(end)! > 0xffff ? 2 : 1
  return text.slice(0, end)
}

function parseList<Item>(row: MessageRow, field: 'tags' | 'relations' | 'source_message_ids'): Item[] {
  let value: unknown
  try {
    value = JSON.parse(row[field])
  } catch {
    throw new StoreDamage(`${field} are not JSON`, row.message_id)
  }
  if (!Array.isArray(value)) throw new StoreDamage(`${field} are not a list`, row.message_id)
  return value as Item[]
}

/** Whether two messages, or two metadata, have equal JSON; -0 equals 0. Both must have their fields in the same order. */
export function isSame<Kept extends NewMessage | MessageMetadata>(one: Kept, other: Kept): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
