/**
 * Gathers lines into pages. A page carries the position of its last complete
 * item, which is right once the page is stored.
 */
import type { ImportProgress } from './import-options.ts'
import type { ImportPosition } from './read/position.ts'

/** Bytes of JSON in a page; a larger line gets a page of its own. */
export const PAGE_BYTES = 1_500_000
/** Lines in a page. */
export const PAGE_LINES = 100

/** Lines that are stored together, and the state after them. */
export interface PageItem {
  readonly lines: readonly string[]
  readonly position: ImportPosition
  /** Documents, tags and commits that come after this item. */
  readonly left: number
  /** Commits read completely so far. */
  readonly commits: number
  readonly phase: ImportProgress['phase']
  /** The page ends here, full or not. */
  readonly last?: boolean
}

export interface LinePage extends PageItem {
  readonly bytes: number
}

/**
 * The last page may be empty; it then only moves the cursor. When reading fails,
 * the items before are a last page, and the error is thrown after it.
 */
export async function* toPages(items: AsyncIterable<PageItem>, pageLines = PAGE_LINES): AsyncGenerator<LinePage> {
  let lines: string[] = []
  let bytes = 0
  let last: PageItem | undefined
  let posted = true
  let failed: { readonly error: unknown } | undefined
  try {
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
  } catch (error) {
    failed = { error }
  }
  if (last !== undefined && !posted) yield { ...last, lines, bytes }
  if (failed !== undefined) throw failed.error
}
