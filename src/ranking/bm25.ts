/**
 * BM25 over our own statistics. FTS5's bm25() drifts when contentless rows are
 * replaced, so it only chooses the pool; what is shown is scored here.
 */

/** How soon repetition stops counting (k1) and how much long chunks lose (b). */
export interface Bm25Shape {
  readonly k1: number
  readonly b: number
}

/** How much a term tells: ln(1 + (N - n + .5) / (n + .5)), never negative. Robertson's form as Lucene has it. */
export function idf(chunks: number, frequency: number): number {
  const holding = Math.min(frequency, chunks)
  return Math.log(1 + (chunks - holding + 0.5) / (holding + 0.5))
}

/** The part of a term's score that depends on the chunk: 0 at count 0, towards k1 + 1 as it grows. */
export function saturation(count: number, length: number, averageLength: number, { k1, b }: Bm25Shape): number {
  const relative = averageLength > 0 ? length / averageLength : 1
  return (count * (k1 + 1)) / (count + k1 * (1 - b + b * relative))
}
