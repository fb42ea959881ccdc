/** Text laid out for a terminal: wrapped lines, and tables of two columns. Widths are in UTF-16 units. */

/** Lines of at most `width`, broken at spaces. A longer word has a line of its own. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/[ \n]+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

interface ColumnOptions {
  /** Spaces before the first column. */
  readonly indent: number
  /** Longest line; without it the second column is not wrapped. */
  readonly width?: number
}

/** One line a row, or more where the second column is wrapped. */
export function toColumns(
  rows: readonly (readonly [string, string])[],
  { indent, width = Number.POSITIVE_INFINITY }: ColumnOptions,
): string[] {
  const first = Math.max(0, ...rows.map(([name]) => name.length))
  const before = indent + first + 2
  return rows.flatMap(([name, text]) => {
    const lines = Number.isFinite(width) ? wrapText(text, width - before) : [text]
    return lines.map((line, at) => `${' '.repeat(indent)}${(at === 0 ? name : '').padEnd(first)}  ${line}`)
  })
}
