/**
 * Fuses the ranking by words with the ranking by vectors. Rankings of equal strength
 * are fused by rank. With a weaker embedder, the scores relative to the best one of
 * each ranking are added by its weight, since ranks alone would give its guesses the
 * same influence as words. A ranking adds nothing to a document that it lacks.
 */

/** Rankings have equal strength when the share of vectors is about a half. */
const EQUAL_FROM = 0.45
const EQUAL_TO = 0.55

/**
 * Cormack, Clarke, Buettcher: Reciprocal Rank Fusion outperforms Condorcet and
 * individual rank learning methods, SIGIR 2009.
 */
const RANK_K = 60

type FusionMethod = 'rank' | 'weighted'

/** A document of one ranking; scores compare only within it. */
export interface ScoredDocument {
  readonly document: number
  readonly score: number
}

interface FusedDocument {
  readonly document: number
  readonly score: number
}

/** `weight` is the share of the vectors, 0 to 1. */
export function fusionMethod(weight: number): FusionMethod {
  return weight >= EQUAL_FROM && weight <= EQUAL_TO ? 'rank' : 'weighted'
}

/** Every document once, best first; equal scores in the order of words, then of document numbers. Both rankings are best first. */
export function fuse(
  words: readonly ScoredDocument[],
  vectors: readonly ScoredDocument[],
  weight: number,
): FusedDocument[] {
  const byRank = fusionMethod(weight) === 'rank'
  const shares = byRank ? [rankShares(words), rankShares(vectors)] : [scoreShares(words), scoreShares(vectors)]
  const [ofWords = [], ofVectors = []] = shares
  const sums = new Map<number, number>()
  const places = new Map<number, number>()
  const add = (ranking: readonly ScoredDocument[], share: readonly number[], factor: number) => {
    for (const [at, { document }] of ranking.entries()) {
      sums.set(document, (sums.get(document) ?? 0) + factor * (share[at] ?? 0))
    }
  }
  add(words, ofWords, byRank ? 1 : 1 - weight)
  add(vectors, ofVectors, byRank ? 1 : weight)
  for (const [at, { document }] of words.entries()) places.set(document, at)
  const placeOf = (document: number) => places.get(document) ?? words.length
  return [...sums]
    .map(([document, score]) => ({ document, score }))
    .sort((a, b) => b.score - a.score || placeOf(a.document) - placeOf(b.document) || a.document - b.document)
}

function rankShares(ranking: readonly ScoredDocument[]): number[] {
  return ranking.map((_, at) => 1 / (RANK_K + at + 1))
}

/** Scores relative to the best one; scores of 0 or less become 0. */
function scoreShares(ranking: readonly ScoredDocument[]): number[] {
  const best = ranking.reduce((highest, { score }) => Math.max(highest, score), 0)
  return ranking.map(({ score }) => (best > 0 ? Math.max(0, score) / best : 0))
}
