/**
 * An expected refusal: a code, a message and a hint. The code that finds the fault
 * words it; mcp/reply.ts and http/errors.ts add only a status and a shape. Callers
 * see `message` and `hint`, so they must not contain SQL, a stack, a path of this
 * machine or a token.
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
  /** For a page of lines: the line of the fault, from 1, and the field if only one is wrong. */
  readonly line?: number
  readonly field?: string
}

/** The refusal of a wrong parameter: `problem` describes the fault and the accepted values. */
export function invalid(parameter: string, problem: string, hint?: string): Failure {
  const failure: Failure = { code: 'VALIDATION_ERROR', message: `${parameter}: ${problem}` }
  return hint === undefined ? failure : { ...failure, hint }
}

/** The same refusal for one line of a page, counted from 1. */
export function atLine(failure: Failure, line: number): Failure {
  return { ...failure, message: `line ${line}: ${failure.message}`, line }
}
