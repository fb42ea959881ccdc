/**
 * Cuts a body into chunks that are searched separately: about 1,200 characters
 * each, with short blocks joined. Cuts fall before headings or hunks if possible, else
 * between paragraphs, lines, sentences or words. Chunks cover the whole body in
 * order; after a cut inside a paragraph the next chunk repeats up to 100
 * characters. Offsets are UTF-16 units and never inside a surrogate pair.
 */
import { charBoundary } from '../base/text-cut.ts'
import { CHUNKS_PER_DOCUMENT } from '../fts/chunk-number.ts'

export interface Chunk {
  /** Offset in the body. */
  readonly start: number
  readonly chars: number
}

/** Prose with headings, or a patch with hunks. */
export type BodyForm = 'prose' | 'patch'

/** To be increased when the same body would give other chunks. */
export const CHUNKING_VERSION = 1

/** Longest chunk in UTF-16 units. In a body that would exceed CHUNKS_PER_DOCUMENT chunks are longer. */
export const CHUNK_CHARS = 1200

/** Longest repetition after a cut inside a paragraph, in UTF-16 units. */
export const OVERLAP_CHARS = 100

/** The shortest chunk as a share of the longest, which bounds the number of chunks. */
const CUT_SHARE = 1 / 3

/** Best first. The cut is where the match ends. */
const CUTS: Record<BodyForm, readonly RegExp[]> = {
  prose: [/\n(?=#{1,6} |=+ |<h[1-6])/g, /\n[ \t]*\n+/g, /\n/g, /[.!?…] |[。！？]/g, /[\s\u3000、，,]/g],
  patch: [/\n(?=@@ |diff --git )/g, /\n/g, /\s/g],
}

/** The number of cuts, best first, that leave paragraphs (or lines of a patch) whole. */
const WHOLE_CUTS: Record<BodyForm, number> = { prose: 2, patch: 2 }

/** At least one chunk, even of an empty body. */
export function chunksOf(body: string, form: BodyForm): Chunk[] {
  const longest = Math.max(CHUNK_CHARS, Math.ceil(body.length / (CHUNKS_PER_DOCUMENT * CUT_SHARE * 0.7)))
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
  const shortest = Math.floor(longest * CUT_SHARE)
  for (const [rank, cut] of CUTS[form].entries()) {
    let end = 0
    for (const match of window.matchAll(cut)) end = match.index + match[0].length
    if (end >= shortest) return { end: start + end, whole: rank < WHOLE_CUTS[form] }
  }
  return { end: charBoundary(body, start + longest), whole: false }
}

/** Units that the next chunk repeats, from the start of a word. */
function overlapBefore(body: string, end: number): number {
  const tail = body.slice(end - OVERLAP_CHARS, end)
  const space = tail.search(/[\s。、，]/)
  if (space >= 0) return tail.length - space - 1
  return end - charBoundary(body, end - OVERLAP_CHARS)
}
