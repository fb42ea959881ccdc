/**
 * Texts inlined into the rows of a list: of the first documentation and the
 * first wiki rows, from the stored copy. They fill what the rows leave of a
 * larger budget; where that is not enough the largest texts are cut first, and
 * say where to go on.
 */
import { charBoundary } from '../../base/text-cut.ts'
import type { DocumentType } from '../../base/vocabulary.ts'
import type { SearchRow } from '../../contracts/tools/search-rows.ts'
import type { SegmentRow, BodyRange } from '../../index/documents/read-bodies.ts'
import type { DocumentRow } from '../../index/documents/read-documents.ts'
import { RESERVED_CHARS, shareOf, sizeOf } from './answer-budget.ts'

/** Most UTF-16 units of an answer with texts in it. */
export const CONTENT_ANSWER_CHARS = 100_000

/** Rows of each type whose text is shown. */
const ROWS_A_TYPE = 5
const TYPES: readonly DocumentType[] = ['doc', 'wiki_doc']

/** Room for what a row says about its text. */
const ROW_CHARS = 120

/** What has to be read of bodies to show the texts of these rows, which are in the answer's order. */
export function contentRanges(
  rows: readonly { readonly document: number; readonly type: DocumentType }[],
): readonly BodyRange[] {
  return TYPES.flatMap((wanted) => rows.filter(({ type }) => type === wanted).slice(0, ROWS_A_TYPE)).map(
    ({ document }) => ({ document, start: 0, end: CONTENT_ANSWER_CHARS }),
  )
}

interface Text {
  readonly document: DocumentRow
  readonly text: string
  /** What it takes of the answer's budget. */
  readonly size: number
}

/** The answer with the texts that were read; a body of which nothing was read is shown as empty. */
export function withContents<Answer extends { readonly results: readonly SearchRow[] }>(
  answer: Answer,
  documents: readonly DocumentRow[],
  segments: readonly SegmentRow[],
): Answer {
  const byId = new Map(documents.map((document) => [document.vectorId, document]))
  const bodies = Map.groupBy(segments, ({ document }) => document)
  const shown = answer.results.flatMap(({ vector_id }) => byId.get(vector_id) ?? [])
  const wanted = new Set(contentRanges(shown).map(({ document }) => document))
  const texts = shown
    .filter(({ document }) => wanted.has(document))
    .map((document): Text => {
      const text = (bodies.get(document.document) ?? []).map((segment) => segment.text).join('')
      return { document, text, size: sizeOf(text) }
    })
  const room = CONTENT_ANSWER_CHARS - RESERVED_CHARS - sizeOf(answer) - ROW_CHARS * texts.length
  const contents = new Map(fill(texts, room).map((content) => [content.vectorId, content.fields]))
  return { ...answer, results: answer.results.map((row) => ({ ...row, ...contents.get(row.vector_id) })) }
}

interface Content {
  readonly vectorId: string
  readonly fields: Pick<SearchRow, 'content' | 'content_source' | 'content_truncated' | 'next_content_offset'>
}

/** Shares the room evenly; what a short text leaves of its share goes to longer ones. */
function fill(texts: readonly Text[], room: number): Content[] {
  let left = Math.max(0, room)
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

/** Where the longest head ends that takes at most so much of the budget; never inside a surrogate pair. */
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
