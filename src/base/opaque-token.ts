/**
 * A list of fields as one opaque token, for cursors. Reading checks that the token
 * is complete; the caller checks the fields. A token is not signed.
 */
import { Buffer } from 'node:buffer'

/** Fields must be JSON values. */
export function writeOpaque(fields: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(fields), 'utf8').toString('base64url')
}

/** Undefined for anything that `writeOpaque` did not write. */
export function readOpaque(text: string): unknown[] | undefined {
  const bytes = Buffer.from(text, 'base64url')
  // Decoding ignores unknown characters: only the canonical form is accepted.
  if (bytes.toString('base64url') !== text) return undefined
  try {
    const fields: unknown = JSON.parse(bytes.toString('utf8'))
    return Array.isArray(fields) ? fields : undefined
  } catch {
    return undefined
  }
}
