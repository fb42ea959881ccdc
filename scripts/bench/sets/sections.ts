/**
 * Splits Markdown and reStructuredText at their headings, and takes plain
 * sentences from either. Pure functions on one text.
 */

export interface DocSection {
  /** The headings above and at the section, outermost first. */
  readonly headings: readonly string[]
  /** The text below the heading, up to the next heading of any level. */
  readonly text: string
}

export function sectionsOf(path: string, text: string): DocSection[] {
  return path.endsWith('.rst') ? restructuredSections(text) : markdownSections(text)
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const MARKDOWN_HEADING = /^(#{1,6})\s+(.+?)(?:\s+#+)?$/
/** `{ #name }` and `{#name}`: the name of a heading in some dialects. */
const HEADING_NAME = /\s*\{\s*#[^}]*\}\s*$/

/** Text before the first heading is not a section; a heading inside fenced code is code. */
function markdownSections(text: string): DocSection[] {
  const sections: { headings: string[]; lines: string[] }[] = []
  let chain: string[] = []
  let fence: string | undefined
  for (const line of text.split(/\r?\n/)) {
    const [, marks] = FENCE.exec(line) ?? []
    if (fence !== undefined ? marks?.startsWith(fence) : marks !== undefined)
      fence = fence === undefined ? marks : undefined
    const [, level, title] = (fence === undefined && marks === undefined && MARKDOWN_HEADING.exec(line)) || []
    if (level === undefined || title === undefined) {
      sections.at(-1)?.lines.push(line)
      continue
    }
    chain = [...chain.slice(0, level.length - 1), title.replace(HEADING_NAME, '')]
    sections.push({ headings: chain, lines: [] })
  }
  return sections.map(({ headings, lines }) => ({ headings: headings.filter(Boolean), text: lines.join('\n').trim() }))
}

const RULE = /^([=\-~^"'`#*+.:_])\1{2,}\s*$/
/** `.. _name:`, which names the heading below it. */
const TARGET = /^\.\. _[^:]*:\s*$/

/** A heading is a line with a line of one repeated sign below it, at least as long; all are of one level. */
function restructuredSections(text: string): DocSection[] {
  const lines = text.split(/\r?\n/).filter((line) => !TARGET.test(line))
  const isTitle = (at: number): boolean => {
    const [title = '', under = ''] = [lines[at]?.trimEnd(), lines[at + 1]?.trimEnd()]
    return /^\S/.test(title) && !RULE.test(title) && RULE.test(under) && under.length >= title.length
  }
  const starts = lines.flatMap((_, at) => (isTitle(at) ? [at] : []))
  return starts.map((start, nth) => ({
    headings: [lines[start]!.trim()],
    text: lines
      .slice(start + 2, starts[nth + 1] ?? lines.length)
      .filter((line) => !RULE.test(line))
      .join('\n')
      .trim(),
  }))
}

/** The first sentences of the prose, without code, markup of links and notes; at most `count`, on one line. */
export function firstSentences(text: string, count: number): string {
  const prose = text
    .replace(/^ {0,3}(`{3,}|~{3,})[\s\S]*?^ {0,3}\1[^\n]*$/gm, ' ')
    .split(/\n\s*\n/)
    .filter((paragraph) => !/^(?:\s{2,}|\.\. |[[|>]|[-=]{3})/.test(paragraph))
    .join('\n\n')
    .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<[^<>\s]*>|:[a-z-]+:(?=`)|[`*_]{1,3}/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const sentences = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(prose)]
  return sentences
    .slice(0, count)
    .map(({ segment }) => segment)
    .join('')
    .trim()
}
