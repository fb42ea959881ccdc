/**
 * Cuts the contents of compact results to one length, so that they fit into a
 * number of bytes together: 600 characters of Japanese take three times the bytes
 * of English ones, and each newline of code takes two. Short contents stay whole.
 */
import { MIN_FITTED_BYTES } from '../limits.ts'
import { jsonBytes } from '../store/message-row.ts'

interface HasContent {
  readonly content: string
}

/**
 * The results with contents of at most as many bytes as fit into `maxBytes` of JSON,
 * and no fewer than MIN_FITTED_BYTES. `toCut` makes the form of the result at an
 * index whose content is cut; its content is then replaced by the beginning that fits.
 */
export function fitResults<Shown extends HasContent>(
  results: readonly Shown[],
  maxBytes: number,
  toCut: (result: Shown, at: number) => Shown,
): Shown[] {
  if (jsonBytes(results) <= maxBytes) return [...results]
  const measured = results.map((result, at) => measure(result, () => toCut(result, at)))
  const bytesWith = (length: number): number => measured.reduce((sum, one) => sum + bytesOf(one, length) + 1, 1)
  let least = MIN_FITTED_BYTES
  let most = Math.max(least, ...measured.map(({ ends }) => ends.at(-1)!))
  while (least < most) {
    const length = Math.ceil((least + most) / 2)
    if (bytesWith(length) <= maxBytes) least = length
    else most = length - 1
  }
  return measured.map((one) => cutTo(one, least))
}

/** A result and its form with a cut content; the bytes are those within a JSON text. */
interface MeasuredResult<Shown> {
  readonly whole: Shown
  readonly wholeBytes: number
  readonly cut: Shown
  /** Bytes of the cut form without its content. */
  readonly frameBytes: number
  readonly chars: readonly string[]
  /** Bytes of the content up to each character, the first at 0, and of all of it. */
  readonly ends: readonly number[]
}

function measure<Shown extends HasContent>(whole: Shown, toCut: () => Shown): MeasuredResult<Shown> {
  const chars = [...whole.content]
  const ends = [0]
  for (const char of chars) ends.push(ends.at(-1)! + jsonBytes(char) - QUOTES_BYTES)
  const cut = ends.at(-1)! > MIN_FITTED_BYTES ? toCut() : whole
  return { whole, wholeBytes: jsonBytes(whole), cut, frameBytes: jsonBytes({ ...cut, content: '' }), chars, ends }
}

/** The quotes of a JSON text. */
const QUOTES_BYTES = 2

/** The most characters of the content that take at most `length` bytes. */
function countFitting({ ends }: MeasuredResult<unknown>, length: number): number {
  return ends.findLastIndex((end) => end <= length)
}

function bytesOf(one: MeasuredResult<unknown>, length: number): number {
  const kept = countFitting(one, length)
  return kept === one.chars.length ? one.wholeBytes : one.frameBytes + one.ends[kept]!
}

function cutTo<Shown extends HasContent>(one: MeasuredResult<Shown>, length: number): Shown {
  const kept = countFitting(one, length)
  return kept === one.chars.length ? one.whole : { ...one.cut, content: one.chars.slice(0, kept).join('') }
}
