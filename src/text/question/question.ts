/**
 * A question as it is searched: its terms, its quoted phrases, its exact lanes.
 * A question is plain language; nothing in it is an operator but a pair of
 * double quotes. Its size is bounded whatever is asked.
 */
import type { ExactReference } from './exact-reference.ts'
import { readExactReferences } from './exact-references.ts'
import { readTerms, type QuestionTerm } from './question-terms.ts'
import { STOP_WORDS } from '../terms/stop-words.ts'
import { analysePath } from '../tokenize/words.ts'
import { readPhrases, type Phrase } from './phrases.ts'

export interface Question {
  /** Distinct, in the order of the question, at most MAX_QUESTION_TERMS. */
  readonly terms: readonly QuestionTerm[]
  /** The question as the words of a path in order; empty when it is too long to be one. */
  readonly pathWords: readonly string[]
  readonly phrases: readonly Phrase[]
  readonly references: readonly ExactReference[]
  /** There was something, and nothing of it can be searched: `*`, `++`. */
  readonly symbolsOnly: boolean
}

/** A question of at most this many words may be a path written apart. */
const MAX_PATH_WORDS = 8

/** Reads a question of any length; time is linear in it. */
export function analyseQuestion(text: string): Question {
  const { lanes, rest } = readExactReferences(text)
  const { terms, words } = readTerms(rest)
  const phrases = readPhrases(rest)
  const pathWords = words.length <= MAX_PATH_WORDS ? analysePath(rest).filter((word) => !STOP_WORDS.has(word)) : []
  const symbolsOnly = terms.length === 0 && lanes.length === 0 && text.trim() !== ''
  return { terms, pathWords, phrases, references: lanes, symbolsOnly }
}
