/**
 * Puts large binary content into a response without passing it through the SDK,
 * which would copy, validate and encode megabytes several times and block the
 * isolate. The SDK receives a short placeholder; its place in the response stream
 * is filled with the base64 of the bytes, part by part. One splicer serves one
 * request.
 */
import { Buffer } from 'node:buffer'
import { toBase64Parts } from '../base/base64.ts'

const PLACEHOLDER_CHARS = 32

export class Splicer {
  readonly #pending = new Map<string, Uint8Array>()

  /** A placeholder for the base64 of the bytes. It is random, so that no other text of the response contains it. */
  put(bytes: Uint8Array): string {
    const placeholder = crypto.randomUUID().replaceAll('-', '')
    this.#pending.set(placeholder, bytes)
    return placeholder
  }

  /** The response with each placeholder replaced, as a stream that is produced as the client reads it. */
  deliver(response: Response): Response {
    if (response.body === null) return response
    const headers = new Headers(response.headers)
    headers.delete('content-length')
    const { status, statusText } = response
    return new Response(this.#splice(response.body.getReader()), { status, statusText, headers })
  }

  /** Cancelling the stream cancels its source at once, also while a read is pending. */
  #splice(reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
    const parts = this.#readSpliced(reader)
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      const { done, value } = await parts.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    }
    return new ReadableStream<Uint8Array>({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 })
  }

  async *#readSpliced(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
    let kept = Buffer.alloc(0)
    for (;;) {
      const { done, value: chunk } = await reader.read()
      if (done) break
      kept = kept.length === 0 ? Buffer.from(chunk) : Buffer.concat([kept, chunk])
      for (let found = this.#takeFirst(kept); found !== undefined; found = this.#takeFirst(kept)) {
        yield kept.subarray(0, found.at)
        for (const part of toBase64Parts(found.bytes)) yield Buffer.from(part, 'latin1')
        kept = kept.subarray(found.at + PLACEHOLDER_CHARS)
      }
      // While bytes are pending, the end of a chunk may be the first half of their placeholder.
      const ready = this.#pending.size === 0 ? kept.length : Math.max(0, kept.length - PLACEHOLDER_CHARS + 1)
      if (ready > 0) yield kept.subarray(0, ready)
      kept = kept.subarray(ready)
    }
    if (kept.length > 0) yield kept
  }

  /** Of the pending bytes whose placeholder is in the text, those of the first one; they are no longer pending. */
  #takeFirst(text: Buffer): { readonly at: number; readonly bytes: Uint8Array } | undefined {
    let first: { at: number; bytes: Uint8Array; placeholder: string } | undefined
    for (const [placeholder, bytes] of this.#pending) {
      const at = text.indexOf(placeholder)
      if (at >= 0 && (first === undefined || at < first.at)) first = { at, bytes, placeholder }
    }
    if (first !== undefined) this.#pending.delete(first.placeholder)
    return first
  }
}
