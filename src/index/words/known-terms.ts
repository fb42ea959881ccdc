/**
 * Which of many terms the index knows, of those that stand in rows in scope: a
 * word that only hidden rows hold is as good as unknown.
 */
import { itemsOf, sql } from '../sql/sql.ts'
import type { Query, Sql } from '../sql/sql.ts'
import { matchScope } from '../filters/visibility.ts'
import type { Scope } from '../filters/visibility.ts'

export interface KnownTerm {
  readonly term: string
  /** Chunks that hold it, whoever may see them. */
  readonly frequency: number
}

/** Of these terms the one that most chunks hold, among those that some row in scope holds. */
export function mostFrequentOf(scope: Scope, terms: readonly string[]): Query<KnownTerm | undefined> {
  return { statement: mostFrequent(scope, terms), toValue: ([row]) => row as KnownTerm | undefined }
}

/** The same term as one more arm of a MATCH expression, with the OR before it; empty where there is none. */
export function orMostFrequentOf(scope: Scope, terms: readonly string[]): Sql {
  return sql`coalesce((SELECT ' OR {k t p b x} : "' || term || '"' FROM (${mostFrequent(scope, terms)})), '')`
}

function mostFrequent(scope: Scope, terms: readonly string[]): Sql {
  return sql`
    WITH scope(tail) AS MATERIALIZED (SELECT ${matchScope(scope)})
    SELECT v.term, v.doc AS frequency
    FROM ${itemsOf(terms)} e CROSS JOIN word_frequencies v ON v.term = e.value
    WHERE EXISTS (
      SELECT 1 FROM words WHERE words MATCH '({k t p b x} : "' || v.term || '")' || (SELECT tail FROM scope) LIMIT 1)
    ORDER BY v.doc DESC, v.term LIMIT 1`
}
