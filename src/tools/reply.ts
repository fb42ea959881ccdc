/**
 * The one place that words an outcome for a tool's caller. An answer is JSON
 * twice, as text and as structure; a refusal is text in one shape with
 * `isError`, and has no structure, because clients would hold that against the
 * schema of an answer.
 */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Failure } from '../base/failure.ts'

export function toAnswerReply(answer: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer }
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
