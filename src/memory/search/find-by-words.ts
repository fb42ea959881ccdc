/**
 * How far the word index is walked for a question. Each row that holds one of
 * its terms costs about a microsecond, so common terms are walked only where
 * those that tell more do not fill the pool. Nothing that holds a term stays
 * unfound while there is room.
 */
import { documentOf } from '../../fts/chunk-number.ts'
import { choosingTerms } from '../../ranking/selective-terms.ts'
import type { QuestionTerm } from '../../text/question/question-terms.ts'

/** Rows that are walked at first, a row once for each term it holds: more than small stores ever ask for. */
export const CANDIDATE_ROWS = 20_000

/** Chunks of at most `limit` messages, best first, from `find`, which is asked once or twice; without a term that is held, never. */
export function chooseCandidateTerms(
  terms: readonly QuestionTerm[],
  frequencies: ReadonlyMap<string, number>,
  chunks: number,
  limit: number,
  find: (terms: readonly QuestionTerm[]) => number[],
): number[] {
  const held = terms.filter(({ term }) => frequencies.has(term))
  if (held.length === 0) return []
  const telling = choosingTerms(held, frequencies, chunks, CANDIDATE_ROWS)
  const found = find(telling)
  const messages = new Set(found.map(documentOf)).size
  return messages < limit && telling.length < held.length ? find(held) : found
}
