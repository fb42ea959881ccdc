/** Contract of `write_message`: stores one message in the caller's own store, byte for byte. */
import * as z from 'zod'
import { ok, type Result } from '../../base/result.ts'
import { ROLES, type Role } from '../../base/vocabulary.ts'
import { parseArguments } from '../arguments.ts'
import { IDEMPOTENCY_HOURS, MAX_IDEMPOTENCY_KEY_BYTES, MAX_SESSION_ID_BYTES } from '../limits.ts'
import { byteText, CONTENT, CONTENT_SIZES, sessionId } from '../messages/message-parameters.ts'
import { message, type MetadataChange } from '../messages/message-fields.ts'
import { metadataParameters, parseMetadata, UNPUBLISHED_METADATA } from '../messages/metadata.ts'
import { described, text, yes } from '../schema-parts.ts'
import { anyCase } from '../sent-values.ts'
import { defineMemoryTool } from '../messages/ignored-arguments.ts'

const DESCRIPTION = `Store one message in the user's own store. search_messages and read_messages find it in this and later conversations. The content is kept exactly as given, and the message is stored when the answer arrives.

Every call stores a new message, even with equal content. Give idempotency_key if the call may be sent twice; use update_message to change a stored message. Returns the message with its message_id, timestamp and revision 1.`

const input = z.object({
  session_id: sessionId.describe(
    `The conversation of the message: any name of 1 to ${MAX_SESSION_ID_BYTES} bytes, compared exactly.`,
  ),
  role: anyCase(z.enum(ROLES)).describe('The author of the message.'),
  ...metadataParameters('Data for finding and ranking the message later.'),
  idempotency_key: byteText({ minBytes: 1, maxBytes: MAX_IDEMPOTENCY_KEY_BYTES, isName: true })
    .describe(
      `A second call with this key within ${IDEMPOTENCY_HOURS} hours stores nothing and returns the first message in its present state. With other arguments it fails with CONFLICT.`,
    )
    .exactOptional(),
  content: byteText(CONTENT).describe(`The text, ${CONTENT_SIZES}.`),
})

const output = z.object({
  status: z.literal('OK'),
  message: described(message.exactOptional(), 'Absent if deleted.'),
  deduplicated: described(yes, 'The idempotency_key was used before: nothing was stored.'),
  deleted: described(yes, 'The message of the idempotency_key was deleted.'),
  message_id: described(text, 'The id of the deleted message.'),
})

export const writeMessageTool = defineMemoryTool({
  name: 'write_message',
  set: 'memory',
  title: 'Write a message',
  description: DESCRIPTION,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input,
  output,
  unpublished: UNPUBLISHED_METADATA,
})

export interface WriteMessageArguments {
  readonly session_id: string
  readonly role: Role
  readonly content: string
  readonly metadata: MetadataChange
  readonly idempotency_key?: string
}

export type WriteMessageAnswer = z.output<typeof output>

const plain = input.omit({ metadata: true, metadata_json: true })

/** Parses the arguments of a call made at `nowMs`. Ignores unknown ones; refuses unknown metadata fields by name. */
export function parseWriteMessageArguments(value: unknown, nowMs: number): Result<WriteMessageArguments> {
  const parsed = parseArguments(plain, value, 'ignore')
  if (!parsed.ok) return parsed
  const metadata = parseMetadata(value ?? {}, nowMs)
  if (!metadata.ok) return metadata
  return ok({ ...parsed.value, metadata: metadata.value?.change ?? {} })
}
