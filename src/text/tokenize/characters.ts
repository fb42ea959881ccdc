/**
 * Single characters of scripts whose words are not set apart, as terms of their
 * own, so that one character is found inside a longer word: `茶` in `抹茶`.
 * They are marked as bigrams are and never taken for a word.
 */
import { BIGRAM_MARK } from './cjk.ts'
import type { AnalysedText } from './words.ts'

const SINGLE = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{Script=Hangul}]$/u

/** Characters that mean something by themselves; kana mostly are endings and particles. */
const TELLING = /^[\p{scx=Han}\p{Script=Hangul}]$/u

/** The character terms of an analysed text, each once. */
export function characterTerms({ words, bigrams }: Pick<AnalysedText, 'words' | 'bigrams'>): string[] {
  const found = new Set<string>()
  for (const word of words) if (SINGLE.test(word)) found.add(BIGRAM_MARK + word)
  for (const pair of bigrams) for (const character of pair.slice(BIGRAM_MARK.length)) found.add(BIGRAM_MARK + character)
  return [...found]
}

/** The character terms of a question's words: those of one character, of kana only when nothing else is asked. */
export function questionCharacters(words: readonly string[]): string[] {
  const wanted = words.length === 1 ? SINGLE : TELLING
  return words.filter((word) => wanted.test(word)).map((word) => BIGRAM_MARK + word)
}
