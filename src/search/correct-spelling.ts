/**
 * Spelling: a word that the index does not know is searched with its most
 * frequent known neighbour too. A word that is known is never touched, and a
 * neighbour counts only if some row that may be shown holds it. Which one it is
 * the index decides, in the statement that searches with it.
 */
import type { KnownTerm } from '../index/words/known-terms.ts'
import type { QuestionTerm } from '../text/question/question-terms.ts'
import type { Question } from '../text/question/question.ts'
import { maybeMisspelt, neighbourTerms } from '../text/terms/spelling.ts'

/** Unknown words of one question that are looked at; each costs some hundred lookups in the vocabulary. */
const MAX_CORRECTED = 3

/** An unknown word, and the terms that it may have been, each with the word that gives it. */
export interface Slip {
  readonly word: string
  readonly neighbours: ReadonlyMap<string, string>
}

export interface Corrected {
  /** With the known words beside the unknown ones. */
  readonly question: Question
  readonly frequencies: ReadonlyMap<string, number>
  /** Word as asked -> the word searched too; empty where nothing was. */
  readonly corrected: Readonly<Record<string, string>>
}

/** The terms of words that would be looked at if the index did not know them. */
export function correctable({ terms }: Question): string[] {
  return terms.flatMap(({ term, word }) => (word !== undefined && maybeMisspelt(word) ? [term] : []))
}

/** The unknown words of a question, the first few of them. */
export function slipsOf({ terms }: Question, frequencies: ReadonlyMap<string, number>): Slip[] {
  const unknown = terms.flatMap(({ term, word }) =>
    word !== undefined && maybeMisspelt(word) && !frequencies.has(term) ? [word] : [],
  )
  return unknown.slice(0, MAX_CORRECTED).map((word) => ({ word, neighbours: neighbourTerms(word) }))
}

/** The question with the neighbours that were chosen, one for each slip or none. */
export function withCorrections(
  question: Question,
  frequencies: ReadonlyMap<string, number>,
  slips: readonly Slip[],
  chosen: readonly (KnownTerm | undefined)[],
): Corrected {
  const terms: QuestionTerm[] = [...question.terms]
  const all = new Map(frequencies)
  const corrected: Record<string, string> = {}
  for (const [at, { word, neighbours }] of slips.entries()) {
    const best = chosen[at]
    const neighbour = best && neighbours.get(best.term)
    if (best === undefined || neighbour === undefined) continue
    corrected[word] = neighbour
    if (!all.has(best.term)) terms.push({ term: best.term, weight: 1, word: neighbour })
    all.set(best.term, best.frequency)
  }
  return { question: { ...question, terms }, frequencies: all, corrected }
}
