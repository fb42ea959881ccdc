/**
 * Names as filters compare them. File systems, editors and people compose
 * characters in different ways, so every comparison is made in NFC; rows keep
 * the spelling of their source.
 */

/** In lower case and NFC, as GitHub compares logins and labels. */
export function foldName(value: string): string {
  return value.normalize('NFC').toLowerCase()
}

/** In NFC; letter case counts, as in paths and milestones. */
export function foldExact(value: string): string {
  return value.normalize('NFC')
}
