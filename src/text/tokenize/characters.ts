/**
 * Single characters of scripts without spaces as separate terms, so that one
 * character is found inside a longer word: `茶` in `抹茶`. They begin with
 * BIGRAM_MARK, so no character term equals a word.
 */
import { BIGRAM_MARK } from './cjk.ts'
import type { AnalysedText } from './analyse-text.ts'

const SINGLE = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{Script=Hangul}]$/u

/** Characters with content of their own; kana are mostly endings and particles. */
const CONTENT_CHARACTER = /^[\p{scx=Han}\p{Script=Hangul}]$/u

/** The character terms of an analysed text, without duplicates. */
export function characterTerms({ words, bigrams }: Pick<AnalysedText, 'words' | 'bigrams'>): string[] {
  const found = new Set<string>()
  for (const word of words) if (SINGLE.test(word)) found.add(BIGRAM_MARK + word)
  for (const bigram of bigrams)
    for (const character of bigram.slice(BIGRAM_MARK.length)) found.add(BIGRAM_MARK + character)
  return [...found]
}

/** The character terms of the one-character words of a question; kana only when the question is one word. */
export function questionCharacters(words: readonly string[]): string[] {
  const wanted = words.length === 1 ? SINGLE : CONTENT_CHARACTER
  return words.filter((word) => wanted.test(word)).map((word) => BIGRAM_MARK + word)
}
