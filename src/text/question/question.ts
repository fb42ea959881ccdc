/**
 * Analyses a question: its terms, quoted phrases and exact references. A question is
 * plain language; its only operator is a pair of double quotes. The result is bounded
 * for any input.
 */
import type { ExactReference } from './exact-reference.ts'
import { readExactReferences } from './find-references.ts'
import { readTerms, type QuestionTerm } from './question-terms.ts'
import { STOP_WORDS } from '../terms/stop-words.ts'
import { analysePath } from '../tokenize/analyse-text.ts'
import { readPhrases, type Phrase } from './phrases.ts'

export interface Question {
  /** Distinct, in the order of the question, at most MAX_QUESTION_TERMS. */
  readonly terms: readonly QuestionTerm[]
  /** How long the question is: its words that are neither stop words nor quoted. */
  readonly words: number
  /** The question as words of a path in order; empty when it is too long to be one. */
  readonly pathWords: readonly string[]
  readonly phrases: readonly Phrase[]
  readonly references: readonly ExactReference[]
  /** The question only names items: SHAs, `owner/repo#12`, addresses. */
  readonly isReferenceOnly: boolean
  /** True when the question is not empty but has nothing searchable: `*`, `++`. */
  readonly symbolsOnly: boolean
}

/** A question of at most this many words may be a path written with spaces. */
const PATH_QUESTION_WORDS = 8

/** Time is linear in the length of the text. */
export function analyseQuestion(text: string): Question {
  const { references, rest, isReferenceOnly } = readExactReferences(text)
  const { terms, words } = readTerms(rest)
  const phrases = readPhrases(rest)
  const pathWords = words.length <= PATH_QUESTION_WORDS ? analysePath(rest).filter((word) => !STOP_WORDS.has(word)) : []
  const informative = words.filter((word) => !STOP_WORDS.has(word)).length
  const quoted = phrases.flat(2).filter((form) => !STOP_WORDS.has(form)).length
  const symbolsOnly = terms.length === 0 && references.length === 0 && text.trim() !== ''
  return {
    terms,
    words: Math.max(0, informative - quoted),
    pathWords,
    phrases,
    references,
    isReferenceOnly,
    symbolsOnly,
  }
}
