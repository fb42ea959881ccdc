/**
 * Results and refusals as HTTP responses: JSON, never cached. This file alone
 * decides the status of each failure; its message was worded where the evidence
 * is. Refusals before any use case has run have their own codes.
 */
import type { Failure, FailureCode } from '../base/failure.ts'
import type { Result } from '../base/result.ts'

const STATUS = {
  VALIDATION_ERROR: 400,
  NOT_FOUND: 404,
  CONFLICT: 409,
  BUSY: 503,
  IO_ERROR: 503,
  CORRUPT_STORE: 500,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
} as const satisfies Record<FailureCode, number>

const DOOR_CODES = {
  400: 'VALIDATION_ERROR',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  503: 'UNAVAILABLE',
} as const

export function respond(result: Result<object>, status: 200 | 202 = 200): Response {
  return result.ok ? Response.json(result.value, { status, headers: NO_STORE }) : respondFailure(result.failure)
}

/** NDJSON, sent as it is made. */
export function respondLines(lines: ReadableStream<Uint8Array>): Response {
  return new Response(lines, { headers: { ...NO_STORE, 'content-type': 'application/x-ndjson; charset=utf-8' } })
}

export function respondFailure({ code, message, hint, line, field, retryAfterMs }: Failure): Response {
  const error = {
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(line !== undefined && { line }),
    ...(field !== undefined && { field }),
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
  }
  const headers = new Headers(NO_STORE)
  if (retryAfterMs !== undefined) headers.set('retry-after', String(Math.ceil(retryAfterMs / 1000)))
  return Response.json({ status: 'ERROR', error }, { status: STATUS[code], headers })
}

/** A refusal of the door, before any use case has run. */
export function turnAway(status: keyof typeof DOOR_CODES, message: string, headers: HeadersInit = {}): Response {
  const all = new Headers(headers)
  all.set('cache-control', 'no-store')
  return Response.json({ status: 'ERROR', error: { code: DOOR_CODES[status], message } }, { status, headers: all })
}

/** The answer to a request that met a bug: no detail but the id under which the log has the reason. */
export function respondBug(requestId: string): Response {
  return respondFailure({
    code: 'INTERNAL_ERROR',
    message: `The server failed on this request. Its log has the reason under request ${requestId}.`,
  })
}

const NO_STORE = { 'cache-control': 'no-store' }
