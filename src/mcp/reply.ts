/**
 * The one place that words an outcome for a tool's caller. An answer is JSON
 * twice, as text and as structure, and then the sound if there is one; a refusal is text
 * in one shape with `isError`, and has no structure, because clients would hold
 * that against the schema of an answer. A tool whose own shape tells of failure
 * answers in it, marked as an error.
 */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Failure } from '../base/failure.ts'
import type { Splicer } from './splice.ts'
import type { Answered } from './tool.ts'

/** A sound is left in the outbox, from where it goes into the answer on its way out. */
export function toAnswerReply({ answer, audio, failedWith }: Answered, outbox: Splicer): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text: JSON.stringify(answer) }]
  if (audio !== undefined) content.push({ type: 'audio', data: outbox.put(audio.bytes), mimeType: audio.mimeType })
  return { content, structuredContent: answer, isError: failedWith !== undefined }
}

export function toFailureReply({ code, message, hint, retryAfterMs }: Failure): CallToolResult {
  const error = {
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
  }
  return { content: [{ type: 'text', text: JSON.stringify({ status: 'ERROR', error }) }], isError: true }
}

/** What a caller hears of a bug: that there is one, and the name it has in the log. */
export function toBugReply(requestId: string): CallToolResult {
  return toFailureReply({
    code: 'INTERNAL_ERROR',
    message: `The server failed on this call. Its log has the reason under request ${requestId}.`,
  })
}
