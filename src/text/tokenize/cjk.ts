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
  if (HIRAGANA_LONG.test(run)) return visitJoined([...segmenter.segment(run)], visit)
  for (const { segment, index } of segmenter.segment(run)) visit(segment, index)
}

/** A long mark after hiragana: a katakana word written in hiragana, which no dictionary has. */
const HIRAGANA_LONG = /[\u3041-\u3096]ー/

const HIRAGANA = /^[\u3041-\u3096ー]+$/

/** Particles that often follow or precede such a word. */
const PARTICLES = new Set('をはがにのへとでも')

/** No word begins with these. */
const INNER = /^[ーぁぃぅぇぉっゃゅょ]/

/**
 * Joins the segments around long marks: `ら|ー|めん` is one word. A segment joins the mark
 * after it, and the mark the segment after it; single characters join to the left.
 */
function visitJoined(segments: readonly Intl.SegmentData[], visit: (word: string, at: number) => void): void {
  const words: { word: string; at: number }[] = []
  for (const { segment, index } of segments) {
    const last = words.at(-1)
    const joins =
      HIRAGANA.test(segment) &&
      last !== undefined &&
      HIRAGANA.test(last.word) &&
      (segment.startsWith('ー') ||
        (last.word.includes('ー') && INNER.test(segment)) ||
        (last.word.endsWith('ー') && !PARTICLES.has(segment)))
    if (!joins) {
      words.push({ word: segment, at: index })
      continue
    }
    last.word += segment
    for (let before = words.at(-2); before !== undefined && isLone(before.word); before = words.at(-2)) {
      words.splice(-2, 2, { word: before.word + words.at(-1)!.word, at: before.at })
    }
  }
  for (const { word, at } of words) visit(word, at)
}

function isLone(word: string): boolean {
  return word.length === 1 && HIRAGANA.test(word) && !PARTICLES.has(word)
}

/** The katakana form of hiragana with a long mark, `らーめん` as `ラーメン`; undefined for other text. */
export function katakanaOf(text: string): string | undefined {
  if (!HIRAGANA_LONG.test(text) && !/ー[\u3041-\u3096]/.test(text)) return undefined
  return text.replace(/[\u3041-\u3096]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + KATAKANA_OFFSET))
}

/** From a hiragana to the katakana of the same sound. */
const KATAKANA_OFFSET = 0x60

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
