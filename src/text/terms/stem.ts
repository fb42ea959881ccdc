/**
 * From a folded word to a term: English words are stemmed, words above
 * MAX_TERM_CHARS become a head and a hash. Documents and questions both use it, so
 * that they match. A form is the word as written, which phrases match.
 */
import { stemmer } from 'stemmer'
import { hash32 } from '../../base/hash.ts'
import { MAX_TERM_CHARS } from '../limits.ts'
import { toStemmed } from './plurals.ts'
import { distinctTerm } from './short-stems.ts'

const ENGLISH = /^[a-z]{3,32}$/

/** Stems cached in an isolate, because words recur; a full cache is cleared. */
const CACHED_STEMS = 30_000

const cache = new Map<string, string>()

/** The form of one folded word as it is written: the word itself unless it is too long. */
export function toForm(word: string): string {
  return word.length > MAX_TERM_CHARS ? shorten(word) : word
}

/** The term of one folded word. */
export function toTerm(word: string): string {
  if (word.length > MAX_TERM_CHARS) return shorten(word)
  const cached = cache.get(word)
  if (cached !== undefined) return cached
  if (!ENGLISH.test(word)) return word
  if (cache.size >= CACHED_STEMS) cache.clear()
  const term = distinctTerm(word, stemmer(toStemmed(word)))
  cache.set(word, term)
  return term
}

function shorten(word: string): string {
  const head = word.slice(0, MAX_TERM_CHARS - 16).toWellFormed()
  return `${head}＋${hash32(word).toString(36)}＋${word.length.toString(36)}`
}
