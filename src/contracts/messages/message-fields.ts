/**
 * The fields of a message in the answers of the conversation tools, in the full
 * and the compact form, and the default metadata. The store builds these objects.
 */
import * as z from 'zod'
import { MEMORY_KINDS, MEMORY_TIERS, RELATION_TYPES, ROLES } from '../../base/vocabulary.ts'
import { described, text, whole, yes } from '../schema-parts.ts'

const relation = z.object({ type: z.enum(RELATION_TYPES), message_id: z.string() })

const messageMetadata = z.object({
  tags: z.array(z.string()),
  memory_tier: z.enum(MEMORY_TIERS),
  memory_kind: z.enum(MEMORY_KINDS),
  importance: z.int(),
  relations: described(z.array(relation), 'Relations that this message declares.'),
  source_message_ids: z.array(z.string()),
  tool_call_id: text,
  summary: text,
  expires_at: described(whole, 'Unix ms at which the message expires; from then on it counts as deleted.'),
})

export const message = z.object({
  message_id: z.string(),
  session_id: z.string(),
  timestamp: described(z.int(), 'Time of the write, in Unix ms.'),
  role: z.enum(ROLES),
  content: z.string(),
  revision: described(z.int(), '1 after the write; each change adds 1.'),
  updated_at: described(z.int(), 'Time of the last change, in Unix ms.'),
  metadata: messageMetadata,
  content_bytes: described(whole, 'If content was cut, or with preview_chars: UTF-8 bytes of the whole content.'),
  content_truncated: described(yes, 'With content_bytes: whether content was cut.'),
})

/**
 * A message in either form. The compact form omits `updated_at` where it equals
 * `timestamp`, metadata fields with their default value, and metadata without a
 * field; beside each time it has the same time as RFC 3339 text.
 */
export const shownMessage = z.object({
  ...message.shape,
  timestamp_text: described(text, 'compact: timestamp in RFC 3339.'),
  updated_at: described(whole, 'Time of the last change, in Unix ms. compact: absent if there was none.'),
  updated_at_text: described(text, 'compact: updated_at in RFC 3339.'),
  metadata: described(
    messageMetadata.partial().exactOptional(),
    'compact: only fields without their default value; absent if there is none.',
  ),
  expires_at_text: described(text, 'compact: metadata.expires_at in RFC 3339.'),
})

/** How a relation is seen from a message: declared by it, or by another one. */
export const relationDirection = z.enum(['outgoing', 'incoming'])

export type Relation = z.output<typeof relation>
export type MessageMetadata = z.output<typeof messageMetadata>
export type Message = z.output<typeof message>
export type ShownMessage = z.output<typeof shownMessage>
export type RelationDirection = z.output<typeof relationDirection>

/** A change of metadata: a given field replaces the stored one, null restores its default. */
export type MetadataChange = { readonly [Field in keyof MessageMetadata]?: MessageMetadata[Field] | null }

/** Metadata of a message that was written without any. */
export const DEFAULT_METADATA = {
  tags: [],
  memory_tier: 'short',
  memory_kind: 'conversation',
  importance: 50,
  relations: [],
  source_message_ids: [],
} as const satisfies { readonly [Field in keyof MessageMetadata]: Readonly<MessageMetadata[Field]> }
