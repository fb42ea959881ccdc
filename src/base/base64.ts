/** Base64 of large byte arrays, in parts, so that the whole text is never in memory at once. */
import { Buffer } from 'node:buffer'

/** Bytes encoded at a time: a multiple of 3, so that no part but the last ends in padding. */
const PART_BYTES = 3 * 65_536

/** Parts whose concatenation is the base64 text of `bytes`. */
export function* toBase64Parts(bytes: Uint8Array): Generator<string> {
  for (let at = 0; at < bytes.byteLength; at += PART_BYTES) {
    const count = Math.min(PART_BYTES, bytes.byteLength - at)
    yield Buffer.from(bytes.buffer, bytes.byteOffset + at, count).toString('base64')
  }
}
