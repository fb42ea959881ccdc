/**
 * Hashes, synchronous and the same in workerd and Node. `sha256` is for
 * identity and content; `hash32` is a fast FNV-1a for in-memory and packed
 * term keys, where a rare collision costs ranking noise and nothing else.
 */
import { createHash } from 'node:crypto'

/** SHA-256 of the UTF-8 bytes, as unpadded base64url (43 characters). */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('base64url')
}

/** SHA-256 of the UTF-8 bytes, as 64 lower-case hexadecimal digits. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/** The first 48 bits of SHA-256 as a non-negative integer, exact in a JavaScript number. */
export function sha256Int48(text: string): number {
  return createHash('sha256').update(text, 'utf8').digest().readUIntBE(0, 6)
}

/** The first 60 bits of SHA-256 as 12 characters of a-z and 2-7: a word that a word index keeps whole. */
export function hashWord(text: string): string {
  const bytes = createHash('sha256').update(text, 'utf8').digest()
  let word = ''
  let buffer = 0
  let bits = 0
  for (const byte of bytes.subarray(0, 8)) {
    buffer = ((buffer << 8) | byte) & 0xffff
    bits += 8
    while (bits >= 5 && word.length < 12) {
      bits -= 5
      word += WORD_ALPHABET[(buffer >> bits) & 31]
    }
  }
  return word
}

const WORD_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** 32-bit FNV-1a over UTF-16 units, as an unsigned integer. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash ^= text.charCodeAt(at)
    hash = Math.imul(hash, 0x01000193)
  }
  return hash >>> 0
}
