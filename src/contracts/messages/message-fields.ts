/**
 * A message of the conversation store as every tool shows it, and what a caller
 * may say about one. The store hands these objects out as they are.
 */
import * as z from 'zod'
import { MEMORY_KINDS, MEMORY_TIERS, RELATION_TYPES, ROLES } from '../../base/vocabulary.ts'
import { meaning, text, whole, yes } from '../schema-parts.ts'

export const relation = z.object({ type: z.enum(RELATION_TYPES), message_id: z.string() })

export const messageMetadata = z.object({
  tags: z.array(z.string()),
  memory_tier: z.enum(MEMORY_TIERS),
  memory_kind: z.enum(MEMORY_KINDS),
  importance: z.int(),
  relations: meaning(z.array(relation), 'As declared by this message.'),
  source_message_ids: z.array(z.string()),
  tool_call_id: text,
  summary: text,
  expires_at: meaning(whole, 'Unix ms from which the message counts as deleted.'),
})

export const message = z.object({
  message_id: z.string(),
  session_id: z.string(),
  timestamp: meaning(z.int(), 'When it was written, in Unix ms.'),
  role: z.enum(ROLES),
  content: z.string(),
  revision: meaning(z.int(), '1 when written, one more with each change.'),
  updated_at: meaning(z.int(), 'When it last changed, in Unix ms.'),
  metadata: messageMetadata,
  content_bytes: meaning(whole, 'With preview_chars: bytes of the whole content.'),
  content_truncated: meaning(yes, 'With preview_chars: whether content was cut.'),
})

export type Relation = z.output<typeof relation>
export type MessageMetadata = z.output<typeof messageMetadata>
export type Message = z.output<typeof message>

/** Metadata as a caller gives it: a field that is there replaces, null brings its default back. */
export type MetadataChange = { readonly [Field in keyof MessageMetadata]?: MessageMetadata[Field] | null }

/** What a message has when nothing is said. */
export const DEFAULT_METADATA = {
  tags: [],
  memory_tier: 'short',
  memory_kind: 'conversation',
  importance: 50,
  relations: [],
  source_message_ids: [],
} as const satisfies { readonly [Field in keyof MessageMetadata]: Readonly<MessageMetadata[Field]> }
