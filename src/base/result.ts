/**
 * A result is a value or a refusal. A function that can refuse returns one; an
 * exception is a bug.
 */
import type { Failure } from './failure.ts'

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

export function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function refuse(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure }
}
