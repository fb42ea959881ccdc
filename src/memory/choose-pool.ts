/**
 * How far the word index is walked for a question. Each row that holds one of
 * its terms costs about a microsecond, so common terms are walked only where
 * those that tell more do not fill the pool. Nothing that holds a term stays
 * unfound while there is room.
 */
import { choosingTerms } from '../ranking/prune.ts'
import type { QuestionTerm } from '../text/question-terms.ts'

/** Rows that are walked at first, a row once for each term it holds: more than small stores ever ask for. */
export const POOL_ROWS = 20_000

/** At most `limit` pieces, best first, from `find`, which is asked once or twice; without a term that is held, never. */
export function choosePool(
  terms: readonly QuestionTerm[],
  frequencies: ReadonlyMap<string, number>,
  pieces: number,
  limit: number,
  find: (terms: readonly QuestionTerm[]) => number[],
): number[] {
  const all = choosingTerms(terms, frequencies, pieces)
  if (all.length === 0) return []
  const telling = choosingTerms(terms, frequencies, pieces, POOL_ROWS)
  const found = find(telling)
  return found.length < limit && telling.length < all.length ? find(all) : found
}
