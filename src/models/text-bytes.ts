/** Texts cut by their bytes in UTF-8, which is what bounds the tokens a model counts. */

/** The longest head of the text in so many UTF-8 bytes, whole characters only. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes))
  return text.slice(0, read)
}
