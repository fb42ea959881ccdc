/**
 * Reads how many chunks contain a term. The vocabulary of the word index counts them
 * by a walk over all rows of the term, so the counts of terms in very many chunks are
 * kept in `common_terms`, which maintenance runs renew. They may be a fifth of the
 * index behind; where they are older, or there are none, the vocabulary is asked.
 */
import { MAX_SCORED_ROWS } from '../limits.ts'
import { constant, itemsOf, sql } from '../sql/sql.ts'
import type { Query, Sql } from '../sql/sql.ts'

/** Chunks in the index and the sum of their lengths. */
export function corpusSize(): Query<{ readonly chunks: number; readonly length: number }> {
  return {
    statement: sql`SELECT chunks, length FROM corpus`,
    toValue: ([row]) => ({ chunks: Number(row?.['chunks'] ?? 0), length: Number(row?.['length'] ?? 0) }),
  }
}

/** True where `common_terms` was filled when the index had nearly as many chunks as it has. */
const IS_RECENT = '(SELECT abs(chunks - counted_chunks) * 5 <= counted_chunks FROM corpus)'

/** The number of chunks that contain the term `e.value`, visible or not; NULL if none does. */
const CHUNKS_WITH_TERM = constant(`coalesce(
  (SELECT chunks FROM common_terms WHERE term = e.value AND ${IS_RECENT}),
  (SELECT doc FROM word_frequencies WHERE term = e.value))`)

/** The number of chunks that contain each term, visible or not; a term that no chunk contains is absent. */
export function frequenciesOf(terms: readonly string[]): Query<ReadonlyMap<string, number>> {
  return {
    statement: sql`SELECT e.value AS term, ${CHUNKS_WITH_TERM} AS chunks FROM ${itemsOf(terms)} e`,
    toValue: (rows) =>
      new Map(rows.flatMap(({ term, chunks }) => (chunks === null ? [] : [[term as string, chunks as number]]))),
  }
}

/**
 * `limit` unless the terms are in more than MAX_SCORED_ROWS rows, one counted for each
 * of its terms, else 0. In a small index, where they cannot be, no term is looked up.
 */
export function limitIfFewRows(terms: readonly string[], limit: Sql): Sql {
  return sql`(SELECT CASE
    WHEN chunks * ${terms.length} > ${MAX_SCORED_ROWS}
      AND (SELECT sum(${CHUNKS_WITH_TERM}) FROM ${itemsOf(terms)} e) > ${MAX_SCORED_ROWS} THEN 0
    ELSE ${limit} END FROM corpus)`
}
