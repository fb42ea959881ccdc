/** Splits bytes in memory, before they are text. No bytes are copied. */

/** The parts between separators: one more than there are separators. */
export function splitBytes(bytes: Uint8Array, separator: number): Uint8Array[] {
  const parts: Uint8Array[] = []
  let start = 0
  for (let end = bytes.indexOf(separator); end !== -1; end = bytes.indexOf(separator, start)) {
    parts.push(bytes.subarray(start, end))
    start = end + 1
  }
  return [...parts, bytes.subarray(start)]
}
