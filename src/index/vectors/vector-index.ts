/**
 * The port to a vector index: it stores vectors of chunks and finds the chunks
 * nearest to a vector. Viewer and filters apply inside the search, as they do
 * for words. Every vector belongs to a generation, which counts changes of the
 * model; a search sees the vectors of its own generation only.
 */
import type { Document } from '../../documents/document.ts'
import type { Result } from '../../base/result.ts'
import type { Filters } from '../filters/filters.ts'
import type { Scope } from '../filters/visibility.ts'
import type { IndexReader } from '../reader.ts'
import type { ChunkPlace } from '../words/candidates.ts'

/** The best chunk of a document. */
export interface NearRow extends ChunkPlace {
  /** Cosine of its vector and the given one. */
  readonly similarity: number
}

export interface NearestChunks {
  /** Most similar first; equal ones by chunk. */
  readonly rows: readonly NearRow[]
  /** False while documents still wait for vectors of this model, so that rows may be missing. */
  readonly isReady: boolean
  /** True where the index has more vectors than one search reads. */
  readonly isPartial: boolean
}

/** A document as it was read at `version`, with the attributes that filters test. */
export interface VectorsOwner {
  readonly document: number
  readonly vectorId: string
  readonly version: number
  /** The repository's key. */
  readonly repository: number
  readonly attributes: { readonly stored: Document; readonly createdAt: number; readonly updatedAt: number }
}

export interface VectorsWrite extends VectorsOwner {
  /**
   * One for each chunk of the document, in order, of unit length; undefined for a
   * chunk without text. Undefined instead of the list keeps the stored vectors and
   * writes only the attributes.
   */
  readonly vectors: readonly (Float32Array | undefined)[] | undefined
}

export interface VectorIndex {
  /**
   * The `limit` documents nearest to a vector of unit length from this model.
   * Reads rows of the index through `reader`, so that its round trips can be
   * shared; at most two. UNAVAILABLE where a read fails.
   */
  nearest(
    reader: IndexReader,
    scope: Scope,
    filters: Filters,
    target: { readonly vector: Float32Array; readonly model: string },
    limit: number,
  ): Promise<Result<NearestChunks>>
  /**
   * Replaces the vectors of these documents and sets their `vectors_version`, all
   * or none. Throws a guard failure if one of them has changed since it was read.
   */
  put(writes: readonly VectorsWrite[], generation: number): Promise<void>
  /** Drops the vectors of these documents; resolves when they are gone. */
  drop(documents: readonly number[]): Promise<void>
}
