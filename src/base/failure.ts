/**
 * An expected refusal: a code, a message and a hint, worded where the evidence
 * is. mcp/reply.ts and http/errors.ts add a status and a shape; of their own they
 * word bugs, and refusals of a request that reached no use case. `message` and `hint` are shown to callers, so they contain no SQL, no
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
  /** Milliseconds after which the same call may succeed; only with BUSY. */
  readonly retryAfterMs?: number
  /** In a page of lines: the line of the fault, from 1, and its field if it is in one field. */
  readonly line?: number
  readonly field?: string
}

/** For a wrong parameter: `problem` says what is wrong and what is accepted. */
export function invalid(parameter: string, problem: string, hint?: string): Failure {
  const failure: Failure = { code: 'VALIDATION_ERROR', message: `${parameter}: ${problem}` }
  return hint === undefined ? failure : { ...failure, hint }
}

/** The same refusal for one line of a page, counted from 1. */
export function atLine(failure: Failure, line: number): Failure {
  return { ...failure, message: `line ${line}: ${failure.message}`, line }
}
