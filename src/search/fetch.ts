/**
 * Stored bodies of named rows, each through one window. One index read however
 * many ids. Ids that name nothing, nothing any more, or nothing the viewer may
 * see are told apart by no one.
 */
import { ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import type { FetchAnswer } from '../contracts/tools/search-answers.ts'
import type { FetchRow } from '../contracts/tools/search-rows.ts'
import { FETCH_ANSWER_CHARS } from '../contracts/tools/search.ts'
import type { Index } from '../index/database.ts'
import { MAX_BODY_BYTES } from '../index/limits.ts'
import { bodyBytesById, segmentsById } from '../index/read-bodies.ts'
import type { SegmentRow } from '../index/read-bodies.ts'
import { documentsById } from '../index/read-documents.ts'
import type { DocumentRow } from '../index/read-documents.ts'
import { readTogether } from '../index/sql.ts'
import type { FetchPlan } from './plan.ts'
import { toWholeRow } from './present.ts'

/** UTF-16 units read around a window: a surrogate pair may begin just before it or end just after. */
const AROUND = 2
/** UTF-8 bytes of the longest character: a body cut on a character boundary ends within one of the cap. */
const LONGEST_CHARACTER = 4

export async function fetchBodies(index: Index, plan: FetchPlan): Promise<Result<FetchAnswer>> {
  const { viewer, vectorIds, offset, maxChars } = plan
  const read = await readTogether(index, {
    documents: documentsById(viewer, vectorIds),
    segments: segmentsById(viewer, vectorIds, Math.max(0, offset - AROUND), offset + maxChars + AROUND),
    bytes: bodyBytesById(viewer, vectorIds, MAX_BODY_BYTES / LONGEST_CHARACTER),
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
    not_found: vectorIds.filter((id) => !byId.has(id)),
    results: [],
  }
  let room = FETCH_ANSWER_CHARS - JSON.stringify(empty).length - 10
  const results = vectorIds.flatMap((id) => {
    const document = byId.get(id)
    if (!document) return []
    const own = segments.filter((segment) => segment.document === document.document)
    const isCut = document.sourceTruncated || (bytes.get(document.document) ?? 0) > MAX_BODY_BYTES - LONGEST_CHARACTER
    const whole = toFetchRow(document, windowOf(own, document.bodyChars, offset, maxChars), isCut)
    const size = JSON.stringify(whole).length + 1
    const row = size <= room ? whole : toFetchRow(document, { start: whole.content_offset, text: '' }, true)
    room -= row === whole ? size : JSON.stringify(row).length + 1
    return [row]
  })
  return ok({ ...empty, count: results.length, results })
}

interface Slice {
  readonly start: number
  readonly text: string
}

function toFetchRow(document: DocumentRow, { start, text }: Slice, isCut: boolean): FetchRow {
  const end = start + text.length
  const remains = end < document.bodyChars
  return {
    ...toWholeRow(document),
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

/** True where a cut before unit `at` would fall inside a surrogate pair. */
function splitsPair(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false
  return isIn(text.charCodeAt(at - 1), 0xd800) && isIn(text.charCodeAt(at), 0xdc00)
}

/** High surrogates fill the 1,024 units from 0xD800, low ones those from 0xDC00. */
function isIn(unit: number, first: number): boolean {
  return unit >= first && unit < first + 0x400
}
