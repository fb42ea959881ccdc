/** Text counted as it is stored and sent: in bytes of UTF-8. */

const encoder = new TextEncoder()

/** Bytes of UTF-8 this text takes; half a surrogate pair counts as the three bytes of U+FFFD. */
export function utf8Bytes(text: string): number {
  return encoder.encode(text).byteLength
}
