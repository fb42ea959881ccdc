/**
 * What a mistyped word may have been: every word one slip of the keys away. A
 * slip is a letter too many, too few or wrong, or two swapped (Damerau's
 * distance 1). The first letter is taken to be right.
 */
import { toTerm } from './stem.ts'

/** Shorter words have too many neighbours, longer ones are no words; letters. */
const MISSPELT = /^[a-z]{4,24}$/

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz')

/** Whether a folded word can be a slip of another. */
export function maybeMisspelt(word: string): boolean {
  return MISSPELT.test(word)
}

/**
 * The terms of all neighbours of a folded word, each with the neighbour that
 * gives it; of several, the likeliest kind of slip: swapped, one too many, one
 * too few, a wrong one. About fifty for each letter of the word.
 */
export function neighbourTerms(word: string): Map<string, string> {
  const own = toTerm(word)
  const terms = new Map<string, string>()
  for (const neighbour of neighbours(word)) {
    const term = toTerm(neighbour)
    if (term !== own && !terms.has(term)) terms.set(term, neighbour)
  }
  return terms
}

function* neighbours(word: string): Generator<string> {
  for (let at = 1; at + 1 < word.length; at += 1) {
    if (word[at] !== word[at + 1]) yield word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2)
  }
  for (let at = 1; at < word.length; at += 1) yield word.slice(0, at) + word.slice(at + 1)
  for (let at = 1; at <= word.length; at += 1) {
    for (const letter of LETTERS) yield word.slice(0, at) + letter + word.slice(at)
  }
  for (let at = 1; at < word.length; at += 1) {
    for (const letter of LETTERS) if (letter !== word[at]) yield word.slice(0, at) + letter + word.slice(at + 1)
  }
}
