/** Results of argument parsers, for tests that read their refusals. */
import type { Result } from '../../src/base/result.ts'

/** The message of a refusal, which is always one of the arguments; 'accepted' where there is none. */
export function verdict(parsed: Result<unknown>): string {
  if (parsed.ok) return 'accepted'
  if (parsed.failure.code !== 'VALIDATION_ERROR') throw new Error(`refused with ${parsed.failure.code}`)
  return parsed.failure.message
}

export function accepted<T>(parsed: Result<T>): T {
  if (!parsed.ok) throw new Error(parsed.failure.message)
  return parsed.value
}
