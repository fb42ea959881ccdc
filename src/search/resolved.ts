/** What an answer says about how the question was understood. */
import type { Reading } from '../index/progress.ts'
import type { Asked } from './filters.ts'

/**
 * Filters as they were understood, where that is not what the parameters say:
 * all that came out of the query, and the repository's present name.
 */
export function toResolved(asked: Asked, name: string | undefined): { resolved?: Record<string, string | string[]> } {
  const resolved = { ...asked.fromQuery }
  if (name !== undefined && name !== asked.repoAsTyped) resolved['repo'] = name
  return Object.keys(resolved).length === 0 ? {} : { resolved }
}

/** Warnings of the call, and one more while sources are still being read. */
export function toWarnings(warnings: readonly string[], readings: readonly Reading[]): { warnings?: string[] } {
  const all = [...warnings]
  if (readings.length > 0) {
    const parts = readings.map(({ repo, source, done, total }) => `${repo} ${source}: ${done} of ${total}`)
    all.push(`Still being read, so rows may be missing: ${parts.join('; ')}.`)
  }
  return all.length === 0 ? {} : { warnings: all }
}
