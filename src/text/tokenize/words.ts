/**
 * Text as terms, the same for documents and questions. A term is a folded,
 * stemmed string over letters, digits, emoji and full-width marks; FTS5's ascii
 * tokenizer keeps every one whole, and nothing in real text looks like a mark
 * once it is normalised.
 */
import { normalise } from './normalise.ts'
import { tokenize } from './tokenizer.ts'
import { toTerm } from '../terms/stem.ts'

/** A run of text as terms. */
export interface AnalysedText {
  /** One term a word, in reading order. Phrases match on these. */
  readonly words: readonly string[]
  /** Whole identifiers, parts of camelCase, beginnings of versions: found, but outside the reading order. */
  readonly compounds: readonly string[]
  /** Neighbouring characters of unspaced scripts and Hangul, in reading order. */
  readonly bigrams: readonly string[]
}

/** Every term of a text. Repetitions are kept: they count. `term` makes the term of a folded word. */
export function analyseText(text: string, term = toTerm): AnalysedText {
  const words: string[] = []
  const compounds: string[] = []
  const pairs: string[] = []
  tokenize(normalise(text), {
    word: (folded) => words.push(term(folded)),
    compound: (folded) => compounds.push(term(folded)),
    relative: (folded) => compounds.push(term(folded)),
    bigram: (folded) => pairs.push(folded),
  })
  return { words, compounds, bigrams: pairs }
}

/** The words of a path or of a short name in order, camelCase taken apart: what the path bonus compares. */
export function analysePath(path: string): readonly string[] {
  const apart = normalise(path).replace(/(?<=\p{Ll}|\d)(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/gu, '-')
  return analyseText(apart).words
}
