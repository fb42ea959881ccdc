/**
 * The headings that a chunk row stores, so that an answer names the section of
 * any passage of the chunk without reading the body: the heading in force where
 * the chunk starts, and each that begins inside it.
 */
import { headingAt, type Section } from '../../text/headings.ts'
import type { Chunk } from '../../text/chunks.ts'

/** Offset in the body and path of headings, in order of the body. */
type StoredHeading = readonly [start: number, heading: string]

/** The headings of one chunk as text for its row; empty without one. */
export function packHeadings(sections: readonly Section[], { start, chars }: Chunk): string {
  const first = countUpTo(sections, start)
  // That in force where the chunk starts, and those that begin inside.
  const stored = sections
    .slice(Math.max(0, first - 1), countUpTo(sections, start + chars - 1))
    .map((section): StoredHeading => [Math.max(start, section.start), headingAt([section], section.start) ?? ''])
  return stored.length === 0 ? '' : JSON.stringify(stored)
}

/** The headings above the text at `offset` of a body, from the row of its chunk; undefined without one. */
export function headingIn(packed: string, offset: number): string | undefined {
  if (packed === '') return undefined
  return (JSON.parse(packed) as readonly StoredHeading[]).findLast(([start]) => start <= offset)?.[1]
}

/** The headings above a chunk that are not part of its text. */
export function headingsAbove(sections: readonly Section[], chunkStart: number): readonly string[] {
  const section = sections[countUpTo(sections, chunkStart) - 1]
  return section?.start === chunkStart ? section.path.slice(0, -1) : (section?.path ?? [])
}

/** How many sections begin at or before the offset. A body can have very many, so they are not walked for each chunk. */
function countUpTo(sections: readonly Section[], offset: number): number {
  let [low, high] = [0, sections.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sections[middle]!.start <= offset) low = middle + 1
    else high = middle
  }
  return low
}
