/**
 * Git's output as records of bytes. Streams are cut at a separator; nothing
 * longer than a limit is ever held. Text is UTF-8 with whatever is not UTF-8
 * replaced, never refused.
 */
import { byteBoundary } from '../../../src/base/text-cut.ts'

export const NEWLINE = 0x0a
export const NUL = 0

/** Sources are kept to 1 MiB of UTF-8; what goes beyond is cut and marked. */
export const MAX_TEXT_BYTES = 1_048_576

const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: false })

export function toText(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/**
 * Records between separators, the separator left out. A record longer than
 * `maxBytes` is yielded as its first `maxBytes` bytes. An empty last record is
 * not yielded.
 */
export async function* splitRecords(
  chunks: AsyncIterable<Uint8Array>,
  separator: number,
  maxBytes = MAX_TEXT_BYTES + 16,
): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let heldBytes = 0
  const hold = (part: Buffer): void => {
    const fitting = part.subarray(0, Math.max(0, maxBytes - heldBytes))
    // A chunk may be one buffer reused by its maker: what outlives the chunk is copied.
    if (fitting.length > 0) held.push(Buffer.from(fitting))
    heldBytes += fitting.length
  }
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let start = 0
    for (let end = bytes.indexOf(separator); end !== -1; end = bytes.indexOf(separator, start)) {
      const part = bytes.subarray(start, end)
      start = end + 1
      if (heldBytes === 0) {
        yield part.subarray(0, maxBytes)
        continue
      }
      hold(part)
      yield Buffer.concat(held)
      held = []
      heldBytes = 0
    }
    hold(bytes.subarray(start))
  }
  if (heldBytes > 0) yield Buffer.concat(held)
}

/** All of a stream as text; for answers that are small by nature. */
export async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(Buffer.from(chunk))
  return toText(Buffer.concat(parts))
}

/** Text from at most `MAX_TEXT_BYTES` bytes, cut between characters. */
export function toBoundedText(bytes: Uint8Array): { readonly text: string; readonly cut: boolean } {
  if (bytes.length <= MAX_TEXT_BYTES) {
    const text = toText(bytes)
    // Bytes that are not UTF-8 grow to three when they are replaced.
    if (bytes.length * 3 <= MAX_TEXT_BYTES || Buffer.byteLength(text) <= MAX_TEXT_BYTES) return { text, cut: false }
    return { text: cutText(text), cut: true }
  }
  return { text: cutText(toText(bytes.subarray(0, byteBoundary(bytes, MAX_TEXT_BYTES)))), cut: true }
}

function cutText(text: string): string {
  const bytes = Buffer.from(text, 'utf8')
  return bytes.length <= MAX_TEXT_BYTES ? text : toText(bytes.subarray(0, byteBoundary(bytes, MAX_TEXT_BYTES)))
}
