/**
 * The passage of a chunk that answers a question best, short, with the words
 * that matched marked `**so**`. A snippet is text for readers: comment markup in
 * it is taken apart, so that it can neither hide nor uncover anything.
 */
import { fold, normalise } from './normalise.ts'
import type { Question } from './question.ts'
import { scan } from './scan.ts'
import { toTerm } from './terms.ts'

export interface Snippet {
  /** At most SNIPPET_CHARS UTF-16 units, marks included; one line. */
  readonly text: string
  /** Where the passage begins in the body, in UTF-16 units. */
  readonly offset: number
}

export const SNIPPET_CHARS = 240

/** Room for marks: passages are this much shorter than a snippet may be at first. */
const MARK_CHARS = 4

interface Span {
  readonly start: number
  readonly end: number
  readonly term: string
  readonly weight: number
}

/** The best passage of `text`, which begins at `offset` of its body. Without a match, the beginning. */
export function snippetOf(text: string, offset: number, question: Question): Snippet {
  const spans = matchedSpans(text, question)
  const passage = bestPassage(text, spans)
  const inside = mergeSpans(spans.filter((span) => span.start >= passage.start && span.end <= passage.end))
  let [start, end] = [passage.start, passage.end]
  let marked = mark(text, start, end, inside)
  while (marked.length > SNIPPET_CHARS) {
    end = wholeAt(text, end - Math.max(1, Math.ceil((marked.length - SNIPPET_CHARS) / 2)))
    marked = mark(
      text,
      start,
      end,
      inside.filter((span) => span.end <= end),
    )
  }
  return { text: marked, offset: offset + start }
}

/** Places of the question's terms in the text. Compatibility forms are met run by run, so places are those of the raw text. */
function matchedSpans(text: string, question: Question): Span[] {
  const wanted = new Map(question.terms.map(({ term, weight }) => [term, weight]))
  for (const phrase of question.phrases) for (const run of phrase) for (const term of run) wanted.set(term, 1)
  const spans: Span[] = []
  const tell = (folded: string, start: number, end: number): void => {
    const term = [toTerm(folded), toTerm(fold(normalise(folded)))].find((term) => wanted.has(term))
    if (term !== undefined) spans.push({ start, end, term, weight: wanted.get(term) ?? 0 })
  }
  scan(text, { word: tell, compound: tell, relative: () => {}, pair: tell })
  return spans.sort((a, b) => a.start - b.start || b.end - a.end)
}

/** The window that holds most distinct terms, then most matches; it begins near a border of lines or words. */
function bestPassage(text: string, spans: readonly Span[]): { start: number; end: number } {
  const room = SNIPPET_CHARS - MARK_CHARS
  if (text.length <= room) return { start: 0, end: text.length }
  let best = { start: 0, worth: 0 }
  for (const [first, span] of spans.entries()) {
    const seen = new Map<string, number>()
    let repeated = 0
    for (let at = first; at < spans.length; at += 1) {
      const next = spans[at]
      if (next === undefined || next.end - span.start > room * 0.75) break
      if (seen.has(next.term)) repeated += next.weight
      else seen.set(next.term, next.weight)
    }
    let worth = repeated * 0.05
    for (const weight of seen.values()) worth += weight
    if (worth > best.worth) best = { start: span.start, worth }
  }
  const start = beginNear(text, best.start)
  return { start, end: wholeAt(text, Math.min(text.length, start + room)) }
}

/** A little before the first match: the start of its line if that is near, else of a word. */
function beginNear(text: string, at: number): number {
  const from = Math.max(0, at - SNIPPET_CHARS / 4)
  const before = text.slice(from, at)
  const line = before.lastIndexOf('\n')
  if (line >= 0) return from + line + 1
  if (from === 0) return 0
  const space = before.search(/\s/)
  return wholeAt(text, space < 0 ? from : from + space + 1)
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
    marked += `${plain(text.slice(at, span.start))}**${plain(text.slice(span.start, span.end))}**`
    at = span.end
  }
  return (marked + plain(text.slice(at, end))).replaceAll('<!--', '<! --').replaceAll('-->', '-- >').trim()
}

/** One line: runs of white space are one space. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ')
}

/** The offset itself, or one less where it would split a surrogate pair. */
function wholeAt(text: string, at: number): number {
  const inside = /[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(Math.max(0, at - 1), at + 1))
  return inside ? at - 1 : at
}
