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

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const ATX = /^ {0,3}(#{1,6})[ \t]+(.*)$/
const ASCIIDOC = /^(={1,6})[ \t]+(\S.*)$/
const HTML = /^[ \t]*<h([1-6])\b[^>]*>(.*?)(?:<\/h\1>|$)/i
const UNDERLINE = /^(=+|-+|~+|\^+|"+|\*+|\++)[ \t]*$/
/** A line that an underline makes a heading: text, not an item, a quote, a table row or an indented line. */
const TITLE = /^ {0,3}(?![-*+>|=~^"][-*+>|=~^" \t]|\d+[.)] )\S/
/** A comment, an attribute or a title of AsciiDoc: dashes below it begin a block of code. */
const BEFORE_BLOCK = /^(?:\/\/|\[.*\]$|\.\S)/
const BLOCK = /^-{4,}[ \t]*$/
const UNDERLINE_LEVELS = '=-~^"*+'

/** The sections in the order of the body. Text before the first heading is in none. */
export function sectionsOf(body: string): Section[] {
  const sections: Section[] = []
  const path: { readonly level: number; readonly heading: string }[] = []
  let fence = ''
  let above: { readonly start: number; readonly text: string } | undefined
  for (const { start, text } of linesFrom(body, endOfFrontMatter(body))) {
    const inCode = fence !== ''
    if (BLOCK.test(text) && (inCode ? text.trim() === fence : BEFORE_BLOCK.test(above?.text ?? ''))) {
      fence = inCode ? '' : text.trim()
      above = undefined
      continue
    }
    const found = inCode ? undefined : headingIn(text, above?.text)
    // A row of tildes below a title of that length is its underline, not a fence.
    const opening = found === undefined ? FENCE.exec(text)?.[1] : undefined
    if (opening !== undefined && (!inCode || (opening.startsWith(fence) && /^[`~]+$/.test(text.trim())))) {
      fence = inCode ? '' : opening
    }
    if (found !== undefined) {
      while ((path.at(-1)?.level ?? 0) >= found.level) path.pop()
      path.push(found)
      sections.push({ start: found.isUnderlined ? above!.start : start, path: path.map(({ heading }) => heading) })
    }
    above = inCode || found !== undefined || opening !== undefined ? undefined : { start, text }
  }
  return sections
}

/** The headings above the text at this offset, joined; undefined before the first heading. */
export function headingAt(sections: readonly Section[], offset: number): string | undefined {
  return sections.findLast(({ start }) => start <= offset)?.path.join(SEPARATOR)
}

interface Heading {
  readonly level: number
  readonly heading: string
  readonly isUnderlined: boolean
}

function headingIn(line: string, above: string | undefined): Heading | undefined {
  const marked = ATX.exec(line) ?? ASCIIDOC.exec(line)
  if (marked) return toHeading(marked[1]!.length, marked[2]!, false)
  const html = HTML.exec(line)
  if (html) return toHeading(Number(html[1]), html[2]!, false)
  const underline = UNDERLINE.exec(line)?.[1]
  if (underline === undefined || above === undefined || !TITLE.test(above)) return undefined
  // A short row of dashes under a longer line is a rule or a typo, except in Markdown's own two levels.
  const isMarkdown = '=-'.includes(underline[0]!)
  if (underline.length < (isMarkdown ? 2 : above.trim().length)) return undefined
  return toHeading(UNDERLINE_LEVELS.indexOf(underline[0]!) + 1, above, true)
}

function toHeading(level: number, source: string, isUnderlined: boolean): Heading | undefined {
  const heading = plainText(source)
  return heading === '' ? undefined : { level, heading: cutWithEllipsis(heading, HEADING_CHARS), isUnderlined }
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

function* linesFrom(body: string, from: number): Generator<{ readonly start: number; readonly text: string }> {
  for (let start = from; start < body.length;) {
    const newline = body.indexOf('\n', start)
    const end = newline < 0 ? body.length : newline
    yield { start, text: body.slice(start, end).replace(/\r$/, '') }
    start = end + 1
  }
}
