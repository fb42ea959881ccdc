/**
 * Carries what is large around the SDK. A sound of megabytes inside an answer
 * would be copied, checked and encoded whole, several times over, while nobody
 * else of the isolate is served. So the SDK is given a short stand-in, and the
 * base64 takes its place piece by piece as the answer goes out. An outbox
 * belongs to one request.
 */
import { Buffer } from 'node:buffer'
import { toBase64Parts } from '../base/base64.ts'

const STAND_IN_CHARS = 32

export class Splicer {
  readonly #waiting = new Map<string, Uint8Array>()

  /** Base64 to be put where those bytes belong. It is made of chance, so that no text can hold it. */
  put(bytes: Uint8Array): string {
    const standIn = crypto.randomUUID().replaceAll('-', '')
    this.#waiting.set(standIn, bytes)
    return standIn
  }

  /** The same response with what was put in place of its stand-ins. */
  deliver(response: Response): Response {
    if (response.body === null) return response
    const headers = new Headers(response.headers)
    headers.delete('content-length')
    const { status, statusText } = response
    return new Response(this.#toFilled(response.body.getReader()), { status, statusText, headers })
  }

  /** Made only as fast as it is taken. That nobody takes it any more is told to the one who answers at once. */
  #toFilled(reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
    const pieces = this.#filled(reader)
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      const { done, value } = await pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    }
    return new ReadableStream<Uint8Array>({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 })
  }

  async *#filled(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
    let kept = Buffer.alloc(0)
    for (;;) {
      const { done, value: chunk } = await reader.read()
      if (done) break
      kept = kept.length === 0 ? Buffer.from(chunk) : Buffer.concat([kept, chunk])
      for (let found = this.#find(kept); found !== undefined; found = this.#find(kept)) {
        yield kept.subarray(0, found.at)
        for (const piece of toBase64Parts(found.bytes)) yield Buffer.from(piece, 'latin1')
        kept = kept.subarray(found.at + STAND_IN_CHARS)
      }
      // While something waits, the end of a chunk may be the beginning of its stand-in.
      const ready = this.#waiting.size === 0 ? kept.length : Math.max(0, kept.length - STAND_IN_CHARS + 1)
      if (ready > 0) yield kept.subarray(0, ready)
      kept = kept.subarray(ready)
    }
    if (kept.length > 0) yield kept
  }

  /** Takes out the first of those waiting that has a place in the text. */
  #find(text: Buffer): { readonly at: number; readonly bytes: Uint8Array } | undefined {
    for (const [standIn, bytes] of this.#waiting) {
      const at = text.indexOf(standIn)
      if (at < 0) continue
      this.#waiting.delete(standIn)
      return { at, bytes }
    }
    return undefined
  }
}
