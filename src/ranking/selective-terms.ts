/**
 * The terms of a long question that select candidates. Each term costs a walk over
 * all rows that contain it, and common terms add no candidates that rare ones have
 * not selected. Scores still count every term.
 */
import { idf, repetition } from './bm25.ts'

/** On questions of whole texts more terms find no more, and 16 find less. */
export const SELECTIVE_TERMS = 24

/**
 * The most informative terms that any row contains, in the order of the question. `maxRows` also excludes terms that would make the walk longer
 * than that many rows; the most informative term always stays.
 */
export function selectiveTerms<
  Term extends { readonly term: string; readonly weight: number; readonly times?: number },
>(terms: readonly Term[], frequencies: ReadonlyMap<string, number>, chunks: number, maxRows = Infinity): Term[] {
  const information = ({ term, weight, times }: Term): number =>
    weight * repetition(times) * idf(chunks, frequencies.get(term) ?? 0)
  let rows = 0
  const chosen = terms
    .filter(({ term }) => frequencies.has(term))
    .sort((a, b) => information(b) - information(a))
    .slice(0, SELECTIVE_TERMS)
    .filter(({ term }, at) => {
      const count = frequencies.get(term) ?? 0
      const isKept = at === 0 || rows + count <= maxRows
      if (isKept) rows += count
      return isKept
    })
  return terms.filter((term) => chosen.includes(term))
}
