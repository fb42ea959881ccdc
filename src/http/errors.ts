/**
 * The one place that words an outcome for a caller over plain HTTP. A refusal
 * has the shape that tools use too; a status says of which kind it is.
 */
import type { Failure, FailureCode } from '../base/failure.ts'
import type { Result } from '../base/result.ts'

const STATUS: Readonly<Record<FailureCode, number>> = {
  VALIDATION_ERROR: 400,
  NOT_FOUND: 404,
  CONFLICT: 409,
  BUSY: 503,
  IO_ERROR: 503,
  CORRUPT_STORE: 500,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
}

/** Refusals of the door itself, which no use case ever gives. */
const DOOR_CODES = {
  400: 'VALIDATION_ERROR',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  503: 'UNAVAILABLE',
} as const

export function respond(result: Result<object>): Response {
  return result.ok ? Response.json(result.value, { headers: NO_STORE }) : respondFailure(result.failure)
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

export function turnAway(status: keyof typeof DOOR_CODES, message: string, headers: HeadersInit = {}): Response {
  const all = new Headers(headers)
  all.set('cache-control', 'no-store')
  return Response.json({ status: 'ERROR', error: { code: DOOR_CODES[status], message } }, { status, headers: all })
}

/** What a caller hears of a bug: that there is one, and the name it has in the log. */
export function respondBug(requestId: string): Response {
  return respondFailure({
    code: 'INTERNAL_ERROR',
    message: `The server failed on this request. Its log has the reason under request ${requestId}.`,
  })
}

const NO_STORE = { 'cache-control': 'no-store' }
