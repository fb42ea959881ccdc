/**
 * Inlines stored texts into the rows of a list: those of the first documentation
 * and the first wiki rows. They fill the space that the rows leave in a larger
 * budget. Where it is too small, the largest texts are cut first, and their rows
 * say at which offset the rest begins.
 */
import { charBoundary } from '../../base/text-cut.ts'
import type { DocumentType } from '../../base/vocabulary.ts'
import { MAX_INLINE_ROWS } from '../../contracts/limits.ts'
import type { SearchRow } from '../../contracts/tools/search-rows.ts'
import type { DocumentRow } from '../../index/documents/read-documents.ts'
import { RESERVED_CHARS, shareOf, sizeOf } from './answer-budget.ts'

/** UTF-16 units of an answer with texts in it, at most. */
export const CONTENT_ANSWER_CHARS = 100_000

const TYPES: readonly DocumentType[] = ['doc', 'wiki_doc']

/** UTF-16 units of the fields that describe a text. */
const ROW_CHARS = 120

/** The documents of these rows, which are in the answer's order, whose text is shown. */
export function contentDocuments(
  rows: readonly { readonly document: number; readonly type: DocumentType }[],
): readonly number[] {
  return TYPES.flatMap((wanted) => rows.filter(({ type }) => type === wanted).slice(0, MAX_INLINE_ROWS)).map(
    ({ document }) => document,
  )
}

interface InlineText {
  readonly document: DocumentRow
  readonly text: string
  /** Its share of the answer's budget. */
  readonly size: number
}

/**
 * The answer with the texts of its rows. `heads` has the first
 * `CONTENT_ANSWER_CHARS` units or more of each body, by number of the document; a
 * body without a head is shown as empty.
 */
export function withContents<Answer extends { readonly results: readonly SearchRow[] }>(
  answer: Answer,
  documents: ReadonlyMap<number, DocumentRow>,
  heads: ReadonlyMap<number, string>,
): Answer {
  const byId = new Map([...documents.values()].map((document) => [document.vectorId, document]))
  const shown = answer.results.flatMap(({ vector_id }) => byId.get(vector_id) ?? [])
  const wanted = new Set(contentDocuments(shown))
  const texts = shown
    .filter(({ document }) => wanted.has(document))
    .map((document): InlineText => {
      const text = heads.get(document.document) ?? ''
      return { document, text, size: sizeOf(text) }
    })
  const left = CONTENT_ANSWER_CHARS - RESERVED_CHARS - sizeOf(answer) - ROW_CHARS * texts.length
  const contents = new Map(fill(texts, left).map((content) => [content.vectorId, content.fields]))
  return { ...answer, results: answer.results.map((row) => ({ ...row, ...contents.get(row.vector_id) })) }
}

interface InlineContent {
  readonly vectorId: string
  readonly fields: Pick<SearchRow, 'content' | 'content_source' | 'content_truncated' | 'next_content_offset'>
}

/** Divides the units evenly; a short text passes the rest of its share to longer ones. */
function fill(texts: readonly InlineText[], units: number): InlineContent[] {
  let left = Math.max(0, units)
  return texts
    .toSorted((a, b) => a.size - b.size)
    .map(({ document, text, size }, at) => {
      const share = Math.floor(left / (texts.length - at))
      const end = size <= share ? text.length : endWithin(text, share)
      const content = text.slice(0, end)
      left -= sizeOf(content)
      const remains = end < document.bodyChars
      return {
        vectorId: document.vectorId,
        fields: {
          content,
          content_source: 'index',
          content_truncated: remains || document.sourceTruncated,
          ...(remains && { next_content_offset: end }),
        },
      }
    })
}

/** The end of the longest head that takes at most `size` of the budget; never inside a surrogate pair. */
function endWithin(text: string, size: number): number {
  let [json, reply] = [QUOTES, 2 * QUOTES + QUOTES]
  let end = 0
  while (end < text.length) {
    const unit = text.charCodeAt(end)
    const [chars, escapes] = unitSize(unit)
    json += chars
    reply += 2 * chars + escapes
    if (shareOf(json, reply) > size) break
    end += 1
  }
  return charBoundary(text, end)
}

/** The quotes around a text. */
const QUOTES = 2

/** Backspace, tab, line feed, form feed and carriage return are two units in JSON, other controls six. */
const SHORT_ESCAPES = [0x08, 0x09, 0x0a, 0x0c, 0x0d]

/** A UTF-16 unit's length in JSON, and how much longer that is when escaped once more. */
function unitSize(unit: number): readonly [number, number] {
  if (unit === 0x22 || unit === 0x5c) return [2, 2]
  if (unit >= 0x20) return [1, 0]
  return [SHORT_ESCAPES.includes(unit) ? 2 : 6, 1]
}
