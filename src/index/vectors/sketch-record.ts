/**
 * The two records of a chunk in the packed sketches, each of fixed size: the
 * sketch with its chunk and repository, and the attributes that filters test.
 * Both are a multiple of three bytes long, so their base64 has a fixed size too
 * and packs can be spliced as text.
 */
import { Buffer } from 'node:buffer'
import { SKETCH_BYTES } from '../../vectors/sketch.ts'
import type { TimeWindow } from '../filters/time-tokens.ts'
import { BLOOM_BYTES } from './bloom-filter.ts'

/** Records in a full row of the table `sketches`. */
export const RECORDS_PER_PACK = 1_024

/** Sketch, chunk (48 bits), repository (32), generation (24). */
export const SKETCH_RECORD_BYTES = SKETCH_BYTES + 6 + 4 + 3
/** Times of creation and of update (doubles), Bloom filter. */
export const ATTRIBUTES_RECORD_BYTES = 8 + 8 + BLOOM_BYTES

export const SKETCH_RECORD_CHARS = (SKETCH_RECORD_BYTES / 3) * 4
export const ATTRIBUTES_RECORD_CHARS = (ATTRIBUTES_RECORD_BYTES / 3) * 4

interface SketchRecord {
  readonly sketch: Uint8Array
  readonly chunk: number
  readonly repository: number
  /** Vectors of different generations are not comparable. */
  readonly generation: number
}

interface AttributesRecord {
  /** Milliseconds UTC. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly bloomFilter: Uint8Array
}

/** Records of a free slot. The chunk is 0; chunks are numbered from 8,192. */
export const NO_SKETCH = Buffer.alloc(SKETCH_RECORD_BYTES).toString('base64')
export const NO_ATTRIBUTES = Buffer.alloc(ATTRIBUTES_RECORD_BYTES).toString('base64')

const CHUNK_AT = SKETCH_BYTES
const REPOSITORY_AT = CHUNK_AT + 6
const GENERATION_AT = REPOSITORY_AT + 4
export const BLOOM_AT = 16

export function packSketch({ sketch, chunk, repository, generation }: SketchRecord): string {
  const bytes = Buffer.alloc(SKETCH_RECORD_BYTES)
  bytes.set(sketch)
  bytes.writeUIntBE(chunk, CHUNK_AT, 6)
  bytes.writeUInt32BE(repository, REPOSITORY_AT)
  bytes.writeUIntBE(generation, GENERATION_AT, 3)
  return bytes.toString('base64')
}

export function packAttributes({ createdAt, updatedAt, bloomFilter }: AttributesRecord): string {
  const bytes = Buffer.alloc(ATTRIBUTES_RECORD_BYTES)
  bytes.writeDoubleBE(createdAt, 0)
  bytes.writeDoubleBE(updatedAt, 8)
  bytes.set(bloomFilter, BLOOM_AT)
  return bytes.toString('base64')
}

export function chunkAt(bytes: Buffer, record: number): number {
  return bytes.readUIntBE(record + CHUNK_AT, 6)
}

export function repositoryAt(bytes: Buffer, record: number): number {
  return bytes.readUInt32BE(record + REPOSITORY_AT)
}

export function generationAt(bytes: Buffer, record: number): number {
  return bytes.readUIntBE(record + GENERATION_AT, 3)
}

export function timeAt(bytes: Buffer, record: number, clock: TimeWindow['clock']): number {
  return bytes.readDoubleBE(record + (clock === 'created' ? 0 : 8))
}
