/**
 * The scan over packed sketches: every record of a generation that passes scope
 * and filters is compared with the question, and the documents of the best are
 * kept. Exact scores come later; the filters are exact but for what a signature
 * lets through by chance.
 */
import { Buffer } from 'node:buffer'
import { BestChunks } from '../../vectors/best-chunks.ts'
import { scoreAt, toLookup } from '../../vectors/sketch.ts'
import { filterTokens } from '../filters/filters.ts'
import type { Filters } from '../filters/filters.ts'
import type { TimeWindow } from '../filters/time-tokens.ts'
import {
  chunkAt,
  ATTRIBUTES_RECORD_BYTES,
  generationAt,
  repositoryAt,
  BLOOM_AT,
  SKETCH_RECORD_BYTES,
  timeAt,
} from './sketch-record.ts'
import { bitsOf, mayHold } from './bloom-filter.ts'

export interface Pack {
  readonly sketches: string
  /** Only where filters ask for it. */
  readonly attributes: string | null
}

export interface SketchQuery {
  readonly vector: Float32Array
  readonly generation: number
  /** Says of a repository's key whether its rows are in scope. */
  readonly isInScope: (repository: number) => boolean
  readonly filters: Filters
  readonly limit: number
}

/** True where records alone cannot tell which rows pass. */
export function needsAttributes(filters: Filters): boolean {
  const { since, until } = filters.window
  return since !== undefined || until !== undefined || filterTokens(filters).length > 0
}

/** The best chunk of each of the `limit` documents that look most like the question, best first. */
export function scanSketches(packs: readonly Pack[], wish: SketchQuery): number[] {
  const lookup = toLookup(wish.vector)
  const passes = toAttributesTest(wish.filters)
  const best = new BestChunks(wish.limit)
  for (const pack of packs) {
    const bytes = Buffer.from(pack.sketches, 'base64')
    const attributes = pack.attributes === null ? undefined : Buffer.from(pack.attributes, 'base64')
    for (let record = 0, at = 0; at < bytes.length; record += 1, at += SKETCH_RECORD_BYTES) {
      if (generationAt(bytes, at) !== wish.generation) continue
      const score = scoreAt(bytes, at, lookup)
      if (score <= best.floor || !wish.isInScope(repositoryAt(bytes, at))) continue
      if (attributes && !passes(attributes, record * ATTRIBUTES_RECORD_BYTES)) continue
      best.add(chunkAt(bytes, at), score)
    }
  }
  return best.chunks()
}

function toAttributesTest(filters: Filters): (attributes: Buffer, record: number) => boolean {
  const groups = filterTokens(filters).map((tokens) => tokens.map(bitsOf))
  return (attributes, record) =>
    isWithin(filters.window, attributes, record) &&
    groups.every((any) => any.some((bits) => mayHold(attributes, record + BLOOM_AT, bits)))
}

function isWithin({ clock, since, until }: TimeWindow, attributes: Buffer, record: number): boolean {
  if (since === undefined && until === undefined) return true
  const time = timeAt(attributes, record, clock)
  return (since === undefined || time >= since) && (until === undefined || time < until)
}
