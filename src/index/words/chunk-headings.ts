/**
 * The headings that a chunk row stores, so that an answer names the section of
 * any passage of the chunk without reading the body: the heading in force where
 * the chunk starts, and each that begins inside it.
 */
import { headingOf, sectionAt, type Section } from '../../text/headings.ts'
import type { Chunk } from '../../text/chunks.ts'

/** Offset in the body and path of headings, in order of the body. */
type StoredHeading = readonly [start: number, heading: string]

/** The headings of one chunk as text for its row; empty without one. */
export function packHeadings(sections: readonly Section[], { start, chars }: Chunk): string {
  const stored = sections
    .slice(Math.max(0, sectionAt(sections, start)), sectionAt(sections, start + chars - 1) + 1)
    .map((section): StoredHeading => [Math.max(start, section.start), headingOf(section)])
  return stored.length === 0 ? '' : JSON.stringify(stored)
}

/** The headings above the text at `offset` of a body, from the row of its chunk; undefined without one. */
export function headingIn(packed: string, offset: number): string | undefined {
  if (packed === '') return undefined
  return (JSON.parse(packed) as readonly StoredHeading[]).findLast(([start]) => start <= offset)?.[1]
}

/** The headings above a chunk that are not part of its text. */
export function headingsAbove(sections: readonly Section[], chunkStart: number): readonly string[] {
  const section = sections[sectionAt(sections, chunkStart)]
  return section?.start === chunkStart ? section.path.slice(0, -1) : (section?.path ?? [])
}
