/**
 * Decodes a path as git prints it without -z, and as it may stand in a file of
 * attributes: as it is, or in double quotes with C escapes when it contains a
 * quote, a backslash or a control character. Works on bytes, because an escape
 * may be a part of a character.
 */
import { toText } from '../../base/utf8.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 }

/** Bytes that are not UTF-8 become U+FFFD. */
export function unquotePath(bytes: Uint8Array): string {
  if (bytes[0] !== QUOTE || bytes[bytes.length - 1] !== QUOTE || bytes.length < 2) return toText(bytes)
  const path: number[] = []
  for (let at = 1; at < bytes.length - 1; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte !== BACKSLASH) {
      path.push(byte)
      continue
    }
    at += 1
    const letter = String.fromCharCode(bytes[at] ?? 0)
    const plain = ESCAPES[letter]
    if (plain !== undefined) path.push(plain)
    else {
      path.push(Number.parseInt(toText(bytes.subarray(at, at + 3)), 8) & 0xff)
      at += 2
    }
  }
  return toText(Uint8Array.from(path))
}
