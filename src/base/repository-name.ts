/**
 * The form of a repository name: `owner/name` in letters, digits, `.`, `_` and `-`.
 * Neither part is `.` or `..`, which would change a path or an address.
 */

export const REPOSITORY_NAME = /^(?!\.{1,2}\/)[\w.-]+\/(?!\.{1,2}$)[\w.-]+$/

/** The name as it is compared: GitHub ignores letter case. */
export function toNameKey(name: string): string {
  return name.toLowerCase()
}
