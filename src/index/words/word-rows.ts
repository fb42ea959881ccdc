/**
 * Turns a document into rows of the word index, one for each chunk: the columns
 * of the FTS5 table `words` except the filter tokens, and the forward index that
 * ranking reads instead of the body. Pure: the same document gives the same rows
 * until ANALYSIS_VERSION is raised.
 */
import { pathOf, typeOf, type Document } from '../../documents/document.ts'
import { specOf } from '../../documents/index.ts'
import { formKey, packCounts, packKeyCounts, packSequence, termKey } from '../../fts/packed-terms.ts'
import { chunksOf, type Chunk } from '../../text/chunks.ts'
import { sectionsOf, type Section } from '../../text/headings.ts'
import { analysePath, analyseText, type AnalysedText } from '../../text/tokenize/analyse-text.ts'
import { toTermColumn } from '../../text/tokenize/term-column.ts'
import { cutToChars } from '../../base/text-cut.ts'
import { MAX_REPEATED_MESSAGE_CHARS } from '../limits.ts'
import { headingsAbove, packHeadings } from './chunk-headings.ts'
import { keyTerm, pathKeys } from './exact-keys.ts'
import { readPatch, withoutPlace, type PatchText } from './patch-text.ts'

/** Raise it when the same document gets other rows; rows of an older version are pending. */
export const ANALYSIS_VERSION = 5

/** The index entry of one chunk. */
export interface WordRow {
  /** Offset of the chunk in the body, in UTF-16 units. */
  readonly start: number
  readonly chars: number
  /** Sum of the weighted counts, rounded: the length that BM25 compares. */
  readonly length: number
  /** The forward index, packed by `packCounts`. */
  readonly terms: string
  /** Counts of the forms of words that stemming changes, packed by `packKeyCounts`. */
  readonly forms: string
  /** The words of the path in order, packed by `packSequence`. */
  readonly pathTerms: string
  /** The headings of the chunk, as `packHeadings` writes them; empty without one. */
  readonly headings: string
  /** Space-separated terms: exact keys, title, path, body or changed lines, context. */
  readonly columns: Readonly<Record<'k' | WordColumn, string>>
}

type WordColumn = 't' | 'p' | 'b' | 'x'

/** Weight of one occurrence in the forward index, by column. */
const COLUMN_WEIGHTS: Record<WordColumn, number> = { t: 2, p: 2, b: 1, x: 0.5 }

/** In a patch: the subject of the commit weighs more, since the patch is long. Chosen on commits of several histories. */
const PATCH_WEIGHTS: Record<WordColumn, number> = { ...COLUMN_WEIGHTS, t: 3 }

/** A compound counts by this share of the column's weight, because its words count as well. */
const COMPOUND_SHARE = 0.5

/** The rows of a document, in the order of its body; one row for an empty body. */
export function toWordRows(document: Document): WordRow[] {
  const spec = specOf(typeOf(document))
  const path = pathOf(document)
  const keys = [...(path === undefined ? [] : pathKeys(path)), ...spec.exactKeys(document).map(keyTerm)].join(' ')
  const title = analyseText(spec.indexedTitle(document))
  const pathText = analyseText(path ?? '')
  const pathTerms = packSequence(analysePath(path ?? ''))
  const chunks = chunksOf(document.body, spec.bodyForm)
  const weights = spec.bodyForm === 'patch' ? PATCH_WEIGHTS : COLUMN_WEIGHTS
  const sections = spec.bodyForm === 'patch' ? [] : sectionsOf(document.body)
  const texts = spec.bodyForm === 'patch' ? patchTexts(document, chunks) : proseTexts(document, chunks, sections)
  return chunks.map((chunk, at) => {
    const { changed, context } = texts[at] ?? NO_TEXT
    const fields = { t: title, p: pathText, b: analyseText(changed), x: analyseText(context) }
    const counts = countTerms(fields, weights)
    let length = 0
    for (const count of counts.values()) length += count
    const columns = {
      k: keys,
      t: toTermColumn(fields.t),
      p: toTermColumn(fields.p),
      b: toTermColumn(fields.b),
      x: toTermColumn(fields.x),
    }
    const forms = packKeyCounts(countForms(fields, weights))
    const headings = packHeadings(sections, chunk)
    return { ...chunk, length: Math.round(length), terms: packCounts(counts), forms, pathTerms, headings, columns }
  })
}

const NO_TEXT: PatchText = { changed: '', context: '' }

/** The context of prose: the headings above a chunk, and the hunk that a review comment is on. */
function proseTexts({ body, diffHunk }: Document, chunks: readonly Chunk[], sections: readonly Section[]): PatchText[] {
  const hunk = diffHunk === undefined ? [] : [withoutPlace(diffHunk)]
  return chunks.map(({ start, chars }, at) => ({
    changed: body.slice(start, start + chars),
    context: [...headingsAbove(sections, start), ...(at === 0 ? hunk : [])].join('\n'),
  }))
}

/**
 * The first line of a commit's message is its title; the rest counts as changed. Every
 * chunk has its beginning, so that the hunk that matches best represents the file.
 */
function patchTexts({ body, message = '' }: Document, chunks: readonly Chunk[]): PatchText[] {
  const rest = message.replace(/^[^\n]*/, '').trim()
  return readPatch(body, chunks).map(({ changed, context }, at) => ({
    changed: rest === '' ? changed : `${changed}\n${at === 0 ? rest : cutToChars(rest, MAX_REPEATED_MESSAGE_CHARS)}`,
    context,
  }))
}

function countTerms(
  fields: Readonly<Record<WordColumn, AnalysedText>>,
  weights: Readonly<Record<WordColumn, number>>,
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const field of ['t', 'p', 'b', 'x'] as const) {
    const weight = weights[field]
    const { words, compounds, bigrams } = fields[field]
    for (const term of words) add(counts, term, weight)
    for (const term of compounds) add(counts, term, weight * COMPOUND_SHARE)
    for (const term of bigrams) if (isInformative(term)) add(counts, term, weight)
  }
  return counts
}

/** Counts of the forms that differ from their terms, by `formKey`. */
function countForms(
  fields: Readonly<Record<WordColumn, AnalysedText>>,
  weights: Readonly<Record<WordColumn, number>>,
): Map<number, number> {
  const counts = new Map<number, number>()
  const addForms = (terms: readonly string[], forms: readonly string[], weight: number): void => {
    for (const [at, form] of forms.entries()) {
      const term = terms[at]
      if (term === undefined || term === form) continue
      const key = formKey(termKey(term), form)
      counts.set(key, (counts.get(key) ?? 0) + weight)
    }
  }
  for (const field of ['t', 'p', 'b', 'x'] as const) {
    const { words, wordForms, compounds, compoundForms } = fields[field]
    addForms(words, wordForms, weights[field])
    addForms(compounds, compoundForms, weights[field] * COMPOUND_SHARE)
  }
  return counts
}

function add(counts: Map<string, number>, term: string, weight: number): void {
  counts.set(term, (counts.get(term) ?? 0) + weight)
}

/** Bigrams with hiragana are mostly endings: the FTS index finds them, the forward index omits them. */
function isInformative(bigram: string): boolean {
  return !/[\u3041-\u309F]/.test(bigram)
}
