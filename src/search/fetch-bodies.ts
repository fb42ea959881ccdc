/**
 * Stored bodies of named rows, each through one window. One index read however
 * many ids. Ids that name nothing, nothing any more, or nothing the viewer may
 * see are told apart by no one.
 */
import { splitsPair } from '../base/text-cut.ts'
import { ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import type { FetchAnswer } from '../contracts/tools/search-answers.ts'
import type { FetchRow } from '../contracts/tools/search-rows.ts'
import { FETCH_ANSWER_CHARS } from '../contracts/tools/search.ts'
import type { Index } from '../index/sql/index-database.ts'
import { MAX_BODY_BYTES } from '../index/limits.ts'
import { bodyBytesById, segmentsById } from '../index/documents/read-bodies.ts'
import type { SegmentRow } from '../index/documents/read-bodies.ts'
import { documentsById } from '../index/documents/read-documents.ts'
import type { DocumentRow } from '../index/documents/read-documents.ts'
import { runQueries } from '../index/sql/sql.ts'
import { MAX_ID_CHARS } from '../index/limits.ts'
import { RESERVED_CHARS, rowSize, shortenTo, sizeOf } from './present/answer-budget.ts'
import type { FetchPlan } from './plan/plan.ts'
import { toListRow, toWholeRow } from './present/present.ts'

/** UTF-16 units read around a window: a surrogate pair may begin just before it or end just after. */
const AROUND = 2
/** UTF-8 bytes of the longest character: a body cut on a character boundary ends within one of the cap. */
const LONGEST_CHARACTER = 4

/** What a row may take without its text where the answer is full: 50 of them leave room for one whole window. */
const BRIEF_ROW_CHARS = 2_400
const SHORTENED =
  'Not all fits in one answer: some rows come without their text or with shortened fields. Ask for fewer ids.'

export async function fetchBodies(index: Index, plan: FetchPlan): Promise<Result<FetchAnswer>> {
  const { viewer, vectorIds, offset, maxChars } = plan
  const ids = vectorIds.filter((id) => id.length <= MAX_ID_CHARS)
  const read = await runQueries(index, {
    documents: documentsById(viewer, ids),
    segments: segmentsById(viewer, ids, Math.max(0, offset - AROUND), offset + maxChars + AROUND),
    bytes: bodyBytesById(viewer, ids, MAX_BODY_BYTES / LONGEST_CHARACTER),
  })
  if (!read.ok) return read
  const { documents, segments, bytes } = read.value
  const byId = new Map(documents.map((document) => [document.vectorId, document]))

  const empty: FetchAnswer = {
    count: 0,
    mode: 'fetch',
    requested: vectorIds.length,
    content_source: 'index',
    content_max_chars: maxChars,
    not_found: vectorIds.filter((id) => !byId.has(id)).map(echoed),
    results: [],
  }
  const found = vectorIds.flatMap((id) => byId.get(id) ?? [])
  const choices = found.map((document) => {
    const own = segments.filter((segment) => segment.document === document.document)
    const isCut = document.sourceTruncated || (bytes.get(document.document) ?? 0) > MAX_BODY_BYTES - LONGEST_CHARACTER
    return toChoices(document, windowOf(own, document.bodyChars, offset, maxChars), isCut)
  })
  const results = chooseWithin(choices, FETCH_ANSWER_CHARS - RESERVED_CHARS - sizeOf(empty))
  const shortened = results.some((row, at) => row !== choices[at]?.[0])
  return ok({ ...empty, count: results.length, ...(shortened && { warnings: [SHORTENED] }), results })
}

/** The part of an id that is given back. */
function echoed(id: string): string {
  return id.length <= MAX_ID_CHARS ? id : `${id.slice(0, MAX_ID_CHARS).toWellFormed()}…`
}

/** The row whole; the same with its other fields short; the same without its text. */
type Choices = readonly [FetchRow, FetchRow, FetchRow]

function toChoices(document: DocumentRow, window: Slice, isCut: boolean): Choices {
  const brief = shortenTo(toListRow(document), BRIEF_ROW_CHARS)
  const { start } = window
  return [
    { ...toWholeRow(document), ...textFields(document, window, isCut) },
    { ...brief, ...textFields(document, window, isCut) },
    { ...brief, ...textFields(document, { start, text: '' }, isCut || window.text !== '') },
  ]
}

/** Of each row the most that fits, in order, with room kept for the least of all that follow. */
function chooseWithin(choices: readonly Choices[], chars: number): FetchRow[] {
  let spare = choices.reduce((room, [, , least]) => room - rowSize(least), chars)
  return choices.map((of) => {
    const least = rowSize(of[2])
    const best = of.find((row) => rowSize(row) - least <= spare) ?? of[2]
    spare -= Math.max(0, rowSize(best) - least)
    return best
  })
}

interface Slice {
  readonly start: number
  readonly text: string
}

function textFields(document: DocumentRow, { start, text }: Slice, isCut: boolean) {
  const end = start + text.length
  const remains = end < document.bodyChars
  return {
    content: text,
    content_offset: start,
    content_chars: text.length,
    content_total_chars: document.bodyChars,
    ...(remains && { next_content_offset: end }),
    content_truncated: remains || isCut,
  }
}

/**
 * Up to `maxChars` units of a body from `offset` on. Both ends keep surrogate
 * pairs whole: the beginning moves back, the end too, unless that would leave
 * nothing of a pair, since a walk must come to its end.
 */
export function windowOf(segments: readonly SegmentRow[], bodyChars: number, offset: number, maxChars: number): Slice {
  const base = segments[0]?.start ?? 0
  const text = segments.map((segment) => segment.text).join('')
  const from = Math.min(offset, bodyChars)
  const start = splitsPair(text, from - base) ? from - 1 : from
  let end = Math.min(start + maxChars, bodyChars)
  if (splitsPair(text, end - base)) end += end - 1 > start ? -1 : 1
  return { start, text: text.slice(Math.max(0, start - base), Math.max(0, end - base)) }
}
