/**
 * Single characters of scripts whose words are not set apart, as terms of their
 * own, so that one character is found inside a longer word: `茶` in `抹茶`.
 * They are marked as pairs are and never taken for a word.
 */
import { PAIR_MARK } from './cjk.ts'
import type { AnalysedText } from './words.ts'

const SINGLE = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{Script=Hangul}]$/u

/** Characters that mean something by themselves; kana mostly are endings and particles. */
const TELLING = /^[\p{scx=Han}\p{Script=Hangul}]$/u

/** The character terms of an analysed text, each once. */
export function characterTerms({ words, pairs }: Pick<AnalysedText, 'words' | 'pairs'>): string[] {
  const found = new Set<string>()
  for (const word of words) if (SINGLE.test(word)) found.add(PAIR_MARK + word)
  for (const pair of pairs) for (const character of pair.slice(PAIR_MARK.length)) found.add(PAIR_MARK + character)
  return [...found]
}

/** The character terms of a question's words: those of one character, of kana only when nothing else is asked. */
export function askedCharacters(words: readonly string[]): string[] {
  const wanted = words.length === 1 ? SINGLE : TELLING
  return words.filter((word) => wanted.test(word)).map((word) => PAIR_MARK + word)
}
