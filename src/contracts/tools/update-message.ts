/** The contract of `update_message`: new content or metadata for a stored message, field by field. */
import * as z from 'zod'
import { invalid } from '../../base/failure.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { parseArguments } from '../arguments.ts'
import { byteText, CONTENT, MAX_WHOLE, messageId } from '../messages/message-parameters.ts'
import { message, type MetadataChange } from '../messages/message-fields.ts'
import { metadataParameters, parseMetadata, refuseSelfRelation } from '../messages/metadata.ts'
import { meaning, openWholeParameter } from '../schema-parts.ts'
import { defineTool } from '../tool-contract.ts'

const DESCRIPTION = `Change the content or metadata of a stored message; give at least one of them. Its id, session, role and timestamp never change, and earlier revisions are not kept. To say something new, or to keep what was said before, write another message that supersedes this one.

A metadata field that is given replaces the stored one whole (lists are not joined), null brings its default back, and fields not given stay. Answers with the message as it is now; changed is false, and the revision the same, when nothing differed.`

const input = z.object({
  message_id: messageId.describe('The message to change.'),
  expected_revision: openWholeParameter(
    'Change it only if this is still its revision; otherwise the call fails with CONFLICT.',
    { min: 1, max: MAX_WHOLE },
  ),
  ...metadataParameters('The fields to replace.'),
  content: byteText(CONTENT).describe('The new text in place of the old, 1 byte to 1 MiB of UTF-8.').exactOptional(),
})

const output = z.object({
  status: z.literal('OK'),
  changed: meaning(z.boolean(), 'false: every value was already so.'),
  message,
})

export const updateMessageTool = defineTool({
  name: 'update_message',
  set: 'memory',
  title: 'Update a message',
  description: DESCRIPTION,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input,
  output,
})

export interface UpdateMessageArguments {
  readonly message_id: string
  readonly content?: string
  /** There exactly if the caller gave one, be it empty. */
  readonly metadata?: MetadataChange
  readonly expected_revision?: number
}

export type UpdateMessageAnswer = z.output<typeof output>

const plain = input.omit({ metadata: true, metadata_json: true })

/** The arguments of a call. An unknown one is passed over; content or metadata must be there. */
export function parseUpdateMessageArguments(value: unknown): Result<UpdateMessageArguments> {
  const parsed = parseArguments(plain, value, { unknownParameters: 'ignore', nullIsAbsent: false })
  if (!parsed.ok) return parsed
  const metadata = parseMetadata(value ?? {})
  if (!metadata.ok) return metadata
  if (metadata.value === undefined) {
    if (parsed.value.content !== undefined) return parsed
    return refuse(invalid('content', 'missing, and metadata too, accepted is at least one of them'))
  }
  const others = refuseSelfRelation(metadata.value, parsed.value.message_id)
  if (!others.ok) return others
  return ok({ ...parsed.value, metadata: metadata.value.change })
}
