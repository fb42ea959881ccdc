/** Text counted as it is stored and sent: in bytes of UTF-8. */
import { Buffer } from 'node:buffer'

/** Bytes of UTF-8 this text takes; half a surrogate pair counts as the three bytes of U+FFFD. Makes no copy. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text)
}
