/** The contract of `delete_message`: out of every read and search at once, out of the store at the next rebuild. */
import * as z from 'zod'
import type { Result } from '../../base/result.ts'
import { parseArguments } from '../arguments.ts'
import { messageId, sessionId } from '../messages/message-parameters.ts'
import { meaning } from '../schema-parts.ts'
import { defineTool } from '../tool-contract.ts'

const DESCRIPTION = `Delete a stored message. It is gone from every read and search at once, and no tool brings it back; its text leaves the store when rebuild_index runs. To correct a message, use update_message.

Answers with status OK, or NOT_FOUND when there is no such message (any more) or it is not of the session_id given; neither is an error.`

const input = z.object({
  message_id: messageId.describe('The message to delete.'),
  session_id: sessionId.describe('Delete it only if it is of this session.').exactOptional(),
})

const output = z.object({
  status: meaning(z.enum(['OK', 'NOT_FOUND']), 'NOT_FOUND: nothing was deleted.'),
})

export const deleteMessageTool = defineTool({
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

/** The arguments of a call; an unknown one is passed over. */
export function parseDeleteMessageArguments(value: unknown): Result<DeleteMessageArguments> {
  return parseArguments(input, value, { unknownParameters: 'ignore', nullIsAbsent: false })
}
