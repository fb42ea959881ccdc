/**
 * Keeping an answer within its size: what follows the rows goes first, the rows
 * themselves last, each from the end of the list. Sizes are counted on the JSON
 * text, in UTF-16 units.
 */
import type { HybridRow, SearchRow } from '../contracts/tools/search-rows.ts'

/** Most units of a search's or a scan's answer: hosts cut or refuse more. */
export const LIST_ANSWER_CHARS = 40_000

/** Room for what a trimmed answer gains: `truncated`, and a cursor. */
const RESERVED_CHARS = 400

/**
 * Rows that fit in an answer that takes `otherChars` without them. In a search
 * the other rows of each entity go first, then snippets, then rows.
 */
export function trimToFit<Row extends SearchRow>(
  rows: readonly Row[],
  otherChars: number,
): { readonly rows: readonly Row[]; readonly trimmed: boolean } {
  const kept = rows.slice()
  const room = LIST_ANSWER_CHARS - RESERVED_CHARS - otherChars
  // One for the comma or bracket after each.
  const sizes = kept.map((row) => JSON.stringify(row).length + 1)
  let size = sizes.reduce((sum, one) => sum + one, 0)
  let trimmed = false
  for (const shorten of [withoutOthers, withoutSnippet]) {
    for (let at = kept.length - 1; at >= 0 && size > room; at -= 1) {
      const shorter = shorten(kept[at] as Row)
      if (!shorter) continue
      const length = JSON.stringify(shorter).length + 1
      size += length - (sizes[at] ?? 0)
      sizes[at] = length
      kept[at] = shorter
      trimmed = true
    }
  }
  while (kept.length > 0 && size > room) {
    kept.pop()
    size -= sizes[kept.length] ?? 0
    trimmed = true
  }
  return { rows: kept, trimmed }
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
