/**
 * A few fields as one opaque word: what cursors are made of. Whoever reads one
 * back checks the fields; that the word itself came back as it was written is
 * checked here.
 */
import { Buffer } from 'node:buffer'

/** Fields are what JSON can hold. */
export function writeOpaque(fields: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(fields), 'utf8').toString('base64url')
}

/** Undefined for anything that `writeOpaque` did not write whole. */
export function readOpaque(text: string): unknown[] | undefined {
  const bytes = Buffer.from(text, 'base64url')
  // Decoding skips what it does not know.
  if (bytes.toString('base64url') !== text) return undefined
  try {
    const fields: unknown = JSON.parse(bytes.toString('utf8'))
    return Array.isArray(fields) ? fields : undefined
  } catch {
    return undefined
  }
}
