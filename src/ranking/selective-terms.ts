/**
 * Long questions, made short for the pool: every term costs a walk over all
 * rows that hold it, and the common ones choose nothing that the rare ones
 * have not chosen. Scores still count every term.
 */
import { idf } from './bm25.ts'

/** Terms that choose candidates; on known-item sets eight lose nothing against all. */
export const SELECTIVE_TERMS = 16

/**
 * The terms that tell most, in the order of the question; of those that no row
 * holds, none. With `mostRows` what is left out is also what would make the walk
 * longer than so many rows; the term that tells most always stays.
 */
export function selectiveTerms<Term extends { readonly term: string; readonly weight: number }>(
  terms: readonly Term[],
  frequencies: ReadonlyMap<string, number>,
  chunks: number,
  mostRows = Infinity,
): Term[] {
  const telling = ({ term, weight }: Term): number => weight * idf(chunks, frequencies.get(term) ?? 0)
  let rows = 0
  const chosen = terms
    .filter(({ term }) => frequencies.has(term))
    .sort((a, b) => telling(b) - telling(a))
    .slice(0, SELECTIVE_TERMS)
    .filter(({ term }, at) => {
      const more = frequencies.get(term) ?? 0
      const stays = at === 0 || rows + more <= mostRows
      if (stays) rows += more
      return stays
    })
  return terms.filter((term) => chosen.includes(term))
}
