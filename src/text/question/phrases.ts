/**
 * Quoted phrases of a question: pairs of double quotes at word borders, straight or
 * curly. Beside a script without spaces every place is a border. A quote without a
 * partner is an ordinary character.
 */
import { normalise } from '../tokenize/normalise.ts'
import { tokenize } from '../tokenize/tokenizer.ts'
import { toForm } from '../terms/stem.ts'
import { MAX_PHRASES, MAX_PHRASE_TERMS } from '../limits.ts'

/**
 * Runs of words as written, not stemmed; a document matches when it contains each run contiguously. In
 * scripts without spaces a run consists of bigrams, which do not depend on how
 * the segmenter cut the surrounding text.
 */
export type Phrase = readonly (readonly string[])[]

const SPACED = '[[\\p{L}\\p{N}]--[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}]]'
const QUOTED = new RegExp(`(?<!${SPACED})(?:"([^"]{1,1000})"|“([^“”]{1,1000})”)(?!${SPACED})`, 'gv')

/** The first MAX_PHRASES phrases, in order. Quotes without a searchable character are skipped. */
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
  const bigrams: { term: string; start: number; end: number }[] = []
  tokenize(normalise(text), {
    word: (folded, start, end) => words.push({ term: toForm(folded), start, end }),
    compound: () => {},
    relative: () => {},
    bigram: (folded, start, end) => bigrams.push({ term: folded, start, end }),
  })
  const runs: string[][] = []
  let [run, place, ofBigrams]: [string[], number, boolean] = [[], 0, false]
  const isInBigram = (word: { start: number; end: number }): boolean =>
    bigrams.some((bigram) => bigram.start < word.end && word.start < bigram.end)
  const tokens = [
    ...words.filter((word) => !isInBigram(word)).map((word) => ({ ...word, isBigram: false })),
    ...bigrams.map((bigram) => ({ ...bigram, isBigram: true })),
  ]
    .sort((a, b) => a.start - b.start)
    .slice(0, MAX_PHRASE_TERMS)
  for (const token of tokens) {
    const continues = run.length > 0 && token.isBigram === ofBigrams && (!token.isBigram || token.start < place)
    if (!continues) runs.push((run = []))
    run.push(token.term)
    ;[place, ofBigrams] = [token.end, token.isBigram]
  }
  return runs
}
