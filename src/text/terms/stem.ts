/**
 * The last step from a folded word to a term: English words are stemmed, words
 * too long to be typed are shortened to their beginning and a hash. Documents
 * and questions both go through here, so they meet.
 */
import { stemmer } from 'stemmer'
import { hash32 } from '../../base/hash.ts'

/** UTF-16 units of a word that are kept as they are. */
export const MAX_TERM_CHARS = 64

const ENGLISH = /^[a-z]{3,32}$/

/** Words recur; a Worker keeps this many of their stems before it starts afresh. */
const REMEMBERED = 30_000

const remembered = new Map<string, string>()

/** The term of one folded word. */
export function toTerm(word: string): string {
  if (word.length > MAX_TERM_CHARS) return shorten(word)
  const known = remembered.get(word)
  if (known !== undefined) return known
  if (!ENGLISH.test(word)) return word
  if (remembered.size >= REMEMBERED) remembered.clear()
  const term = stemmer(word)
  remembered.set(word, term)
  return term
}

function shorten(word: string): string {
  const head = word.slice(0, MAX_TERM_CHARS - 16).toWellFormed()
  return `${head}＋${hash32(word).toString(36)}＋${word.length.toString(36)}`
}
