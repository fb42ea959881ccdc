/** How much more an answer can hold. Its first item always fits, so that every page makes progress. */
import { utf8Bytes } from '../../base/utf8.ts'
import { MAX_ANSWER_BYTES, MAX_SENT_BYTES } from '../limits.ts'

/** Bytes of an answer that are not items: its braces, names and cursor. */
const FRAME_BYTES = 4096

export class ResponseBudget {
  #bytes = MAX_ANSWER_BYTES - FRAME_BYTES
  #sentBytes = MAX_SENT_BYTES - FRAME_BYTES
  #items: number
  #isEmpty = true
  /** Something did not fit. */
  isFull = false

  /** Room for so many items at most. */
  constructor(items: number) {
    this.#items = items
  }

  /** Whether there is room for an item's JSON; it is then taken. */
  take(item: unknown): boolean {
    const isTaken = this.#items > 0 && this.#spend(item, this.#isEmpty)
    if (isTaken) this.#items -= 1
    else this.isFull = true
    return isTaken
  }

  /** The same for what comes inside an item that was taken already: it is no item of its own. */
  takeBytes(part: unknown): boolean {
    const isTaken = this.#spend(part, false)
    if (!isTaken) this.isFull = true
    return isTaken
  }

  #spend(part: unknown, whatever: boolean): boolean {
    const json = JSON.stringify(part)
    const bytes = utf8Bytes(json) + 1
    // The text is JSON inside JSON, so what is escaped in it is escaped again; beside it goes the answer itself.
    const sentBytes = bytes + utf8Bytes(JSON.stringify(json))
    if (!whatever && (bytes > this.#bytes || sentBytes > this.#sentBytes)) return false
    this.#bytes -= bytes
    this.#sentBytes -= sentBytes
    this.#isEmpty = false
    return true
  }
}
