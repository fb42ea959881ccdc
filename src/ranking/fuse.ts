/**
 * Fuses the ranking by words with the ranking by vectors: the scores relative to
 * the best one of each ranking are added, the vectors' by their weight. A ranking
 * adds nothing to a document that it lacks. Ranks are not fused, because they
 * would give the guesses of a weak embedder the same influence as words.
 */

/** A document of one ranking; scores compare only within it. */
export interface ScoredDocument {
  readonly document: number
  readonly score: number
}

interface FusedDocument {
  readonly document: number
  readonly score: number
}

/**
 * Every document once, best first; equal scores in the order of words, then of
 * document numbers. `words` are best first, `vectors` in any order; `weight` is the
 * share of the vectors, 0 to 1.
 */
export function fuse(
  words: readonly ScoredDocument[],
  vectors: readonly ScoredDocument[],
  weight: number,
): FusedDocument[] {
  const sums = new Map<number, number>()
  const places = new Map<number, number>()
  const add = (ranking: readonly ScoredDocument[], factor: number) => {
    const shares = scoreShares(ranking)
    for (const [at, { document }] of ranking.entries()) {
      sums.set(document, (sums.get(document) ?? 0) + factor * (shares[at] ?? 0))
    }
  }
  add(words, 1 - weight)
  add(vectors, weight)
  for (const [at, { document }] of words.entries()) places.set(document, at)
  const placeOf = (document: number) => places.get(document) ?? words.length
  return [...sums]
    .map(([document, score]) => ({ document, score }))
    .sort((a, b) => b.score - a.score || placeOf(a.document) - placeOf(b.document) || a.document - b.document)
}

/** Scores relative to the best one; scores of 0 or less become 0. */
function scoreShares(ranking: readonly ScoredDocument[]): number[] {
  const best = ranking.reduce((highest, { score }) => Math.max(highest, score), 0)
  return ranking.map(({ score }) => (best > 0 ? Math.max(0, score) / best : 0))
}
