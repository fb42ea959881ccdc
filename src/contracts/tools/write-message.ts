/** The contract of `write_message`: one message into the caller's own store, kept byte by byte. */
import * as z from 'zod'
import { ok, type Result } from '../../base/result.ts'
import { ROLES, type Role } from '../../base/vocabulary.ts'
import { parseArguments } from '../arguments.ts'
import { byteText, CONTENT, sessionId } from '../messages/message-parameters.ts'
import { message, type MetadataChange } from '../messages/message-fields.ts'
import { metadataParameters, parseMetadata } from '../messages/metadata.ts'
import { meaning, text, yes } from '../schema-parts.ts'
import { defineTool } from '../tool-contract.ts'

const DESCRIPTION = `Store one message, to be found by search_messages and read by read_messages in this and later conversations. The store is the user's own. The content is kept exactly as given, and is stored when the answer comes.

Each call stores a new message, even with equal content: give idempotency_key where a call may be sent twice, and use update_message to change what is stored. Answers with the message: its message_id, its timestamp, revision 1.`

const input = z.object({
  session_id: sessionId.describe('Conversation the message belongs to: any name, 1 to 256 bytes, compared exactly.'),
  role: z.enum(ROLES).describe('Who the message is by.'),
  ...metadataParameters('What helps to find and weigh the message later.'),
  idempotency_key: byteText({ minBytes: 1, maxBytes: 128, isName: true })
    .describe(
      'A second call with this key within 24 hours writes nothing and gets the first message as it is now; with other arguments it is a CONFLICT.',
    )
    .exactOptional(),
  content: byteText(CONTENT).describe('The text, 1 byte to 1 MiB of UTF-8.'),
})

const output = z.object({
  status: z.literal('OK'),
  message: meaning(message.exactOptional(), 'Absent when deleted.'),
  deduplicated: meaning(yes, 'idempotency_key was used before: nothing was written.'),
  deleted: meaning(yes, 'The message of that key has been deleted since.'),
  message_id: meaning(text, 'Its id, when deleted.'),
})

export const writeMessageTool = defineTool({
  name: 'write_message',
  set: 'memory',
  title: 'Write a message',
  description: DESCRIPTION,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input,
  output,
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

/** The arguments of a call. An unknown one is passed over, an unknown field of the metadata refused by name. */
export function parseWriteMessageArguments(value: unknown): Result<WriteMessageArguments> {
  const parsed = parseArguments(plain, value, { unknownParameters: 'ignore', nullIsAbsent: false })
  if (!parsed.ok) return parsed
  const metadata = parseMetadata(value ?? {})
  if (!metadata.ok) return metadata
  return ok({ ...parsed.value, metadata: metadata.value?.change ?? {} })
}
