/** How much more an answer can hold. Its first item always fits, so that every page makes progress. */
import { ANSWER_BYTES } from './limits.ts'
import { jsonBytes } from './message.ts'

/** Bytes of an answer that are not items: its braces, names and cursor. */
const FRAME_BYTES = 4096

export class Room {
  #bytes = ANSWER_BYTES - FRAME_BYTES
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
    const bytes = jsonBytes(item) + 1
    const fits = this.#items > 0 && (bytes <= this.#bytes || this.#isEmpty)
    if (!fits) {
      this.isFull = true
      return false
    }
    this.#bytes -= bytes
    this.#items -= 1
    this.#isEmpty = false
    return true
  }

  /** The same for what comes inside an item that was taken already: it is no item of its own. */
  takeInside(part: unknown): boolean {
    const bytes = jsonBytes(part) + 1
    if (bytes > this.#bytes) return false
    this.#bytes -= bytes
    return true
  }
}
