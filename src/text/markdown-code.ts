/**
 * Removes code from Markdown, so that links are read from prose only: fenced
 * blocks and inline code spans, as CommonMark defines them. Indented blocks stay:
 * inside lists the same indentation is prose, and only a full parser can distinguish them.
 * Time is linear in the text.
 */

/** A fence of backticks has no backtick in its info string; an unclosed fence lasts to the end of the text. */
const FENCED = /^ {0,3}(?:(`{3,})[^`\n]*|(~{3,})[^\n]*)\n(?:[\s\S]*?^ {0,3}(?:\1\2)[`~]*[ \t]*$|[\s\S]*)/gm

/** Ends a paragraph, and with it every code span: a blank line, or the start of a heading, list item, quote or table row. */
const PARAGRAPH_END = /\n(?=[ \t]*(?:\n|#{1,6}[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t]|[>|]))/g

const BACKTICKS = /`+/g

/**
 * The text without code. Each span leaves one backtick, which belongs to no word
 * and no link: `Fixes`, code, `#3` must not become `Fixes #3`. Runs shorter than
 * `minBackticks` are ordinary text.
 */
export function withoutCode(markdown: string, minBackticks = 1): string {
  const prose = markdown.replace(FENCED, '\n')
  if (!prose.includes('`')) return prose
  let [rest, start] = ['', 0]
  for (const { index } of prose.matchAll(PARAGRAPH_END)) {
    rest += withoutSpans(prose.slice(start, index), minBackticks)
    start = index
  }
  return rest + withoutSpans(prose.slice(start), minBackticks)
}

interface Opener {
  /** Offset of its first backtick, and of the text after its last. */
  readonly start: number
  readonly end: number
  /** Index of the next run of the same length, which closes the span. */
  readonly closer: number | undefined
}

function withoutSpans(paragraph: string, minBackticks: number): string {
  const openers = toOpeners(paragraph)
  let [rest, at] = ['', 0]
  for (let index = 0; index < openers.length; index += 1) {
    const { start, end, closer } = openers[index]!
    if (closer === undefined || end - start < minBackticks) continue
    rest += `${paragraph.slice(at, start)}\``
    at = openers[closer]!.end
    index = closer
  }
  return rest + paragraph.slice(at)
}

/** Every run of backticks as an opener. From right to left, so that each length needs one lookup. */
function toOpeners(paragraph: string): Opener[] {
  const openers: Opener[] = []
  const runs = [...paragraph.matchAll(BACKTICKS)]
  const nextOfLength = new Map<number, number>()
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const run = runs[index]!
    const end = run.index + run[0].length
    // A backslash makes the first backtick literal where a span may start, never where it may end.
    const start = isEscaped(paragraph, run.index) ? run.index + 1 : run.index
    openers[index] = { start, end, closer: nextOfLength.get(end - start) }
    nextOfLength.set(run[0].length, index)
  }
  return openers
}

function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text[before - 1] === '\\') before -= 1
  return (at - before) % 2 === 1
}
