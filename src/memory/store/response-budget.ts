/**
 * Counts what still fits into one answer: a number of items and two byte limits,
 * one for the JSON text and one for the whole response. The first item always
 * fits, so that every page makes progress.
 */
import { utf8Bytes } from '../../base/utf8.ts'
import { MAX_ANSWER_BYTES, MAX_SENT_BYTES } from '../limits.ts'

/** UTF-8 bytes reserved for the parts of an answer that are not items: braces, names, cursor. */
const FRAME_BYTES = 4096

export class ResponseBudget {
  #bytes = MAX_ANSWER_BYTES - FRAME_BYTES
  #sentBytes = MAX_SENT_BYTES - FRAME_BYTES
  #items: number
  #isEmpty = true
  /** True after an item or a part did not fit. */
  isFull = false

  constructor(maxItems: number) {
    this.#items = maxItems
  }

  /** Takes an item if its JSON fits; false when it does not. */
  take(item: unknown): boolean {
    const isTaken = this.#items > 0 && this.#spend(item, this.#isEmpty)
    if (isTaken) this.#items -= 1
    else this.isFull = true
    return isTaken
  }

  /** Takes a part of an item that is already taken: it counts in bytes, not as an item. */
  takePart(part: unknown): boolean {
    const isTaken = this.#spend(part, false)
    if (!isTaken) this.isFull = true
    return isTaken
  }

  #spend(part: unknown, mustFit: boolean): boolean {
    const json = JSON.stringify(part)
    const bytes = utf8Bytes(json) + 1
    // The response contains the answer as a structure and as JSON text inside JSON, where escapes are escaped again.
    const sentBytes = bytes + utf8Bytes(JSON.stringify(json))
    if (!mustFit && (bytes > this.#bytes || sentBytes > this.#sentBytes)) return false
    this.#bytes -= bytes
    this.#sentBytes -= sentBytes
    this.#isEmpty = false
    return true
  }
}
