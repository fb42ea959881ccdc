/**
 * How the similarities of messages to a question count beside their words. All
 * messages of a conversation are a little similar to a question about it, so only
 * what is above the median counts. Where many sessions match, words are the better
 * guide, and vectors count less.
 */
import type { ScoredDocument } from '../fuse.ts'
import type { ConversationWeights } from './conversation-weights.ts'
import { concentration } from './session-standing.ts'

/**
 * The similarities above their median, lower ones as 0, in the same order. The
 * median of few messages says little, so it counts less: not at all for one.
 */
export function aboveMedian(
  similarities: readonly ScoredDocument[],
  { medianHalf }: ConversationWeights,
): ScoredDocument[] {
  const sorted = similarities.map(({ score }) => score).toSorted((a, b) => b - a)
  const others = Math.max(0, sorted.length - 1)
  const floor = Math.max(0, (sorted[sorted.length >> 1] ?? 0) * (others / (others + medianHalf)))
  return similarities.map(({ document, score }) => ({ document, score: Math.max(0, score - floor) }))
}

/** The share of vectors in the fused score. `words` are the sessions and scores of the messages found by words. */
export function vectorWeight<Session>(
  weight: number,
  words: readonly { readonly session: Session; readonly score: number }[],
  tuning: ConversationWeights,
): number {
  const { elsewhereVectors } = tuning
  return weight * (elsewhereVectors + (1 - elsewhereVectors) * concentration(words, tuning))
}
