/**
 * Quoted phrases of a question: pairs of double quotes at the borders of words,
 * straight or curly. A quote without its partner is an ordinary character.
 */
import { normalise } from '../tokenize/normalise.ts'
import { tokenize } from '../tokenize/tokenizer.ts'
import { toTerm } from '../terms/stem.ts'

/**
 * Runs of terms; a document has the phrase when it has each run in order and
 * unbroken. Where a script does not set words apart a run is one of pairs,
 * which do not depend on how the surroundings were cut.
 */
export type Phrase = readonly (readonly string[])[]

export const MAX_PHRASES = 4

/** Terms of a phrase that are looked for; a longer one is found by its beginning. */
const MAX_PHRASE_TERMS = 48

const QUOTED = /(?<![\p{L}\p{N}])(?:"([^"]{1,1000})"|“([^“”]{1,1000})”)(?![\p{L}\p{N}])/gu

/** The first few phrases, in order. Quotes around nothing searchable are none. */
export function readPhrases(text: string): Phrase[] {
  const phrases: Phrase[] = []
  for (const [, straight, curly] of text.matchAll(QUOTED)) {
    const phrase = toPhrase(straight ?? curly ?? '')
    if (phrase.length > 0) phrases.push(phrase)
    if (phrases.length === MAX_PHRASES) break
  }
  return phrases
}

function toPhrase(text: string): Phrase {
  const words: { term: string; start: number; end: number }[] = []
  const pairs: { term: string; start: number; end: number }[] = []
  tokenize(normalise(text), {
    word: (folded, start, end) => words.push({ term: toTerm(folded), start, end }),
    compound: () => {},
    relative: () => {},
    bigram: (folded, start, end) => pairs.push({ term: folded, start, end }),
  })
  const runs: string[][] = []
  let [run, place, ofPairs]: [string[], number, boolean] = [[], 0, false]
  const isPaired = (word: { start: number; end: number }): boolean =>
    pairs.some((pair) => pair.start < word.end && word.start < pair.end)
  const pieces = [
    ...words.filter((word) => !isPaired(word)).map((word) => ({ ...word, paired: false })),
    ...pairs.map((pair) => ({ ...pair, paired: true })),
  ]
    .sort((a, b) => a.start - b.start)
    .slice(0, MAX_PHRASE_TERMS)
  for (const piece of pieces) {
    const goesOn = run.length > 0 && piece.paired === ofPairs && (!piece.paired || piece.start < place)
    if (!goesOn) runs.push((run = []))
    run.push(piece.term)
    ;[place, ofPairs] = [piece.end, piece.paired]
  }
  return runs
}
