/**
 * Cuts text between characters: by UTF-16 units without splitting a surrogate
 * pair, by UTF-8 bytes without splitting a sequence. A lone surrogate
 * counts as a character of its own, three bytes long. Grapheme clusters (an
 * accent after its letter, a family of emoji) are not kept together.
 */

/** True where a cut before unit `at` separates the two halves of a surrogate pair. */
export function splitsPair(text: string, at: number): boolean {
  return isHighSurrogate(text.charCodeAt(at - 1)) && isLowSurrogate(text.charCodeAt(at))
}

/** `at`, or one unit less where a cut there would split a surrogate pair. */
export function charBoundary(text: string, at: number): number {
  return splitsPair(text, at) ? at - 1 : at
}

/** The longest head of the text in at most `maxChars` UTF-16 units. */
export function cutToChars(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, charBoundary(text, maxChars))
}

/** The text itself, or its head and an ellipsis in at most `maxChars` UTF-16 units (at least 1). */
export function cutWithEllipsis(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${cutToChars(text, maxChars - 1)}…`
}

/** The longest head of the text in at most `maxBytes` bytes of UTF-8. */
export function cutToBytes(text: string, maxBytes: number): string {
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= maxBytes) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes))
  return text.slice(0, read)
}

/**
 * The last offset at or before `at` that is between two UTF-8 sequences. It is at
 * most three bytes before `at`, so bytes that are not UTF-8 are cut too.
 */
export function byteBoundary(bytes: Uint8Array, at: number): number {
  let end = Math.min(at, bytes.length)
  const first = Math.max(0, end - 3)
  while (end > first && isContinuationByte(bytes[end])) end -= 1
  return end
}

/** Whether a byte of UTF-8 continues a character that begins before it. False at the end of the array. */
export function isContinuationByte(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
