/**
 * The sources of imports: an option that changes the set of things to read gives
 * the source a name, and so a cursor, of its own.
 */
import type { ImportScope } from './import-options.ts'

const ALL_FILES = 'all-files'
const SINCE = 'since='

/** The name of the source, such as `git` or `git all-files since=2025-01-01`. */
export function toSourceName({ allFiles, since }: ImportScope): string {
  const options = [...(allFiles === true ? [ALL_FILES] : []), ...(since === undefined ? [] : [`${SINCE}${since}`])]
  return ['git', ...options].join(' ')
}

/** True if an import of this scope, read to its end, has read all of another source. */
export function coversSource({ allFiles, since }: ImportScope, source: string): boolean {
  const [kind, ...options] = source.split(' ')
  return kind === 'git' && since === undefined && (allFiles === true || !options.includes(ALL_FILES))
}
