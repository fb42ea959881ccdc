/**
 * Keeps requests to an embedder short at any speed: measures how many bytes
 * it embeds in a second, and says how many the next request may have. One text
 * alone cannot be made shorter, so it may take longer.
 */
import { EMBEDDER_BATCH_LIMITS, EMBEDDER_REQUEST_MS, FIRST_REQUEST_BYTES } from '../limits.ts'

export class RequestSize {
  /** UTF-8 bytes of the next request. */
  bytes = FIRST_REQUEST_BYTES

  /** `bytes` were answered after `elapsedMs`. Grows at most twofold, because a small request says little about a large one. */
  record(bytes: number, elapsedMs: number): void {
    const inTime = (bytes * EMBEDDER_REQUEST_MS) / Math.max(1, elapsedMs)
    this.bytes = Math.min(EMBEDDER_BATCH_LIMITS.batchBytes, 2 * this.bytes, Math.max(1, inTime))
  }

  /** After a request that took too long to be answered. */
  recordTimeout(): void {
    this.bytes = Math.max(1, this.bytes / 4)
  }
}
