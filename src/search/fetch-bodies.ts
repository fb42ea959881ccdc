/**
 * Fetch: stored bodies of rows that are named by id, each through one window. One
 * round trip for any number of ids. Unknown, deleted and hidden ids look the
 * same.
 */
import { ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import type { FetchAnswer } from '../contracts/tools/search-answers.ts'
import type { FetchRow } from '../contracts/tools/search-rows.ts'
import { FETCH_ANSWER_CHARS } from '../contracts/tools/search.ts'
import { readWindows } from '../index/documents/read-bodies.ts'
import type { BodyWindow } from '../index/documents/read-bodies.ts'
import { MAX_ID_CHARS } from '../index/limits.ts'
import type { IndexReader } from '../index/reader.ts'
import type { FetchPlan } from './plan/plan.ts'
import { RESERVED_CHARS, rowSize, shortenTo, sizeOf } from './present/answer-budget.ts'
import { toListRow, toWholeRow } from './present/answer-rows.ts'

/** UTF-16 units of a row without its text in a full answer: 50 of them leave space for one whole window. */
const BRIEF_ROW_CHARS = 2_400
const SHORTENED =
  'Not all fits in one answer: some rows come without their text or with shortened fields. Ask for fewer ids.'

export async function fetchBodies(reader: IndexReader, plan: FetchPlan): Promise<Result<FetchAnswer>> {
  const { viewer, vectorIds, maxChars } = plan
  const ids = vectorIds.filter((id) => id.length <= MAX_ID_CHARS)
  const windows = await readWindows(reader, viewer, ids, plan)
  if (!windows.ok) return windows

  const empty: FetchAnswer = {
    count: 0,
    mode: 'fetch',
    requested: vectorIds.length,
    content_source: 'index',
    content_max_chars: maxChars,
    not_found: vectorIds.filter((id) => !windows.value.has(id)).map(shortId),
    results: [],
  }
  const forms = vectorIds.flatMap((id) => windows.value.get(id) ?? []).map(toForms)
  const results = chooseWithin(forms, FETCH_ANSWER_CHARS - RESERVED_CHARS - sizeOf(empty))
  const shortened = results.some((row, at) => row !== forms[at]?.[0])
  return ok({ ...empty, count: results.length, ...(shortened && { warnings: [SHORTENED] }), results })
}

/** The id as the answer shows it: without the end of one that is too long to exist. */
function shortId(id: string): string {
  return id.length <= MAX_ID_CHARS ? id : `${id.slice(0, MAX_ID_CHARS).toWellFormed()}…`
}

/** Three forms of a row, longest first: whole, with short fields beside its text, with short fields and no text. */
type RowForms = readonly [FetchRow, FetchRow, FetchRow]

function toForms(window: BodyWindow): RowForms {
  const brief = shortenTo(toListRow(window.document), BRIEF_ROW_CHARS)
  const isCut = window.isCut || window.text !== ''
  return [
    { ...toWholeRow(window.document), ...textFields(window) },
    { ...brief, ...textFields(window) },
    { ...brief, ...textFields({ ...window, text: '', isCut }) },
  ]
}

/** The longest form of each row that fits, in order, with space reserved for the shortest form of every row after it. */
function chooseWithin(rows: readonly RowForms[], chars: number): FetchRow[] {
  let spare = rows.reduce((left, [, , shortest]) => left - rowSize(shortest), chars)
  return rows.map((forms) => {
    const least = rowSize(forms[2])
    const best = forms.find((row) => rowSize(row) - least <= spare) ?? forms[2]
    spare -= Math.max(0, rowSize(best) - least)
    return best
  })
}

function textFields({ document, start, text, isCut }: BodyWindow) {
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
