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
   * `bytes` were answered after `elapsedMs`. A small request says little about a large
   * one, and a question may have waited behind a batch: the size grows at most to twice
   * that of the request, and shrinks at most by half after one of less than half of it.
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
