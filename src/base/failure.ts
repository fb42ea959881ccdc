/**
 * An expected refusal: a code, a message and a hint, worded where the evidence
 * is. The doors (mcp/reply.ts, http/errors.ts) add a status and a shape, never
 * words. `message` and `hint` are shown to callers, so they contain no SQL, no
 * stack, no path of this machine and no token.
 */

export type FailureCode =
  | 'VALIDATION_ERROR'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'BUSY'
  | 'IO_ERROR'
  | 'CORRUPT_STORE'
  | 'INTERNAL_ERROR'
  | 'UNAVAILABLE'

export interface Failure {
  readonly code: FailureCode
  readonly message: string
  readonly hint?: string
  /** Milliseconds after which the same call may succeed; BUSY only. */
  readonly retryAfterMs?: number
  /** Where in a page of lines the fault is: 1-based line, and the field if it is one field's. */
  readonly line?: number
  readonly field?: string
}

/** A parameter the caller sent is wrong: what was wrong with it, and what is accepted. */
export function invalid(parameter: string, problem: string, hint?: string): Failure {
  const failure: Failure = { code: 'VALIDATION_ERROR', message: `${parameter}: ${problem}` }
  return hint === undefined ? failure : { ...failure, hint }
}

/** The same refusal, of one line of a page; lines are counted from 1. */
export function atLine(failure: Failure, line: number): Failure {
  return { ...failure, message: `line ${line}: ${failure.message}`, line }
}
