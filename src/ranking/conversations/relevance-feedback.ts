/**
 * The first messages found lend the question their telling words (relevance
 * feedback). How telling a word is, is judged among the messages that were
 * read, since their terms are known by key only.
 */
import { idf } from '../bm25.ts'
import { LAST_KEY_BIT, toKeyBits, type TermWeights } from './message-score.ts'
import type { ConversationWeights } from './conversation-weights.ts'
import type { RankingCandidate } from './message-windows.ts'

/** A message and its score so far, above 0. */
export interface RankedCandidate {
  readonly reading: RankingCandidate
  readonly score: number
}

/** Weights of lent terms; together `preset.feedback` of what the question's own weigh. None of them is the question's. */
export function expansionWeights(
  ranked: readonly RankedCandidate[],
  readings: readonly RankingCandidate[],
  own: TermWeights,
  preset: ConversationWeights,
): TermWeights {
  const best = ranked.slice(0, preset.feedbackMessages)
  const shares = new Map<number, number>()
  let whole = 0
  for (const { reading, score } of best) {
    for (const [key, share] of sharesOf(reading)) {
      if (!own.has(key)) shares.set(key, (shares.get(key) ?? 0) + share * score)
    }
    whole += score
  }
  const holding = countHolding(readings, shares)
  const lent = [...shares]
    .map(([key, share]) => ({ key, worth: (share / whole) * idf(readings.length, holding.get(key) ?? 0) }))
    .sort((a, b) => b.worth - a.worth || a.key - b.key)
    .slice(0, preset.feedbackTerms)
  const sum = lent.reduce((all, { worth }) => all + worth, 0)
  let asked = 0
  for (const { weight } of own.values()) asked += weight
  const scale = sum > 0 ? (preset.feedback * asked) / sum : 0
  return new Map(scale > 0 ? lent.map(({ key, worth }, at) => [key, { at, weight: worth * scale }]) : [])
}

/** Of each term its part of the message; a long message lends no more than a short one. */
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

/** How many of the messages hold each of the terms. */
function countHolding(
  readings: readonly RankingCandidate[],
  wanted: ReadonlyMap<number, unknown>,
): Map<number, number> {
  const holding = new Map<number, number>()
  // The last message that was counted for a term.
  const counted = new Map<number, number>()
  const marks = toKeyBits(wanted.keys())
  for (const [at, { chunks }] of readings.entries()) {
    for (const { keys } of chunks) {
      for (const key of keys) {
        if (marks[key & LAST_KEY_BIT] === 0 || !wanted.has(key) || counted.get(key) === at) continue
        counted.set(key, at)
        holding.set(key, (holding.get(key) ?? 0) + 1)
      }
    }
  }
  return holding
}
