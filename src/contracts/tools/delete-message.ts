/** Contract of `delete_message`: removes a message from every answer at once, and its text at the next rebuild. */
import * as z from 'zod'
import type { Result } from '../../base/result.ts'
import { parseArguments } from '../arguments.ts'
import { messageId, sessionId } from '../messages/message-parameters.ts'
import { described } from '../schema-parts.ts'
import { defineMemoryTool } from '../messages/ignored-arguments.ts'

const DESCRIPTION = `Delete a stored message. No read or search returns it any more, and no tool can restore it. Its text stays in the store until rebuild_index runs. To correct a message, use update_message.

Returns status OK, or NOT_FOUND for an unknown or already deleted message or one of another session than session_id. Neither is an error.`

const input = z.object({
  message_id: messageId.describe('The message to delete.'),
  session_id: sessionId.describe('Delete the message only if it belongs to this session.').exactOptional(),
})

const output = z.object({
  status: described(z.enum(['OK', 'NOT_FOUND']), 'NOT_FOUND: nothing was deleted.'),
})

export const deleteMessageTool = defineMemoryTool({
  name: 'delete_message',
  set: 'memory',
  title: 'Delete a message',
  description: DESCRIPTION,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input,
  output,
})

export type DeleteMessageArguments = z.output<typeof input>
export type DeleteMessageAnswer = z.output<typeof output>

/** Parses the arguments of a call. Ignores unknown ones. */
export function parseDeleteMessageArguments(value: unknown): Result<DeleteMessageArguments> {
  return parseArguments(input, value, 'ignore')
}
