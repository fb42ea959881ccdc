/**
 * Results and refusals as the reply to a tool call. An answer is JSON twice, as
 * text and as structured content, followed by the sound if there is one. A
 * refusal is JSON text with `isError` and without structured content, which
 * clients would check against the schema of an answer. A tool whose own schema
 * can express a failure answers in it, marked as an error.
 */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Failure, FailureCode } from '../base/failure.ts'
import type { Splicer } from './splice.ts'
import type { Answered } from './tool.ts'

/** The code of each failure for a tool's caller, as published in the contracts of the tools. */
const TOOL_CODE = {
  VALIDATION_ERROR: 'VALIDATION_ERROR',
  NOT_FOUND: 'NOT_FOUND',
  CONFLICT: 'CONFLICT',
  BUSY: 'BUSY',
  IO_ERROR: 'IO_ERROR',
  CORRUPT_STORE: 'CORRUPT_STORE',
  INTERNAL_ERROR: 'INTERNAL_ERROR',
  UNAVAILABLE: 'UNAVAILABLE',
} as const satisfies Record<FailureCode, string>

/** The bytes of a sound stay with the splicer, which puts them into the response as it is sent. */
export function toAnswerReply({ answer, audio, failedWith }: Answered, splicer: Splicer): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text: JSON.stringify(answer) }]
  if (audio !== undefined) content.push({ type: 'audio', data: splicer.put(audio.bytes), mimeType: audio.mimeType })
  return { content, structuredContent: answer, isError: failedWith !== undefined }
}

export function toFailureReply({ code, message, hint, retryAfterMs }: Failure): CallToolResult {
  const error = {
    code: TOOL_CODE[code],
    message,
    ...(hint !== undefined && { hint }),
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
  }
  return { content: [{ type: 'text', text: JSON.stringify({ status: 'ERROR', error }) }], isError: true }
}

/** The reply to a call that met a bug: no detail but the id under which the log has the reason. */
export function toBugReply(requestId: string): CallToolResult {
  return toFailureReply({
    code: 'INTERNAL_ERROR',
    message: `The server failed on this call. Its log has the reason under request ${requestId}.`,
  })
}
