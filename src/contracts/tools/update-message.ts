/** Contract of `update_message`: changes content or metadata of a stored message, field by field. */
import * as z from 'zod'
import { invalid } from '../../base/failure.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { parseArguments } from '../arguments.ts'
import { MAX_WHOLE } from '../limits.ts'
import { byteText, CONTENT, CONTENT_SIZES, messageId } from '../messages/message-parameters.ts'
import { message, type MetadataChange } from '../messages/message-fields.ts'
import { metadataParameters, parseMetadata, refuseSelfRelation, UNPUBLISHED_METADATA } from '../messages/metadata.ts'
import { described, openWholeParameter } from '../schema-parts.ts'
import { defineMemoryTool } from '../messages/ignored-arguments.ts'

const DESCRIPTION = `Change the content or metadata of a stored message; give at least one of them. The id, session, role and timestamp never change, and earlier revisions are not kept. To keep the earlier text, write another message that supersedes this one.

A given metadata field replaces the stored field completely (lists are not merged), null restores its default, and other fields stay. Returns the message in its new state. If no value differs, changed is false and the revision stays.`

const input = z.object({
  message_id: messageId.describe('The message to change.'),
  expected_revision: openWholeParameter('Fail with CONFLICT if the message has another revision.', {
    min: 1,
    max: MAX_WHOLE,
  }),
  ...metadataParameters('The metadata fields to replace.'),
  content: byteText(CONTENT).describe(`The new text, ${CONTENT_SIZES}.`).exactOptional(),
})

const output = z.object({
  status: z.literal('OK'),
  changed: described(z.boolean(), 'false: no value differed.'),
  message,
})

export const updateMessageTool = defineMemoryTool({
  name: 'update_message',
  set: 'memory',
  title: 'Update a message',
  description: DESCRIPTION,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input,
  output,
  unpublished: UNPUBLISHED_METADATA,
})

export interface UpdateMessageArguments {
  readonly message_id: string
  readonly content?: string
  /** Present if the caller gave metadata, even without fields. */
  readonly metadata?: MetadataChange
  readonly expected_revision?: number
}

export type UpdateMessageAnswer = z.output<typeof output>

const plain = input.omit({ metadata: true, metadata_json: true })

/** Parses the arguments of a call made at `nowMs`. Ignores unknown ones; requires content or metadata. */
export function parseUpdateMessageArguments(value: unknown, nowMs: number): Result<UpdateMessageArguments> {
  const parsed = parseArguments(plain, value, 'ignore')
  if (!parsed.ok) return parsed
  const metadata = parseMetadata(value ?? {}, nowMs)
  if (!metadata.ok) return metadata
  if (metadata.value === undefined) {
    if (parsed.value.content !== undefined) return parsed
    return refuse(invalid('content', 'missing, and metadata too, accepted is at least one of them'))
  }
  const related = refuseSelfRelation(metadata.value, parsed.value.message_id)
  if (!related.ok) return related
  return ok({ ...parsed.value, metadata: metadata.value.change })
}
