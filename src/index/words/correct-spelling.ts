/**
 * Spelling correction: a word that no row in scope contains is searched together
 * with its most frequent neighbour that such a row contains. A word that is in
 * scope is never changed, and rows out of scope count for nothing: a word that
 * only they contain is unknown. The statement that reads the candidates chooses
 * the neighbour itself, so a correction needs no round trip of its own.
 */
import { matchScope } from '../filters/visibility.ts'
import type { Scope } from '../filters/visibility.ts'
import { constant, itemsOf, knownValue, sql } from '../sql/sql.ts'
import type { Query, Sql } from '../sql/sql.ts'
import type { QuestionTerm } from '../../text/question/question-terms.ts'
import type { Question } from '../../text/question/question.ts'
import { maybeMisspelt, neighbourTerms } from '../../text/terms/spelling-neighbours.ts'
import { MAX_CORRECTED_WORDS, MAX_NEIGHBOUR_FORMS } from '../limits.ts'

/** An unknown word, and the terms that may have been meant, each with the words that it comes from. */
interface UnknownWord {
  readonly word: string
  readonly neighbours: ReadonlyMap<string, readonly string[]>
}

export interface CorrectedQuestion {
  /** With the known words beside the unknown ones. */
  readonly question: Question
  readonly frequencies: ReadonlyMap<string, number>
  /** Word as typed -> the word that was searched too; empty without a correction. */
  readonly corrected: Readonly<Record<string, string>>
}

interface KnownTerm {
  readonly term: string
  /** Chunks that contain it, in and out of scope. */
  readonly frequency: number
}

/** The terms that need a correction if the index does not know them. */
export function correctableTerms({ terms }: Question): string[] {
  return terms.flatMap(({ term, word }) => (word !== undefined && maybeMisspelt(word) ? [term] : []))
}

/** Those of the terms that a row in scope contains. */
export function termsInScope(scope: Scope, terms: readonly string[]): Query<ReadonlySet<string>> {
  if (terms.length === 0) return knownValue(new Set<string>())
  return {
    statement: sql`${scopeTable(scope)} SELECT e.value AS term FROM ${itemsOf(terms)} e WHERE ${isInScope(constant('e.value'))}`,
    toValue: (rows) => new Set(rows.map((row) => row['term'] as string)),
  }
}

/** `limit` if rows in scope contain every one of the terms, else 0. */
export function limitIfAllInScope(scope: Scope, terms: readonly string[], limit: number): Sql {
  if (terms.length === 0) return sql`${limit}`
  return sql`(${scopeTable(scope)} SELECT CASE WHEN count(*) = ${terms.length} THEN ${limit} ELSE 0 END
    FROM ${itemsOf(terms)} e WHERE ${isInScope(constant('e.value'))})`
}

/** The first unknown words of a question, in its order; `known` are its terms in scope. */
export function unknownWords({ terms }: Question, known: ReadonlySet<string>): UnknownWord[] {
  const unknown = terms.flatMap(({ term, word }) =>
    word !== undefined && maybeMisspelt(word) && !known.has(term) ? [word] : [],
  )
  return unknown.slice(0, MAX_CORRECTED_WORDS).map((word) => ({ word, neighbours: neighbourTerms(word) }))
}

/** The most frequent of the neighbours that a row in scope contains. */
export function correctionOf(scope: Scope, { neighbours }: UnknownWord): Query<KnownTerm | undefined> {
  return {
    statement: knownOf(scope, [...neighbours.keys()], 1),
    toValue: ([row]) => row as KnownTerm | undefined,
  }
}

/** The neighbours that a row in scope contains as they are, the most frequent first. */
export function neighboursInScope(scope: Scope, { neighbours }: UnknownWord): Query<readonly string[]> {
  return {
    statement: knownOf(scope, [...neighbours.values()].flat(), MAX_NEIGHBOUR_FORMS),
    toValue: (rows) => rows.map((row) => row['term'] as string),
  }
}

/** The term that `correctionOf` returns as one more arm of a MATCH expression, with the OR before it; empty without one. */
export function correctionArm(scope: Scope, { neighbours }: UnknownWord): Sql {
  const chosen = knownOf(scope, [...neighbours.keys()], 1)
  return sql`coalesce((SELECT ' OR {k t p b x} : "' || term || '"' FROM (${chosen})), '')`
}

/** The question with the chosen neighbours, at most one for each unknown word, in a form that is in scope if one is. */
export function withCorrections(
  question: Question,
  frequencies: ReadonlyMap<string, number>,
  unknown: readonly UnknownWord[],
  chosen: readonly (KnownTerm | undefined)[],
  forms: readonly (readonly string[])[],
): CorrectedQuestion {
  const terms: QuestionTerm[] = [...question.terms]
  const all = new Map(frequencies)
  const corrected: Record<string, string> = {}
  for (const [at, { word, neighbours }] of unknown.entries()) {
    const best = chosen[at]
    if (best === undefined) continue
    const words = neighbours.get(best.term) ?? []
    const neighbour = forms[at]?.find((form) => words.includes(form)) ?? words[0] ?? best.term
    corrected[word] = neighbour
    if (!all.has(best.term)) terms.push({ term: best.term, weight: 1, word: neighbour })
    all.set(best.term, best.frequency)
  }
  return { question: { ...question, terms }, frequencies: all, corrected }
}

/** The most frequent of the words that a row in scope contains. */
function knownOf(scope: Scope, words: readonly string[], limit: number): Sql {
  return sql`
    ${scopeTable(scope)}
    SELECT v.term, v.doc AS frequency
    FROM ${itemsOf(words)} e CROSS JOIN word_frequencies v ON v.term = e.value
    WHERE ${isInScope(constant('v.term'))}
    ORDER BY v.doc DESC, v.term LIMIT ${limit}`
}

/** The scope as a table, which `isInScope` reads. */
function scopeTable(scope: Scope): Sql {
  return sql`WITH scope(tail) AS MATERIALIZED (SELECT ${matchScope(scope)})`
}

/** True where a row in scope contains the term, which is an expression of SQL. */
function isInScope(term: Sql): Sql {
  return sql`EXISTS (
    SELECT 1 FROM words WHERE words MATCH '({k t p b x} : "' || ${term} || '")' || (SELECT tail FROM scope) LIMIT 1)`
}
