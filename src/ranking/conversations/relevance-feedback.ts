/**
 * Relevance feedback: the best candidates expand the question by their most
 * informative terms. The information of a term is estimated from the candidates,
 * because only the keys of their terms are known.
 */
import { idf } from '../bm25.ts'
import type { ConversationWeights } from './conversation-weights.ts'
import { KEY_BITS_MASK, toKeyBits, type TermWeights } from './message-score.ts'
import type { RankingCandidate } from './message-windows.ts'

export interface RankedCandidate {
  readonly candidate: RankingCandidate
  /** Above 0. */
  readonly score: number
}

/** Weights of the expansion terms. A term of the question is not one. Their sum is `tuning.feedback` times that of the question's terms. */
export function expansionWeights(
  ranked: readonly RankedCandidate[],
  candidates: readonly RankingCandidate[],
  own: TermWeights,
  tuning: ConversationWeights,
): TermWeights {
  const best = ranked.slice(0, tuning.feedbackMessages)
  const shares = new Map<number, number>()
  let totalScore = 0
  for (const { candidate, score } of best) {
    for (const [key, share] of sharesOf(candidate)) {
      if (!own.has(key)) shares.set(key, (shares.get(key) ?? 0) + share * score)
    }
    totalScore += score
  }
  const frequencies = countMessages(candidates, shares)
  const expansion = [...shares]
    .map(([key, share]) => {
      const informative = idf(candidates.length, frequencies.get(key) ?? 0)
      return { key, weight: (share / totalScore) * informative }
    })
    .sort((a, b) => b.weight - a.weight || a.key - b.key)
    .slice(0, tuning.feedbackTerms)
  const sum = expansion.reduce((total, { weight }) => total + weight, 0)
  let ownSum = 0
  for (const { weight } of own.values()) ownSum += weight
  const scale = sum > 0 ? (tuning.feedback * ownSum) / sum : 0
  return new Map(scale > 0 ? expansion.map(({ key, weight }, at) => [key, { at, weight: weight * scale }]) : [])
}

/** The share of each term in the message, so that long messages expand the question no more than short ones. */
function sharesOf({ chunks }: RankingCandidate): Map<number, number> {
  const shares = new Map<number, number>()
  let length = 0
  for (const { keys, counts } of chunks) {
    for (const [i, key] of keys.entries()) {
      shares.set(key, (shares.get(key) ?? 0) + counts[i]!)
      length += counts[i]!
    }
  }
  for (const [key, count] of shares) shares.set(key, count / length)
  return shares
}

/** Number of candidates that contain each of the terms. */
function countMessages(
  candidates: readonly RankingCandidate[],
  terms: ReadonlyMap<number, unknown>,
): Map<number, number> {
  const frequencies = new Map<number, number>()
  // The last message that was counted for a term.
  const counted = new Map<number, number>()
  const bits = toKeyBits(terms.keys())
  for (const [at, { chunks }] of candidates.entries()) {
    for (const { keys } of chunks) {
      for (const key of keys) {
        if (bits[key & KEY_BITS_MASK] === 0 || !terms.has(key) || counted.get(key) === at) continue
        counted.set(key, at)
        frequencies.set(key, (frequencies.get(key) ?? 0) + 1)
      }
    }
  }
  return frequencies
}
