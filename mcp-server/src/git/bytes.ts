/**
 * Git's output as records of bytes. A stream is split at a separator, and of a
 * record no more than a limit is kept in memory. Names and ids are UTF-8, with
 * other bytes replaced; texts of people are decoded by encoding/decode-text.ts.
 */
import { byteBoundary, cutToBytes } from '../../../src/base/text-cut.ts'
import { decodeText, wideEncodingOf } from './encoding/decode-text.ts'
import { MAX_TEXT_BYTES } from './limits.ts'

export const NEWLINE = 0x0a
export const NUL = 0

const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: false })

export function toText(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/**
 * Records between separators, without the separators. Of a record longer than
 * `maxBytes` only its first `maxBytes` bytes are yielded. An empty last record
 * is not yielded.
 */
export async function* splitRecords(
  chunks: AsyncIterable<Uint8Array>,
  separator: number,
  maxBytes = MAX_TEXT_BYTES + 16,
): AsyncGenerator<Buffer> {
  let kept: Buffer[] = []
  let keptBytes = 0
  const keep = (part: Buffer): void => {
    const fitting = part.subarray(0, Math.max(0, maxBytes - keptBytes))
    // The maker of a chunk may reuse its buffer: bytes that outlive the chunk are copied.
    if (fitting.length > 0) kept.push(Buffer.from(fitting))
    keptBytes += fitting.length
  }
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let start = 0
    for (let end = bytes.indexOf(separator); end !== -1; end = bytes.indexOf(separator, start)) {
      const part = bytes.subarray(start, end)
      start = end + 1
      if (keptBytes === 0) {
        yield part.subarray(0, maxBytes)
        continue
      }
      keep(part)
      yield Buffer.concat(kept)
      kept = []
      keptBytes = 0
    }
    keep(bytes.subarray(start))
  }
  if (keptBytes > 0) yield Buffer.concat(kept)
}

/** A whole stream as text; for answers that are always small. */
export async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(Buffer.from(chunk))
  return toText(Buffer.concat(parts))
}

/**
 * The text of the first `MAX_TEXT_BYTES` bytes, cut between characters, in at most
 * as many bytes of UTF-8. `declared` is the encoding that attributes name.
 */
export function toBoundedText(bytes: Uint8Array, declared?: string): { readonly text: string; readonly cut: boolean } {
  const isLong = bytes.length > MAX_TEXT_BYTES
  const isWide = wideEncodingOf(bytes, declared) !== undefined
  const end = isWide ? MAX_TEXT_BYTES : byteBoundary(bytes, MAX_TEXT_BYTES)
  const whole = decodeText(isLong ? bytes.subarray(0, end) : bytes, declared)
  // A character of another encoding may take more bytes in UTF-8, and the cut may have split one.
  const text = cutToBytes(isLong ? whole.replace(/\ufffd$/, '') : whole, MAX_TEXT_BYTES)
  return { text, cut: isLong || text.length < whole.length }
}
