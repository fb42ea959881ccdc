/**
 * Spelling: a word that the index does not know is searched with its most
 * frequent known neighbour too. A word that is known is never touched, and a
 * neighbour counts only if some row that may be shown holds it.
 */
import { ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import type { Index } from '../index/database.ts'
import { mostFrequentOf } from '../index/spellings.ts'
import { readTogether } from '../index/sql.ts'
import type { Scope } from '../index/visibility.ts'
import type { Question, QuestionTerm } from '../text/question.ts'
import { maybeMisspelt, neighbourTerms } from '../text/spelling.ts'

/** Unknown words of one question that are looked at; each costs some hundred lookups in the vocabulary. */
const MAX_CORRECTED = 3

export interface Corrected {
  /** With the known words beside the unknown ones. */
  readonly question: Question
  readonly frequencies: ReadonlyMap<string, number>
  /** Word as asked -> the word searched too; empty where nothing was. */
  readonly corrected: Readonly<Record<string, string>>
}

/** One round trip when a word is unknown, else none. */
export async function correctSpelling(
  index: Index,
  scope: Scope,
  question: Question,
  frequencies: ReadonlyMap<string, number>,
): Promise<Result<Corrected>> {
  const unknown = question.terms.flatMap(({ term, word }) =>
    word !== undefined && !frequencies.has(term) && maybeMisspelt(word) ? [word] : [],
  )
  const asked = unknown.slice(0, MAX_CORRECTED).map((word) => ({ word, neighbours: neighbourTerms(word) }))
  if (asked.length === 0) return ok({ question, frequencies, corrected: {} })
  const read = await readTogether(index, {
    best: asked.map(({ neighbours }) => mostFrequentOf(scope, [...neighbours.keys()])),
  })
  if (!read.ok) return read

  const terms: QuestionTerm[] = [...question.terms]
  const all = new Map(frequencies)
  const corrected: Record<string, string> = {}
  for (const [at, { word, neighbours }] of asked.entries()) {
    const best = read.value.best[at]
    const neighbour = best && neighbours.get(best.term)
    if (best === undefined || neighbour === undefined) continue
    corrected[word] = neighbour
    if (!all.has(best.term)) terms.push({ term: best.term, weight: 1, word: neighbour })
    all.set(best.term, best.frequency)
  }
  return ok({ question: { ...question, terms }, frequencies: all, corrected })
}
