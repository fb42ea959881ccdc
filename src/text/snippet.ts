/**
 * The passage of a chunk that answers a question best, short, with the words
 * that matched marked `**so**`. A snippet is text for readers: comment markup in
 * it is taken apart, so that it can neither hide nor uncover anything.
 */
import { charBoundary } from '../base/text-cut.ts'
import { BIGRAM_MARK } from './tokenize/cjk.ts'
import { fold, normalise } from './tokenize/normalise.ts'
import type { Question } from './question/question.ts'
import { tokenize } from './tokenize/tokenizer.ts'
import { toTerm } from './terms/stem.ts'

export interface Snippet {
  /** At most SNIPPET_CHARS UTF-16 units, marks included; one line. */
  readonly text: string
  /** Where the passage begins in the body, in UTF-16 units. */
  readonly offset: number
}

export const SNIPPET_CHARS = 240

/** Room for marks: passages are this much shorter than a snippet may be at first. */
const MARK_CHARS = 4

/** How far before its first match a passage may begin, to show the line from its start: a diff's sign is there. */
const LEAD_CHARS = 120
/** The lead of a passage whose line begins farther away. */
const SHORT_LEAD_CHARS = 60
/** How much a passage gives up at its end to end with a whole word. */
const TAIL_CHARS = 40

interface Span {
  readonly start: number
  readonly end: number
  readonly term: string
  readonly weight: number
}

/** What of a question is looked for. */
export type Looked = Pick<Question, 'terms' | 'phrases'>

/**
 * The best passage of `text`, which begins at `offset` of its body. Without a
 * match, the beginning. `term` makes the term of a folded word, as for the question.
 */
export function snippetOf(text: string, offset: number, question: Looked, term = toTerm): Snippet {
  const spans = matchedSpans(text, question, term)
  const { start, end: wanted } = bestPassage(text, spans)
  const inside = mergeSpans(spans.filter((span) => span.start >= start && span.end <= wanted))
  const markedTo = (end: number): string =>
    mark(
      text,
      start,
      end,
      inside.filter((span) => span.end <= end),
    )
  let end = wanted
  let marked = markedTo(end)
  while (marked.length > SNIPPET_CHARS) {
    end = endNear(text, start, end - Math.max(1, Math.ceil((marked.length - SNIPPET_CHARS) / 2)))
    marked = markedTo(end)
  }
  return { text: marked, offset: offset + start }
}

/** Places of the question's terms in the text. Compatibility forms are met run by run, so places are those of the raw text. */
function matchedSpans(text: string, question: Looked, toTermOf: (folded: string) => string): Span[] {
  const wanted = new Map(question.terms.map(({ term, weight }) => [term, weight]))
  for (const phrase of question.phrases) for (const run of phrase) for (const term of run) wanted.set(term, 1)
  const spans: Span[] = []
  const tell = (folded: string, start: number, end: number): void => {
    const whole = fold(normalise(folded))
    for (const spelt of whole === folded ? [folded] : [folded, whole]) {
      const term = toTermOf(spelt)
      const weight = wanted.get(term)
      if (weight === undefined) continue
      spans.push({ start, end, term, weight })
      return
    }
  }
  const tellPair = (pair: string, start: number, end: number): void => {
    tell(pair, start, end)
    const [first = '', second = ''] = Array.from(pair.slice(BIGRAM_MARK.length))
    tell(BIGRAM_MARK + first, start, start + first.length)
    tell(BIGRAM_MARK + second, end - second.length, end)
  }
  tokenize(text, { word: tell, compound: tell, relative: () => {}, bigram: tellPair })
  return spans.sort((a, b) => a.start - b.start || b.end - a.end)
}

/** The window that holds most distinct terms, then most matches, with what stands around them as far as there is room. */
function bestPassage(text: string, spans: readonly Span[]): { start: number; end: number } {
  const room = SNIPPET_CHARS - MARK_CHARS
  if (text.length <= room) return { start: skipSpace(text, 0), end: text.length }
  let best = { start: 0, end: 0, worth: 0 }
  for (const [first, span] of spans.entries()) {
    const seen = new Map<string, number>()
    let [repeated, end] = [0, span.end]
    for (let at = first; at < spans.length; at += 1) {
      const next = spans[at]
      if (next === undefined || next.end - span.start > room * 0.75) break
      end = Math.max(end, next.end)
      if (seen.has(next.term)) repeated += next.weight
      else seen.set(next.term, next.weight)
    }
    let worth = repeated * 0.05
    for (const weight of seen.values()) worth += weight
    if (worth > best.worth) best = { start: span.start, end, worth }
  }
  const spare = room - (best.end - best.start)
  const start = best.end === 0 ? skipSpace(text, 0) : beginNear(text, best.start, spare)
  return { start, end: endNear(text, Math.max(start, best.end), start + room) }
}

/** A little before the first match, if there are so many units to spare: where its line begins, else a whole word. */
function beginNear(text: string, at: number, spare: number): number {
  const line = text.lastIndexOf('\n', at - 1) + 1
  if (at - line <= Math.min(LEAD_CHARS, spare)) return skipSpace(text, line, at)
  const from = Math.max(0, at - Math.min(SHORT_LEAD_CHARS, Math.max(0, spare)))
  const space = text.slice(from, at).search(/\s/)
  if (space >= 0) return skipSpace(text, from + space, at)
  let start = from
  while (start < at && !isBorder(text, start)) start += 1
  return start
}

/** The end of the last whole word up to `at`, if one ends not too far before it and after `least`. */
function endNear(text: string, least: number, at: number): number {
  if (at >= text.length) return text.length
  for (let end = at; end > Math.max(least, at - TAIL_CHARS); end -= 1) if (isBorder(text, end)) return end
  return charBoundary(text, at)
}

/** Letters and digits that are written together as one word. */
const JOINED =
  /^(?=[\p{L}\p{N}_])[^\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]$/u
/** What belongs to the character before it. */
const ATTACHED = /^[\p{M}\u200D\u{1F3FB}-\u{1F3FF}]$/u

/** True where a cut tears neither a word nor a character apart. */
function isBorder(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true
  if (charBoundary(text, at) !== at) return false
  const before = String.fromCodePoint(text.codePointAt(charBoundary(text, at - 1)) ?? 0)
  const after = String.fromCodePoint(text.codePointAt(at) ?? 0)
  if (ATTACHED.test(after) || before === '\u200D') return false
  return !(JOINED.test(after) && (JOINED.test(before) || /^\p{M}$/u.test(before)))
}

/** The offset of what is no white space, at most `end`. */
function skipSpace(text: string, at: number, end = text.length): number {
  let start = at
  while (start < end && /\s/.test(text.charAt(start))) start += 1
  return start
}

function mergeSpans(spans: readonly Span[]): { start: number; end: number }[] {
  const merged: { start: number; end: number }[] = []
  for (const { start, end } of spans) {
    const last = merged.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged
}

function mark(text: string, start: number, end: number, spans: readonly { start: number; end: number }[]): string {
  let marked = ''
  let at = start
  for (const span of spans) {
    const before = beside(text.slice(at, span.start), at > start, true)
    marked += `${before}**${plain(text.slice(span.start, span.end))}**`
    at = span.end
  }
  marked += beside(text.slice(at, end), at > start, false)
  return marked.replaceAll('<!--', '<! --').replaceAll('-->', '-- >').trim()
}

/** What stands before, after or between marks. The source's own bold signs give way to the marks they touch. */
function beside(text: string, followsMark: boolean, precedesMark: boolean): string {
  let bare = text
  if (followsMark) bare = bare.replace(/^\*{2,}/, '')
  if (precedesMark) bare = bare.replace(/(?<!\*)\*{2,}$/, '')
  // Two marks side by side would read as four stars.
  return bare === '' && text !== '' && followsMark && precedesMark ? ' ' : plain(bare)
}

/** One line, without marks: runs of white space are one space, runs of stars one star. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/\*{2,}/g, '*')
}
