/**
 * BM25 over the product's own statistics. FTS5's bm25() drifts when contentless
 * rows are replaced, so it only selects candidates; final scores are computed here.
 */

/** k1: how fast repetitions saturate. b: how strongly length is normalized. */
export interface Bm25Shape {
  readonly k1: number
  readonly b: number
}

/** Inverse document frequency: ln(1 + (N - n + .5) / (n + .5)), never negative; Robertson's form, as in Lucene. */
export function idf(chunks: number, frequency: number): number {
  const matching = Math.min(frequency, chunks)
  return Math.log(1 + (chunks - matching + 0.5) / (matching + 0.5))
}

/** The term frequency part: 0 at count 0, approaching k1 + 1. */
export function saturation(count: number, length: number, averageLength: number, { k1, b }: Bm25Shape): number {
  const relative = averageLength > 0 ? length / averageLength : 1
  return (count * (k1 + 1)) / (count + k1 * (1 - b + b * relative))
}

/** How much a term counts that a question has several times: 1 for once, approaching k3 + 1. */
export function repetition(times = 1): number {
  return ((K3 + 1) * times) / (K3 + times)
}

/** k3 of Okapi. Chosen on long questions. */
const K3 = 8
