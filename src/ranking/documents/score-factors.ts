/**
 * Factors beside BM25: the share of the question that a chunk covers, and whether
 * the question names its path.
 */

/** Words of a question up to which it is compared with paths. */
const COMPARED_WORDS = 5

/** 1 to 1.5, by the share of the question's information that the chunk matches. */
export function coverageFactor(matched: number, whole: number): number {
  return whole > 0 ? 1 + 0.5 * (matched / whole) : 1
}

/**
 * 1 unless the path contains all words of a short question; then 1 + their share
 * of the path's words, times 1.5 when they are contiguous and in order.
 */
export function pathFactor(question: readonly number[], path: readonly number[]): number {
  if (question.length === 0 || question.length > COMPARED_WORDS || path.length === 0) return 1
  if (!question.every((word) => path.includes(word))) return 1
  const factor = 1 + Math.min(1, question.length / path.length)
  return containsRun(question, path) ? factor * 1.5 : factor
}

function containsRun(part: readonly number[], whole: readonly number[]): boolean {
  for (let at = 0; at + part.length <= whole.length; at += 1) {
    if (part.every((word, offset) => whole[at + offset] === word)) return true
  }
  return false
}
