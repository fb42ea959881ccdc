/**
 * Lines gathered into pages. A page carries the position that is true once it
 * is in: that of the last item it holds whole.
 */
import type { ImportProgress } from './import-options.ts'
import type { ImportPosition } from './position.ts'

/** A normal page in bytes of JSON, and in lines; a larger line goes alone. */
export const PAGE_BYTES = 1_500_000
export const PAGE_LINES = 100

/** Lines that belong together, and what is true after them. */
export interface PageItem {
  readonly lines: readonly string[]
  readonly position: ImportPosition
  /** Documents, tags and commits still to come after this item. */
  readonly left: number
  /** Commits read whole so far. */
  readonly commits: number
  readonly phase: ImportProgress['phase']
  /** The page ends here, full or not. */
  readonly last?: boolean
}

export interface LinePage extends PageItem {
  readonly bytes: number
}

/** The last page may be empty: it only moves the cursor. */
export async function* toPages(items: AsyncIterable<PageItem>, pageLines = PAGE_LINES): AsyncGenerator<LinePage> {
  let lines: string[] = []
  let bytes = 0
  let last: PageItem | undefined
  let posted = true
  for await (const item of items) {
    const size = item.lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
    const full = lines.length + item.lines.length > pageLines || bytes + size > PAGE_BYTES
    if (last !== undefined && lines.length > 0 && full) {
      yield { ...last, lines, bytes }
      lines = []
      bytes = 0
    }
    lines.push(...item.lines)
    bytes += size
    last = item
    posted = false
    if (item.last === true) {
      yield { ...item, lines, bytes }
      lines = []
      bytes = 0
      posted = true
    }
  }
  if (last !== undefined && !posted) yield { ...last, lines, bytes }
}
