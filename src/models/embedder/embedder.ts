/**
 * The port to an embedder: texts in, vectors of unit length out. Configuration
 * chooses the embedder, and its weight is its share in the fused ranking.
 */
import type { Result } from '../../base/result.ts'

export interface Embedder {
  /** Identifies everything its vectors depend on; when it changes, every vector must be made again. */
  readonly model: string
  /** Length of its vectors. */
  readonly dimensions: number
  /** Its share in the fused score, above 0 and at most 1; 0 when no embedder is configured. */
  readonly weight: number
  /**
   * One vector for each text, in order; undefined for a text that the embedder
   * refuses even when cut. UNAVAILABLE when it does not answer, or not with
   * vectors of its dimensions; then there is no result for any text.
   */
  embed(texts: readonly string[], timeLimitMs: number): Promise<Result<readonly (Float32Array | undefined)[]>>
}

/** The vector at unit length; undefined when its length is 0 or not finite. */
export function toUnit(values: readonly number[]): Float32Array | undefined {
  const length = Math.hypot(...values)
  if (!Number.isFinite(length) || length === 0) return undefined
  return Float32Array.from(values, (value) => value / length)
}
