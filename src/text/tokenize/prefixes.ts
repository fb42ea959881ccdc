/**
 * Prefixes of words as separate terms, for words that stemming does not unify:
 * `photo` and `photographer`, `engage` and `engaging`. They begin with BIGRAM_MARK,
 * so no prefix equals a word.
 */
import { BIGRAM_MARK } from './cjk.ts'

/** Letters of a prefix: fewer match unrelated words, more match hardly any. */
const PREFIX_LETTERS = 5

const LETTERS = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u

/** The prefix term of a term; undefined for a short one or one with other characters than letters. */
export function prefixOf(term: string): string | undefined {
  return term.length >= PREFIX_LETTERS && LETTERS.test(term) ? BIGRAM_MARK + term.slice(0, PREFIX_LETTERS) : undefined
}
