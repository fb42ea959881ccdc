/**
 * A body cut into chunks that are found one by one: about 1,200 characters,
 * short blocks together, cut before headings and hunks where there are any,
 * else between paragraphs, lines, sentences, words. Chunks cover the whole body
 * in order; where a cut tears a paragraph the next chunk repeats up to 100
 * characters of it. Offsets are UTF-16 units and never inside a surrogate pair.
 */
import { charBoundary } from '../base/text-cut.ts'
import { CHUNKS_PER_DOCUMENT } from '../fts/chunk-number.ts'

export interface Chunk {
  /** Offset in the body. */
  readonly start: number
  readonly chars: number
}

/** What a body is made of: prose with headings, or a patch with hunks. */
export type BodyForm = 'prose' | 'patch'

/** Moves whenever the same body would give other chunks. */
export const CHUNKING_VERSION = 1

/** Longest chunk, as long as that gives few enough chunks. */
export const CHUNK_CHARS = 1200

/** Longest repetition at a cut inside a paragraph. */
export const OVERLAP_CHARS = 100

/** A good cut must leave a chunk of at least this share of the longest; so no body has too many. */
const LEAST_SHARE = 1 / 3

/** Best first. Each matches where a cut may be; the cut is where the match ends. */
const CUTS: Record<BodyForm, readonly RegExp[]> = {
  prose: [/\n(?=#{1,6} |=+ |<h[1-6])/g, /\n[ \t]*\n+/g, /\n/g, /[.!?…] |[。！？]/g, /[\s\u3000、，,]/g],
  patch: [/\n(?=@@ |diff --git )/g, /\n/g, /\s/g],
}

/** How many of a form's cuts leave paragraphs (or lines of a patch) whole. */
const WHOLE_CUTS: Record<BodyForm, number> = { prose: 2, patch: 2 }

/** At least one chunk, even of an empty body. */
export function chunksOf(body: string, form: BodyForm): Chunk[] {
  const longest = Math.max(CHUNK_CHARS, Math.ceil(body.length / (CHUNKS_PER_DOCUMENT * LEAST_SHARE * 0.7)))
  const chunks: Chunk[] = []
  let start = 0
  while (body.length - start > longest) {
    const { end, whole } = cutAfter(body, start, longest, form)
    chunks.push({ start, chars: end - start })
    start = whole ? end : end - overlapBefore(body, end)
  }
  chunks.push({ start, chars: body.length - start })
  return chunks
}

function cutAfter(body: string, start: number, longest: number, form: BodyForm): { end: number; whole: boolean } {
  const window = body.slice(start, start + longest)
  const least = Math.floor(longest * LEAST_SHARE)
  for (const [rank, cut] of CUTS[form].entries()) {
    let end = 0
    for (const match of window.matchAll(cut)) end = match.index + match[0].length
    if (end >= least) return { end: start + end, whole: rank < WHOLE_CUTS[form] }
  }
  return { end: charBoundary(body, start + longest), whole: false }
}

/** How far the next chunk goes back, to the start of a word. */
function overlapBefore(body: string, end: number): number {
  const tail = body.slice(end - OVERLAP_CHARS, end)
  const space = tail.search(/[\s。、，]/)
  if (space >= 0) return tail.length - space - 1
  return end - charBoundary(body, end - OVERLAP_CHARS)
}
