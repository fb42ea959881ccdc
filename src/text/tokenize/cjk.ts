/**
 * Scripts that do not set words apart. Words come from the platform's
 * segmenter, built on first need (about 20 ms); since it may cut the same word
 * differently in different surroundings, every two neighbouring characters are
 * a term too, in a namespace of their own.
 */

/** Begins every pair term. Normalised text has no full-width tilde, so a pair is never taken for a word. */
export const BIGRAM_MARK = '～'

let segmenter: Intl.Segmenter | undefined

/** Tells the words of a run of one unspaced script, each with its offset in the run. */
export function segmentRun(run: string, tell: (word: string, at: number) => void): void {
  if (run.length === 1) return tell(run, 0)
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' })
  for (const { segment, index } of segmenter.segment(run)) tell(segment, index)
}

/** Tells every two neighbouring characters of a folded run, marked, with their place in it. */
export function pairsOf(run: string, tell: (pair: string, from: number, to: number) => void): void {
  let previous = ''
  let from = 0
  for (const character of run) {
    const at = from + previous.length
    if (previous !== '') tell(BIGRAM_MARK + previous + character, from, at + character.length)
    previous = character
    from = at
  }
}

/** A katakana word of four characters or more without its closing long mark: サーバー and サーバ are one. */
export function wordOfKana(word: string): string {
  return word.length >= 4 && /^[\u30A0-\u30FF]+ー$/.test(word) ? word.slice(0, -1) : word
}
