/**
 * The port to a vector index: vectors of chunks, and the chunks nearest to a
 * question's vector. Viewer and filters hold inside the search, as they do for
 * words. Every vector belongs to a generation, which counts changes of the
 * model; a search sees those of its own only.
 */
import type { Document } from '../../documents/document.ts'
import type { Result } from '../../base/result.ts'
import type { Filters } from '../filters/filters.ts'
import type { ChunkPlace } from '../words/candidates.ts'
import type { Scope } from '../filters/visibility.ts'

/** A chunk and how like the question it is: the cosine. One chunk a document. */
export interface NearRow extends ChunkPlace {
  readonly similarity: number
}

export interface NearestChunks {
  /** Most alike first; equal ones by chunk. */
  readonly rows: readonly NearRow[]
  /** False while vectors of this model are still being made, so that rows may be missing. */
  readonly isReady: boolean
  /** True where the index holds more vectors than one search looks at. */
  readonly isPartial: boolean
}

/** A document and the facts that a search must know of it, proven by its version. */
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
   * Of the document's chunks in order, of unit length, with undefined for a chunk
   * that says nothing; undefined as a whole keeps the vectors that are there.
   */
  readonly vectors: readonly (Float32Array | undefined)[] | undefined
}

export interface VectorIndex {
  /** The `limit` documents nearest to a vector of unit length, made by this model. Two round trips. */
  nearest(
    scope: Scope,
    filters: Filters,
    question: { readonly vector: Float32Array; readonly model: string },
    limit: number,
  ): Promise<Result<NearestChunks>>
  /** Replaces the vectors of these documents and settles their marks, all or none; a guard fails when one has changed. */
  put(writes: readonly VectorsWrite[], generation: number): Promise<void>
  /** Drops the vectors of these documents; resolves when they are gone. */
  drop(documents: readonly number[]): Promise<void>
}
