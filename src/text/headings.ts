/**
 * The headings of a prose body and the sections that they begin: Markdown,
 * AsciiDoc and HTML headings, and underlined ones as in reStructuredText. Lines in
 * fenced code and in front matter are no headings. Time is linear in the body.
 */
import { cutWithEllipsis } from '../base/text-cut.ts'

/** A section: the text from its heading to the next one. */
export interface Section {
  /** Offset of the line of its heading in the body, in UTF-16 units. */
  readonly start: number
  /** The headings above its text, the outermost first, its own last. */
  readonly path: readonly string[]
}

/** UTF-16 units of one heading that are kept; longer lines are no names of sections. */
const HEADING_CHARS = 100

/** Between the headings of a path. */
const SEPARATOR = ' > '

/** Backticks that have another backtick behind them in the line are a span of code. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const ATX = /^ {0,3}(#{1,6})[ \t]+(.*)$/
const ASCIIDOC = /^(={1,6})[ \t]+(\S.*)$/
const HTML = /^[ \t]*<h([1-6])\b[^>]*>(.*?)(?:<\/h\1>|$)/i
const UNDERLINE = /^(=+|-+|~+|\^+|"+|\*+|\++)[ \t]*$/
/** A line that an underline makes a heading: text, not an item, a quote, a table row or an indented line. */
const TITLE = /^ {0,3}(?![-*+>|=~^"][-*+>|=~^" \t]|\d+[.)] )\S/
/** Dashes begin a block of code in AsciiDoc if a comment, an attribute or a title is above them. */
const LISTING = /^-{4,}$/
const ABOVE_LISTING = /^(?:\/\/|\[.*\]$|\.\S)/
const UNDERLINE_LEVELS = '=-~^"*+'

/** The sections in the order of the body. Text before the first heading is in none. */
export function sectionsOf(body: string): Section[] {
  const sections: Section[] = []
  const path: Heading[] = []
  let above: Line | undefined
  let code: string | undefined
  for (const line of linesFrom(body, endOfFrontMatter(body))) {
    if (code !== undefined) {
      if (closesCode(line.text, code)) code = undefined
      continue
    }
    // Tildes below a title of their length are its underline, dashes below an attribute are not.
    code = listingIn(line, above)
    const heading = code === undefined ? headingIn(line, above) : undefined
    if (heading === undefined) code ??= FENCE.exec(line.text)?.[1]
    else {
      while ((path.at(-1)?.level ?? 0) >= heading.level) path.pop()
      path.push(heading)
      sections.push({ start: heading.start, path: path.map(({ text }) => text) })
    }
    above = heading === undefined && code === undefined ? line : undefined
  }
  return sections
}

/** The index of the section at this offset; -1 before the first heading. Time is logarithmic in the sections. */
export function sectionAt(sections: readonly Section[], offset: number): number {
  let [first, after] = [0, sections.length]
  while (first < after) {
    const middle = Math.floor((first + after) / 2)
    if (sections[middle]!.start <= offset) first = middle + 1
    else after = middle
  }
  return first - 1
}

/** The headings above the text of a section as one line. */
export function headingOf({ path }: Section): string {
  return path.join(SEPARATOR)
}

interface Line {
  readonly start: number
  readonly text: string
}

interface Heading extends Line {
  readonly level: number
}

/** The marks that open a block of code of AsciiDoc. */
function listingIn({ text }: Line, above: Line | undefined): string | undefined {
  const marks = text.trimEnd()
  return LISTING.test(marks) && above !== undefined && ABOVE_LISTING.test(above.text) ? marks : undefined
}

/** True for the line that closes the code which these marks opened. */
function closesCode(line: string, opening: string): boolean {
  if (opening.startsWith('-')) return line.trimEnd() === opening
  return /^ {0,3}(`+|~+)[ \t]*$/.exec(line)?.[1]?.startsWith(opening) === true
}

/** The heading that a line is, or that it makes of the line above. */
function headingIn(line: Line, above: Line | undefined): Heading | undefined {
  const marked = ATX.exec(line.text) ?? ASCIIDOC.exec(line.text)
  if (marked) return toHeading(marked[1]!.length, line.start, marked[2]!)
  const html = HTML.exec(line.text)
  if (html) return toHeading(Number(html[1]), line.start, html[2]!)
  const underline = UNDERLINE.exec(line.text)?.[1]
  if (underline === undefined || above === undefined || !TITLE.test(above.text)) return undefined
  // A short row of dashes under a longer line is a rule or a typo, except in Markdown's own two levels.
  const isMarkdown = '=-'.includes(underline[0]!)
  if (underline.length < (isMarkdown ? 2 : above.text.trim().length)) return undefined
  return toHeading(UNDERLINE_LEVELS.indexOf(underline[0]!) + 1, above.start, above.text)
}

function toHeading(level: number, start: number, source: string): Heading | undefined {
  const text = plainText(source)
  return text === '' ? undefined : { level, start, text: cutWithEllipsis(text, HEADING_CHARS) }
}

/** The words of a heading without marks, addresses and anchors. */
function plainText(source: string): string {
  return source
    .replace(/[ \t]+#+[ \t]*$/, '')
    .replace(/\{#[^}]*\}[ \t]*$/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/!?\[([^\]]*)\](?:\[[^\]]*\])?/g, '$1')
    .replace(/<[^>]*>/g, '')
    .replace(/[`*]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The offset after the front matter between two `---` lines at the start; 0 without one. */
function endOfFrontMatter(body: string): number {
  return /^---[ \t]*\n[\s\S]*?\n---[ \t]*(?:\n|$)/.exec(body)?.[0].length ?? 0
}

function* linesFrom(body: string, from: number): Generator<Line> {
  for (let start = from; start < body.length;) {
    const newline = body.indexOf('\n', start)
    const end = newline < 0 ? body.length : newline
    yield { start, text: body.slice(start, end).replace(/\r$/, '') }
    start = end + 1
  }
}
