/**
 * Text as terms, the same for documents and questions. A term is a folded, stemmed
 * string of letters, digits, emoji and full-width marks. The ascii tokenizer of
 * FTS5 keeps each term whole, and normalised text cannot imitate a mark.
 */
import { normalise } from './normalise.ts'
import { tokenize } from './tokenizer.ts'
import { toForm, toTerm } from '../terms/stem.ts'

export interface AnalysedText {
  /** One term for each word, in reading order. */
  readonly words: readonly string[]
  /** The form of each word, not stemmed. Phrases match these. */
  readonly wordForms: readonly string[]
  /** Whole identifiers, parts of camelCase, prefixes of versions: searchable, but not part of a phrase. */
  readonly compounds: readonly string[]
  /** The form of each compound. */
  readonly compoundForms: readonly string[]
  /** Neighbouring characters of scripts without spaces and of Hangul, in reading order. */
  readonly bigrams: readonly string[]
}

/** All terms of a text, repetitions included. `toTermOf` makes the term of a folded word. */
export function analyseText(text: string, toTermOf = toTerm): AnalysedText {
  const [words, wordForms]: [string[], string[]] = [[], []]
  const [compounds, compoundForms]: [string[], string[]] = [[], []]
  const bigrams: string[] = []
  const addCompound = (folded: string): void => {
    compounds.push(toTermOf(folded))
    compoundForms.push(toForm(folded))
  }
  tokenize(normalise(text), {
    word: (folded) => {
      words.push(toTermOf(folded))
      wordForms.push(toForm(folded))
    },
    compound: addCompound,
    relative: addCompound,
    bigram: (folded) => bigrams.push(folded),
  })
  return { words, wordForms, compounds, compoundForms, bigrams }
}

/** The words of a path or a short name in order, camelCase split: for the path factor of the ranking. */
export function analysePath(path: string): readonly string[] {
  const apart = normalise(path).replace(/(?<=\p{Ll}|\d)(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/gu, '-')
  return analyseText(apart).words
}
