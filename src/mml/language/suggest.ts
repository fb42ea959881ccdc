/**
 * Hints for faulty texts: the most likely correction. A fault without a near guess
 * gets no hint.
 */
import { editDistance } from '../../base/edit-distance.ts'
import { lexiconOf } from './lexicon.ts'
import type { Lexicon } from './lexicon.ts'

/** For a character that the dialect does not use; empty without a guess. */
export function hintForUnknown(text: string, lexicon: Lexicon): string {
  if (text.startsWith('/*')) return 'This comment has no end; write */ after it.'
  if (text.startsWith('"')) return 'Close the quotation mark on the same line.'
  const char = String.fromCodePoint(text.codePointAt(0) ?? 0)
  const plain = char.normalize('NFKC')
  if (plain !== char && /^[\x21-\x7e]$/.test(plain)) return `Write the ASCII character ${plain}.`
  if (/\p{Nd}/u.test(char)) return 'Write numbers with the digits 0 to 9.'
  if (/[\p{Cc}\p{Cf}\p{Z}]/u.test(char)) return 'Remove this invisible character.'
  return hintForLetter(char, lexicon)
}

function hintForLetter(char: string, lexicon: Lexicon): string {
  const other = char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()
  if (lexicon.mode === 'pyxel' && (char === '~' || char.toUpperCase() === 'X')) {
    return 'This is the older syntax: write ties as & and volume as V0..V127.'
  }
  if (char === ';' || char === '/') return 'This dialect has no comments; leave them out.'
  if (lexicon.profile === 'house' && hasLetter(lexiconOf(lexicon.mode, 'native'), char)) {
    return `${char} belongs to the native dialect; pass profile "native" to read it.`
  }
  if (lexicon.tracks === 'lines' && /^[A-E]$/.test(char)) return 'Write a blank after the letters of the tracks.'
  if (other !== char && hasLetter(lexicon, other)) return `Did you mean ${other}?`
  return ''
}

function hasLetter(lexicon: Lexicon, char: string): boolean {
  const letter = lexicon.foldsCase ? char.toUpperCase() : char
  return lexicon.notes.has(letter) || lexicon.rest === letter || lexicon.spellings.has(letter)
}

/** The candidate with the fewest edits from `word`, if at most a third of its letters. */
export function nearestWord(word: string, candidates: readonly string[]): string | null {
  const wanted = word.slice(0, 40).toUpperCase()
  let best: string | null = null
  let bestDistance = Math.ceil(wanted.length / 3) + 1
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toUpperCase(), { max: bestDistance - 1, transpositions: false })
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

/** For a slot that is not defined: names the nearest defined slots, or how to define one. */
export function hintForSlot(slot: number, defined: readonly number[], definition: string): string {
  const sorted = defined.toSorted((a, b) => Math.abs(a - slot) - Math.abs(b - slot))
  const near = sorted[0]
  return near === undefined
    ? `Define it first: ${definition}.`
    : `Did you mean ${near}? Defined: ${sorted.slice(0, 8).join(', ')}.`
}
