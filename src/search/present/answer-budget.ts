/**
 * Trims an answer to its size: first the other rows of entities and the other
 * files of commits, then snippets and long lists of names, then rows, each from
 * the end of the list. At least
 * one row is shown. Sizes are UTF-16 units of the JSON text and of the reply
 * that contains it.
 */
import type { HybridRow, SearchRow } from '../../contracts/tools/search-rows.ts'
import { bareRow, withFewNames, withShortFields } from './answer-rows.ts'

/** UTF-16 units of the answer of a search or a scan, at most: hosts cut or refuse longer ones. */
const LIST_ANSWER_CHARS = 40_000

/** A reply, which contains the JSON twice, once escaped as text, may be longer than the budget by this factor. */
const REPLY_FACTOR = 2.2

/** UTF-16 units reserved for the fields of a trimmed answer (`truncated`, a cursor, a warning) and for the reply around it. */
export const RESERVED_CHARS = 800

/** The share of a value in an answer's budget: the units of its JSON, or more if escaping that again adds much. */
export function sizeOf(value: unknown): number {
  const json = JSON.stringify(value)
  return shareOf(json.length, json.length + JSON.stringify(json).length - 2)
}

/** The share in the budget of `jsonChars` units of JSON that take `replyChars` units of the reply. */
export function shareOf(jsonChars: number, replyChars: number): number {
  return Math.max(jsonChars, Math.ceil(replyChars / REPLY_FACTOR))
}

/**
 * The rows that fit in an answer that takes `otherChars` without them, at least
 * one. `trimmed` is true if anything is missing, `shortened` if a row shows fewer
 * names or shorter fields than it has.
 */
export function trimToFit<Row extends SearchRow>(
  rows: readonly Row[],
  otherChars: number,
): { readonly rows: readonly Row[]; readonly trimmed: boolean; readonly shortened: boolean } {
  const kept = rows.slice()
  const space = LIST_ANSWER_CHARS - RESERVED_CHARS - otherChars
  const sizes = kept.map(rowSize)
  let size = sizes.reduce((sum, one) => sum + one, 0)
  let [trimmed, shortened] = [false, false]
  for (const shorten of [withoutOthers, withFirstFile, withoutSnippet, withFewNames]) {
    for (let at = kept.length - 1; at >= 0 && size > space; at -= 1) {
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
  while (kept.length > 1 && size > space) {
    kept.pop()
    size -= sizes[kept.length] ?? 0
    trimmed = true
  }
  if (size <= space) return { rows: kept, trimmed, shortened }
  return { rows: kept.map((row) => shortenTo(row, space)), trimmed: true, shortened: true }
}

/** The row with as many of its fields as fit in `chars` units; the fields that identify it always stay. */
export function shortenTo<Row extends SearchRow>(row: Row, chars: number): Row {
  let shorter = row
  for (const shorten of [withFirstFile, withFewNames, withShortFields, bareRow]) {
    if (rowSize(shorter) <= chars) break
    shorter = shorten(shorter) ?? shorter
  }
  return shorter
}

/** The first rows that fit in an answer that takes `otherChars` without them. */
export function firstThatFit<Row extends object>(rows: readonly Row[], otherChars: number): readonly Row[] {
  let left = LIST_ANSWER_CHARS - RESERVED_CHARS - otherChars
  const end = rows.findIndex((row) => {
    left -= rowSize(row)
    return left < 0
  })
  return end < 0 ? rows : rows.slice(0, end)
}

/** The size of one row with the comma or bracket after it. */
export function rowSize(row: object): number {
  return sizeOf(row) + 1
}

function withoutOthers<Row extends SearchRow>(row: Row): Row | undefined {
  const { same_entity: entity } = row as Row & Partial<HybridRow>
  if (!entity || entity.others.length === 0) return undefined
  return { ...row, same_entity: { ...entity, others: [] } }
}

function withFirstFile<Row extends SearchRow>(row: Row): Row | undefined {
  const { files = [] } = row
  return files.length > 1 ? { ...row, files: files.slice(0, 1) } : undefined
}

function withoutSnippet<Row extends SearchRow>(row: Row): Row | undefined {
  const { snippet, snippet_offset: _, ...rest } = row as Row & Partial<HybridRow>
  return snippet === undefined ? undefined : (rest as unknown as Row)
}
