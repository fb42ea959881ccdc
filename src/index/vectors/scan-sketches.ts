/**
 * The scan over packed sketches: compares every record of a generation that
 * passes scope and filters with a vector and keeps the best chunk of each
 * document. Scores are approximate. Because Bloom filters have false positives, a
 * few records that do not pass the filters are kept, and where a filter excludes
 * rows, one in some 30,000 of the others is missed.
 */
import { Buffer } from 'node:buffer'
import { documentOf } from '../../fts/chunk-number.ts'
import { BestChunks } from '../../vectors/best-chunks.ts'
import { scoreAt, toLookup } from '../../vectors/sketch.ts'
import { excludedTokens, filterTokens, windowsOf } from '../filters/filters.ts'
import type { Filters, TokenGroups } from '../filters/filters.ts'
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
import { bitsOf, mayContain } from './bloom-filter.ts'

export interface Pack {
  readonly sketches: string
  /** Null where no filter needs them. */
  readonly attributes: string | null
}

interface SketchQuery {
  readonly vector: Float32Array
  readonly generation: number
  /** True for the key of a repository whose rows are in scope. */
  readonly isInScope: (repository: number) => boolean
  readonly filters: Filters
  /** If the filters name a release, the documents that it may select. */
  readonly released?: ReadonlySet<number> | undefined
  readonly limit: number
}

/** True where the filters test attributes, which are stored beside the sketches. */
export function needsAttributes(filters: Filters): boolean {
  const { not = [] } = filters
  return windowsOf(filters).length > 0 || filterTokens(filters).length > 0 || not.length > 0
}

/** The best chunk of each of the `limit` documents that are most similar to the vector, best first. */
export function scanSketches(packs: readonly Pack[], query: SketchQuery): number[] {
  const lookup = toLookup(query.vector)
  const passes = toAttributesTest(query.filters)
  const best = new BestChunks(query.limit)
  for (const pack of packs) {
    const bytes = Buffer.from(pack.sketches, 'base64')
    const attributes = pack.attributes === null ? undefined : Buffer.from(pack.attributes, 'base64')
    for (let record = 0, at = 0; at < bytes.length; record += 1, at += SKETCH_RECORD_BYTES) {
      if (generationAt(bytes, at) !== query.generation) continue
      const score = scoreAt(bytes, at, lookup)
      if (score <= best.floor || !query.isInScope(repositoryAt(bytes, at))) continue
      if (query.released?.has(documentOf(chunkAt(bytes, at))) === false) continue
      if (attributes && !passes(attributes, record * ATTRIBUTES_RECORD_BYTES)) continue
      best.add(chunkAt(bytes, at), score)
    }
  }
  return best.chunks()
}

function toAttributesTest(filters: Filters): (attributes: Buffer, record: number) => boolean {
  const windows = windowsOf(filters)
  const toBits = (groups: TokenGroups) => groups.map((tokens) => tokens.map(bitsOf))
  const wanted = toBits(filterTokens(filters))
  const excluded = excludedTokens(filters).map(toBits)
  return (attributes, record) => {
    const hasAll = (groups: typeof wanted) =>
      groups.every((any) => any.some((bits) => mayContain(attributes, record + BLOOM_AT, bits)))
    return (
      windows.every((window) => isWithin(window, attributes, record)) &&
      hasAll(wanted) &&
      !excluded.some((groups) => hasAll(groups))
    )
  }
}

function isWithin({ clock, since, until }: TimeWindow, attributes: Buffer, record: number): boolean {
  const time = timeAt(attributes, record, clock)
  return (since === undefined || time >= since) && (until === undefined || time < until)
}
