/**
 * Every way the product can say no, as one closed union. Wording for the
 * outside happens at the doors (tools/reply.ts, entry/respond.ts) and nowhere
 * else. `message` and `hint` are safe to show: no SQL, stack, path or token.
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
