/**
 * The terms of a text as one column of a word index. A phrase of the index matches
 * words as they are written; single terms match their stems too.
 */
import type { AnalysedText } from './analyse-text.ts'

/** A term that no question contains, so that no phrase matches across it. */
const GAP = '＿'

/**
 * Space-separated terms: the words as written, then the stems of those that stemming
 * changes, then all other terms. `more` are further terms that no phrase contains.
 */
export function toTermColumn(
  { words, wordForms, compounds, bigrams }: AnalysedText,
  more: readonly string[] = [],
): string {
  const stems = words.filter((word, at) => word !== wordForms[at])
  const parts = [wordForms, stems, compounds, bigrams, more].filter((terms, at) => at === 0 || terms.length > 0)
  return joinColumns(parts.map((terms) => terms.join(' ')))
}

/** Columns of separate texts as one: no phrase matches across two of them. */
export function joinColumns(columns: readonly string[]): string {
  return columns.join(` ${GAP} `)
}
