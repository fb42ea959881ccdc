/**
 * Cuts the contents of compact results to one length, so that they fit into a
 * number of bytes together: 600 characters of Japanese take three times the bytes
 * of English ones, and each newline of code takes two. Short contents stay whole.
 */
import { utf8Bytes } from '../../base/utf8.ts'
import { MIN_FITTED_BYTES } from '../limits.ts'

interface HasContent {
  readonly content: string
}

/**
 * The results with contents of at most as many bytes as fit into `maxBytes` of JSON,
 * and no fewer than MIN_FITTED_BYTES. `toCut` makes the result at
 * an index with the given beginning of its content.
 */
export function fitResults<Shown extends HasContent>(
  results: readonly Shown[],
  maxBytes: number,
  toCut: (result: Shown, content: string, at: number) => Shown,
): Shown[] {
  const cutTo = (bytes: number): Shown[] =>
    results.map((result, at) => {
      const content = cutToJsonBytes(result.content, bytes)
      return content === result.content ? result : toCut(result, content, at)
    })
  const fits = (some: readonly Shown[]): boolean => utf8Bytes(JSON.stringify(some)) <= maxBytes
  if (fits(results)) return [...results]
  let least = MIN_FITTED_BYTES
  let most = Math.max(least, ...results.map(({ content }) => utf8Bytes(JSON.stringify(content))))
  let fitted = cutTo(least)
  while (least < most) {
    const bytes = Math.ceil((least + most) / 2)
    const tried = cutTo(bytes)
    if (fits(tried)) [least, fitted] = [bytes, tried]
    else most = bytes - 1
  }
  return fitted
}

/** The longest beginning, between characters, of at most `maxBytes` within a JSON text. */
function cutToJsonBytes(text: string, maxBytes: number): string {
  let bytes = 0
  let end = 0
  for (const char of text) {
    bytes += utf8Bytes(JSON.stringify(char)) - 2
    if (bytes > maxBytes) break
    end += char.length
  }
  return text.slice(0, end)
}
