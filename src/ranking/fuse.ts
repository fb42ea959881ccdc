/**
 * Fusing what words found with what meaning found. Sides of like strength are
 * fused by rank; a weaker embedder by its declared weight, on scores that both
 * sides' best make 1, for counting ranks would give its guesses the same voice
 * as the words. A document that one side did not find gets nothing from it.
 */

/** Sides are of like strength when meaning's share is about a half. */
const EQUAL_FROM = 0.45
const EQUAL_TO = 0.55

/**
 * Cormack, Clarke, Buettcher: Reciprocal Rank Fusion outperforms Condorcet and
 * individual rank learning methods, SIGIR 2009.
 */
const RANK_K = 60

export type FusionMethod = 'rank' | 'weighted'

/** A document in one side's order; scores are comparable within the side only. */
export interface ScoredDocument {
  readonly document: number
  readonly score: number
}

export interface FusedDocument {
  readonly document: number
  readonly score: number
}

/** `weight` is meaning's share, 0 to 1. */
export function fusionMethod(weight: number): FusionMethod {
  return weight >= EQUAL_FROM && weight <= EQUAL_TO ? 'rank' : 'weighted'
}

/** Every document of either side once, best first; equal ones in the order of words, then of document number. Sides are best first. */
export function fuse(
  words: readonly ScoredDocument[],
  meaning: readonly ScoredDocument[],
  weight: number,
): FusedDocument[] {
  const byRank = fusionMethod(weight) === 'rank'
  const shares = byRank ? [rankShares(words), rankShares(meaning)] : [scoreShares(words), scoreShares(meaning)]
  const [ofWords = [], ofMeaning = []] = shares
  const sums = new Map<number, number>()
  const places = new Map<number, number>()
  const add = (side: readonly ScoredDocument[], share: readonly number[], factor: number) => {
    for (const [at, { document }] of side.entries()) {
      sums.set(document, (sums.get(document) ?? 0) + factor * (share[at] ?? 0))
    }
  }
  add(words, ofWords, byRank ? 1 : 1 - weight)
  add(meaning, ofMeaning, byRank ? 1 : weight)
  for (const [at, { document }] of words.entries()) places.set(document, at)
  const placeOf = (document: number) => places.get(document) ?? words.length
  return [...sums]
    .map(([document, score]) => ({ document, score }))
    .sort((a, b) => b.score - a.score || placeOf(a.document) - placeOf(b.document) || a.document - b.document)
}

function rankShares(side: readonly ScoredDocument[]): number[] {
  return side.map((_, at) => 1 / (RANK_K + at + 1))
}

/** Parts of the best score. What is worth nothing, or less, gets nothing. */
function scoreShares(side: readonly ScoredDocument[]): number[] {
  const most = side.reduce((best, { score }) => Math.max(best, score), 0)
  return side.map(({ score }) => (most > 0 ? Math.max(0, score) / most : 0))
}
