/**
 * Keeping an answer within its size: what follows the rows goes first, then what
 * rows say at length, the rows themselves last, each from the end of the list.
 * One row is always shown. Sizes are counted in UTF-16 units, on the JSON text
 * and on what a reply makes of it.
 */
import type { HybridRow, SearchRow } from '../../contracts/tools/search-rows.ts'
import { bareRow, withFewNames, withShortFields } from './present.ts'

/** Most units of a search's or a scan's answer: hosts cut or refuse more. */
export const LIST_ANSWER_CHARS = 40_000

/** A reply, which holds the JSON twice, once escaped as text, may be this much longer than the budget. */
const REPLY_FACTOR = 2.2

/** Room for what a trimmed answer gains: `truncated`, a cursor, a warning; and for what a reply puts around it. */
export const RESERVED_CHARS = 800

/** What a value takes of an answer's budget: the units of its JSON, or more where escaping that again adds much. */
export function sizeOf(value: unknown): number {
  const json = JSON.stringify(value)
  return shareOf(json.length, json.length + JSON.stringify(json).length - 2)
}

/** The part of the budget that so many units of JSON take which are so many in the whole reply. */
export function shareOf(jsonChars: number, replyChars: number): number {
  return Math.max(jsonChars, Math.ceil(replyChars / REPLY_FACTOR))
}

/**
 * Rows that fit in an answer that takes `otherChars` without them, at least one.
 * In a search the other rows of each entity go first, then snippets; then long
 * lists of names, then rows. `shortened` is true where a row shows fewer names or
 * shorter fields than it has.
 */
export function trimToFit<Row extends SearchRow>(
  rows: readonly Row[],
  otherChars: number,
): { readonly rows: readonly Row[]; readonly trimmed: boolean; readonly shortened: boolean } {
  const kept = rows.slice()
  const room = LIST_ANSWER_CHARS - RESERVED_CHARS - otherChars
  const sizes = kept.map(rowSize)
  let size = sizes.reduce((sum, one) => sum + one, 0)
  let [trimmed, shortened] = [false, false]
  for (const shorten of [withoutOthers, withoutSnippet, withFewNames]) {
    for (let at = kept.length - 1; at >= 0 && size > room; at -= 1) {
      const shorter = shorten(kept[at] as Row)
      if (!shorter) continue
      const length = rowSize(shorter)
      size += length - (sizes[at] ?? 0)
      sizes[at] = length
      kept[at] = shorter
      trimmed = true
      if (shorten === withFewNames) shortened = true
    }
  }
  while (kept.length > 1 && size > room) {
    kept.pop()
    size -= sizes[kept.length] ?? 0
    trimmed = true
  }
  if (size <= room) return { rows: kept, trimmed, shortened }
  return { rows: kept.map((row) => shortenTo(row, room)), trimmed: true, shortened: true }
}

/** The row with as much of its fields as so many units hold; what names it stays whatever it takes. */
export function shortenTo<Row extends SearchRow>(row: Row, chars: number): Row {
  let shorter = row
  for (const shorten of [withFewNames, withShortFields, bareRow]) {
    if (rowSize(shorter) <= chars) break
    shorter = shorten(shorter) ?? shorter
  }
  return shorter
}

/** The first rows that fit in an answer that takes `otherChars` without them. */
export function firstThatFit<Row extends object>(rows: readonly Row[], otherChars: number): readonly Row[] {
  let room = LIST_ANSWER_CHARS - RESERVED_CHARS - otherChars
  const end = rows.findIndex((row) => {
    room -= rowSize(row)
    return room < 0
  })
  return end < 0 ? rows : rows.slice(0, end)
}

/** One more for the comma or bracket after it, which is there twice in a reply. */
export function rowSize(row: object): number {
  return sizeOf(row) + 1
}

function withoutOthers<Row extends SearchRow>(row: Row): Row | undefined {
  const { same_entity: entity } = row as Row & Partial<HybridRow>
  if (!entity || entity.others.length === 0) return undefined
  return { ...row, same_entity: { ...entity, others: [] } }
}

function withoutSnippet<Row extends SearchRow>(row: Row): Row | undefined {
  const { snippet, snippet_offset: _, ...rest } = row as Row & Partial<HybridRow>
  return snippet === undefined ? undefined : (rest as unknown as Row)
}
