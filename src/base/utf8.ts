/** Text as bytes of UTF-8, and back. */
import { Buffer } from 'node:buffer'
import { invalid } from './failure.ts'
import { ok, refuse, type Result } from './result.ts'

/** The length of the text in bytes; a lone surrogate counts three, as U+FFFD. Makes no copy. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text)
}

/** The text of a body without its byte order mark; refused when it is not UTF-8. */
export function parseUtf8(body: ArrayBuffer): Result<string> {
  try {
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body))
  } catch {
    return refuse(invalid('body', 'not UTF-8, accepted is UTF-8'))
  }
}

const replacing = new TextDecoder('utf-8', { ignoreBOM: true, fatal: false })

/** The text of these bytes; those that are not UTF-8 become U+FFFD, and a byte order mark stays. */
export function toText(bytes: Uint8Array): string {
  return replacing.decode(bytes)
}
