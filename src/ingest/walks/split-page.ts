/** Cuts the changes of a step into pages that one transaction each can hold, in their order. */
import { utf8Bytes } from '../../base/utf8.ts'
import type { DocumentChange } from '../../documents/document.ts'
import { MAX_PAGE_BYTES, MAX_PAGE_DOCUMENTS } from '../limits.ts'

/** At least one page, which is empty without changes. A single larger change is a page of its own. */
export function splitPage(changes: readonly DocumentChange[]): readonly (readonly DocumentChange[])[] {
  const pages: DocumentChange[][] = [[]]
  let bytes = 0
  for (const change of changes) {
    const own = bytesOf(change)
    let page = pages.at(-1)!
    const isFull = page.length > 0 && (bytes + own > MAX_PAGE_BYTES || page.length >= MAX_PAGE_DOCUMENTS)
    if (isFull && !isReplaced(page.at(-1), change)) {
      page = []
      pages.push(page)
      bytes = 0
    }
    page.push(change)
    bytes += own
  }
  return pages
}

/** True for the put of a document that the change before removes: apart from it, the index would keep the removal. */
function isReplaced(before: DocumentChange | undefined, change: DocumentChange): boolean {
  if (before === undefined || !('remove' in before) || !('put' in change)) return false
  return JSON.stringify(before.remove.identity) === JSON.stringify(change.put.identity)
}

/** Of the texts that can be long; the other fields are a few hundred bytes. */
function bytesOf(change: DocumentChange): number {
  if ('remove' in change) return 0
  const { body, message = '', diffHunk = '' } = change.put
  return utf8Bytes(body) + utf8Bytes(message) + utf8Bytes(diffHunk)
}
