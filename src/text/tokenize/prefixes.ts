/**
 * Beginnings of words as terms of their own, for what a stemmer leaves apart:
 * `photo` and `photographer`, `engage` and `engaging`. They are marked as pairs
 * are and never taken for a word.
 */
import { PAIR_MARK } from './cjk.ts'

/** Letters of a beginning. Shorter ones bring strangers together, longer ones hardly anything. */
const BEGINNING_LETTERS = 5

const LETTERS = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u

/** The beginning of a word's term; undefined for one that is short or not of letters alone. */
export function beginningOf(term: string): string | undefined {
  return term.length >= BEGINNING_LETTERS && LETTERS.test(term)
    ? PAIR_MARK + term.slice(0, BEGINNING_LETTERS)
    : undefined
}
