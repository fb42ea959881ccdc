/**
 * Keeps requests to an embedder short at any speed: measures how many bytes
 * it embeds in a second, and says how many the next request may have. One text
 * alone cannot be made shorter, so it may take longer.
 */
import { EMBEDDER_BATCH_LIMITS, EMBEDDER_REQUEST_MS, FIRST_REQUEST_BYTES } from '../limits.ts'

export class RequestSize {
  /** UTF-8 bytes of the next request. */
  bytes = FIRST_REQUEST_BYTES

  /**
   * `bytes` were answered after `elapsedMs`. The next request may have as many as are
   * embedded in EMBEDDER_REQUEST_MS at this speed, within two bounds:
   * - It grows to 2 * `bytes` at most, because a small request says little about a large one.
   * - After a request of less than half of it, it falls to that half at most: a small
   *   request, such as a question, may have waited behind a large one.
   */
  record(bytes: number, elapsedMs: number): void {
    const inTime = (bytes * EMBEDDER_REQUEST_MS) / Math.max(1, elapsedMs)
    const most = Math.max(this.bytes, 2 * bytes)
    const least = 2 * bytes < this.bytes ? this.bytes / 2 : 1
    this.bytes = Math.min(EMBEDDER_BATCH_LIMITS.batchBytes, most, Math.max(least, inTime))
  }

  /** After a request that took too long to be answered. */
  recordTimeout(): void {
    this.bytes = Math.max(1, this.bytes / 4)
  }
}
