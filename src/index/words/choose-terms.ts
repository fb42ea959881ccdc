/**
 * Chooses the terms that select the candidates of a question. The index scores every
 * row that a selecting term is in, so common terms of a large index would make the
 * time grow with it: they only score what others select, as in MaxScore. Where
 * nothing else is left, they select by titles and paths, and among the newest rows.
 */
import { selectiveTerms } from '../../ranking/selective-terms.ts'
import type { QuestionTerm } from '../../text/question/question-terms.ts'
import { MAX_SCORED_ROWS } from '../limits.ts'

/** One read of candidates. */
export interface TermChoice {
  readonly terms: readonly QuestionTerm[]
  /** Only rows with a term in their keys, title or path. */
  readonly inTitles?: boolean
  /** Only this share of the rows, those indexed last: 0 to 1. */
  readonly newest?: number
}

/** The part of the bound that the newest rows may use: they only complete what other terms or titles select. */
const NEWEST = 0.4

export interface ChosenTerms {
  readonly reads: readonly TermChoice[]
  /** Rows that contain a term may be omitted, because the terms are in too many. */
  readonly isBounded: boolean
}

/** `limit` is the number of candidates wanted; `mostRows` bounds the rows that one read scores. */
export function chooseTerms(
  terms: readonly QuestionTerm[],
  frequencies: ReadonlyMap<string, number>,
  chunks: number,
  limit: number,
  mostRows = MAX_SCORED_ROWS,
): ChosenTerms {
  const all = selectiveTerms(terms, frequencies, chunks)
  const countsOf = (some: readonly QuestionTerm[]): number[] => some.map(({ term }) => frequencies.get(term) ?? 0)
  const rows = sum(countsOf(all))
  if (rows <= mostRows) return { reads: [{ terms: all }], isBounded: false }
  const few = selectiveTerms(terms, frequencies, chunks, mostRows)
  const counts = countsOf(few)
  const newest = { terms: all, newest: (NEWEST * mostRows) / rows }
  const titles = { terms: all, inTitles: true, newest: mostRows / rows }
  if (sum(counts) > mostRows) return { reads: [titles, newest], isBounded: true }
  const areEnough = Math.max(...counts) >= limit
  return { reads: areEnough ? [{ terms: few }] : [{ terms: few }, newest], isBounded: true }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
