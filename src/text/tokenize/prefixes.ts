/**
 * Beginnings of words as terms of their own, for what a stemmer leaves apart:
 * `photo` and `photographer`, `engage` and `engaging`. They are marked as pairs
 * are and never taken for a word.
 */
import { BIGRAM_MARK } from './cjk.ts'

/** Letters of a beginning. Shorter ones bring strangers together, longer ones hardly anything. */
const PREFIX_LETTERS = 5

const LETTERS = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u

/** The beginning of a word's term; undefined for one that is short or not of letters alone. */
export function prefixOf(term: string): string | undefined {
  return term.length >= PREFIX_LETTERS && LETTERS.test(term) ? BIGRAM_MARK + term.slice(0, PREFIX_LETTERS) : undefined
}
