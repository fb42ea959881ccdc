/**
 * Snippets: the passage of a chunk that answers a question best, with matched words
 * between `**`. HTML comment marks in the text are broken up, so that a snippet
 * cannot open or close a comment.
 */
import { charBoundary } from '../base/text-cut.ts'
import { BIGRAM_MARK } from './tokenize/cjk.ts'
import { fold, normalise } from './tokenize/normalise.ts'
import type { Question } from './question/question.ts'
import { tokenize } from './tokenize/tokenizer.ts'
import { toTerm } from './terms/stem.ts'

interface Snippet {
  /** At most the requested UTF-16 units, marks included; one line. */
  readonly text: string
  /** Start of the passage in the body, in UTF-16 units. */
  readonly offset: number
  /** Offset of its first matched word in the body; that of the passage without one. */
  readonly firstMatch: number
}

/** UTF-16 units of a snippet, unless fewer are requested. */
export const SNIPPET_CHARS = 240

/** UTF-16 units reserved for the first pair of marks. */
const MARK_CHARS = 4

/** UTF-16 units before the first match that a passage may include to begin with the line: a line of a diff begins with its sign. */
const LEAD_CHARS = 120
/** The lead when the line starts farther away. */
const SHORT_LEAD_CHARS = 60
/** UTF-16 units that a passage may give up to end with a whole word. */
const TAIL_CHARS = 40

interface Span {
  readonly start: number
  readonly end: number
  readonly term: string
  readonly weight: number
}

/** The parts of a question that a snippet matches. */
type SnippetQuestion = Pick<Question, 'terms' | 'phrases'>

/**
 * The best passage of `text`, which starts at `offset` of its body; without a
 * match, its start. `toTermOf` must be the one that made the question's terms;
 * `maxChars` is the length of the passage in UTF-16 units, marks included.
 */
export function snippetOf(
  text: string,
  offset: number,
  question: SnippetQuestion,
  toTermOf = toTerm,
  maxChars = SNIPPET_CHARS,
): Snippet {
  const spans = matchedSpans(text, question, toTermOf)
  const { start, end: wanted } = bestPassage(text, spans, maxChars - MARK_CHARS)
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
  while (marked.length > maxChars) {
    end = endNear(text, start, end - Math.max(1, Math.ceil((marked.length - maxChars) / 2)))
    marked = markedTo(end)
  }
  return { text: marked, offset: offset + start, firstMatch: offset + (inside[0]?.start ?? start) }
}

/** The places of the question's terms. Compatibility forms are folded run by run, so that offsets refer to the raw text. */
function matchedSpans(text: string, question: SnippetQuestion, toTermOf: (folded: string) => string): Span[] {
  const wanted = new Map(question.terms.map(({ term, weight }) => [term, weight]))
  for (const phrase of question.phrases) for (const run of phrase) for (const form of run) wanted.set(toTermOf(form), 1)
  const spans: Span[] = []
  const add = (folded: string, start: number, end: number): void => {
    const whole = fold(normalise(folded))
    for (const spelt of whole === folded ? [folded] : [folded, whole]) {
      const term = toTermOf(spelt)
      const weight = wanted.get(term)
      if (weight === undefined) continue
      spans.push({ start, end, term, weight })
      return
    }
  }
  const addBigram = (bigram: string, start: number, end: number): void => {
    add(bigram, start, end)
    const [first = '', second = ''] = Array.from(bigram.slice(BIGRAM_MARK.length))
    add(BIGRAM_MARK + first, start, start + first.length)
    add(BIGRAM_MARK + second, end - second.length, end)
  }
  tokenize(text, { word: add, compound: add, relative: () => {}, bigram: addBigram })
  return spans.sort((a, b) => a.start - b.start || b.end - a.end)
}

/** The window with the most distinct terms, then the most matches, extended by its surroundings up to the limit. */
function bestPassage(text: string, spans: readonly Span[], maxChars: number): { start: number; end: number } {
  if (text.length <= maxChars) return { start: skipSpace(text, 0), end: text.length }
  let best = { start: 0, end: 0, worth: 0 }
  for (const [first, span] of spans.entries()) {
    const seen = new Map<string, number>()
    let [repeated, end] = [0, span.end]
    for (let at = first; at < spans.length; at += 1) {
      const next = spans[at]
      if (next === undefined || next.end - span.start > maxChars * 0.75) break
      end = Math.max(end, next.end)
      if (seen.has(next.term)) repeated += next.weight
      else seen.set(next.term, next.weight)
    }
    let worth = repeated * 0.05
    for (const weight of seen.values()) worth += weight
    if (worth > best.worth) best = { start: span.start, end, worth }
  }
  const spare = maxChars - (best.end - best.start)
  const start = best.end === 0 ? skipSpace(text, 0) : beginNear(text, best.start, spare)
  return { start, end: endNear(text, Math.max(start, best.end), start + maxChars) }
}

/** The start of the passage before the first match: the start of the line if `spare` units allow it, else of a word. */
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

/** The end of the last whole word between `least` and `at`, at most TAIL_CHARS before `at`. */
function endNear(text: string, least: number, at: number): number {
  if (at >= text.length) return text.length
  for (let end = at; end > Math.max(least, at - TAIL_CHARS); end -= 1) if (isBorder(text, end)) return end
  return charBoundary(text, at)
}

/** A letter or digit of a script that separates words. */
const JOINED =
  /^(?=[\p{L}\p{N}_])[^\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]$/u
/** A mark or joiner that belongs to the character before it. */
const ATTACHED = /^[\p{M}\u200D\u{1F3FB}-\u{1F3FF}]$/u

/** True where a cut does not split a word or a character. */
function isBorder(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true
  if (charBoundary(text, at) !== at) return false
  const before = String.fromCodePoint(text.codePointAt(charBoundary(text, at - 1)) ?? 0)
  const after = String.fromCodePoint(text.codePointAt(at) ?? 0)
  if (ATTACHED.test(after) || before === '\u200D') return false
  return !(JOINED.test(after) && (JOINED.test(before) || /^\p{M}$/u.test(before)))
}

/** The offset of the first character from `at` that is not white space, at most `end`. */
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
    const before = besideMark(text.slice(at, span.start), at > start, true)
    marked += `${before}**${plain(text.slice(span.start, span.end))}**`
    at = span.end
  }
  marked += besideMark(text.slice(at, end), at > start, false)
  return marked.replaceAll('<!--', '<! --').replaceAll('-->', '-- >').trim()
}

/** The text before, after or between marks, without its own bold signs next to a mark. */
function besideMark(text: string, followsMark: boolean, precedesMark: boolean): string {
  let bare = text
  if (followsMark) bare = bare.replace(/^\*{2,}/, '')
  if (precedesMark) bare = bare.replace(/(?<!\*)\*{2,}$/, '')
  // Two adjacent marks would read as four stars.
  return bare === '' && text !== '' && followsMark && precedesMark ? ' ' : plain(bare)
}

/** One line: each run of white space becomes one space, each run of stars one star. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/\*{2,}/g, '*')
}
