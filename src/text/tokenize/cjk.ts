/**
 * Scripts without spaces between words. Words come from the platform's segmenter,
 * built on first use (about 20 ms). It may cut the same word differently in other
 * surroundings, so every two neighbouring characters are a term too (a bigram).
 */

/** The first character of every bigram term. Normalised text has no full-width tilde, so no word equals a bigram. */
export const BIGRAM_MARK = '～'

let segmenter: Intl.Segmenter | undefined

/** Visits the words of a run of one script, each with its offset in the run. */
export function visitSegments(run: string, visit: (word: string, at: number) => void): void {
  if (run.length === 1) return visit(run, 0)
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' })
  for (const { segment, index } of segmenter.segment(run)) visit(segment, index)
}

/** Visits every two neighbouring characters of a folded run as a bigram term, with their place in it. */
export function visitBigrams(run: string, visit: (bigram: string, from: number, to: number) => void): void {
  let previous = ''
  let from = 0
  for (const character of run) {
    const at = from + previous.length
    if (previous !== '') visit(BIGRAM_MARK + previous + character, from, at + character.length)
    previous = character
    from = at
  }
}

/** Removes the final long mark of a katakana word of at least four characters: サーバー and サーバ are one word. */
export function normaliseKana(word: string): string {
  return word.length >= 4 && /^[\u30A0-\u30FF]+ー$/.test(word) ? word.slice(0, -1) : word
}
