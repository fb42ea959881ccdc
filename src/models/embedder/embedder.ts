/**
 * The port to an embedder: texts in, vectors of unit length out. Search embeds a
 * question once, the pump embeds passages; nobody else does. An embedder is
 * chosen by configuration, and its weight says what its judgement is worth
 * beside words.
 */
import type { Result } from '../../base/result.ts'

export interface Embedder {
  /** Names all that its vectors depend on; another name owes every vector anew. */
  readonly model: string
  /** Length of its vectors. */
  readonly dimensions: number
  /** Its share in the fused score, above 0 and at most 1; 0 is an embedder that is none. */
  readonly weight: number
  /**
   * One vector a text, in order; undefined for a text the embedder will not
   * take, however short it is cut. UNAVAILABLE when it does not answer, or not
   * with vectors of its dimensions; then nothing is known of any text.
   */
  embed(texts: readonly string[], timeLimitMs: number): Promise<Result<readonly (Float32Array | undefined)[]>>
}

/** The vector at unit length; undefined where it has no direction or is not made of numbers. */
export function toUnit(values: readonly number[]): Float32Array | undefined {
  const length = Math.hypot(...values)
  if (!Number.isFinite(length) || length === 0) return undefined
  return Float32Array.from(values, (value) => value / length)
}
