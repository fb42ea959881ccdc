/**
 * A result is a value or a refusal. Functions that can refuse return one;
 * throwing is kept for bugs.
 */
import type { Failure } from './failure.ts'

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

export function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function refuse(failure: Failure): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure }
}
