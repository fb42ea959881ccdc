/**
 * Candidates for a misspelled word: every word one typing error away. A typing error
 * is a letter too many, too few or wrong, or two swapped (Damerau distance 1). The
 * first letter is assumed to be right.
 */
import { toTerm } from './stem.ts'

/** Letters: shorter words have too many neighbours, longer ones are not words. */
const MISSPELT = /^[a-z]{4,24}$/

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz')

/** True for a folded word that may be misspelled. */
export function maybeMisspelt(word: string): boolean {
  return MISSPELT.test(word)
}

/**
 * The terms of all neighbours of a folded word, each with its neighbours, the
 * likeliest first: swapped letters, then one too many, one too few, a wrong one.
 * About fifty for each letter of the word.
 */
export function neighbourTerms(word: string): Map<string, string[]> {
  const own = toTerm(word)
  const terms = new Map<string, string[]>()
  for (const neighbour of neighbours(word)) {
    const term = toTerm(neighbour)
    if (term === own) continue
    const others = terms.get(term)
    if (others === undefined) terms.set(term, [neighbour])
    else others.push(neighbour)
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
