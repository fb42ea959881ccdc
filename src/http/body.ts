/**
 * Reads a request's body up to the limit of its route, before anyone else does.
 * Nothing beyond the limit is kept: a declared length over it is refused before
 * the first byte, an undeclared one as soon as it is passed. The rest is let run
 * out, within reason, as most clients send all before they read the answer.
 */

/** Most bytes of a refused body that are taken off the line, unkept. */
const DRAINED_BYTES = 32 * 1024 * 1024

/** The request with its body in memory, or `undefined` when there is more than `maxBytes`. */
export async function withBody(request: Request, maxBytes: number): Promise<Request | undefined> {
  if (request.body === null) return request
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) {
    await drain(request.body.getReader())
    return undefined
  }
  const body = await readUpTo(request.body, maxBytes)
  if (body === undefined) return undefined
  // A GET may come with a body, which nobody reads, and can't be made with one.
  const isRead = request.method !== 'GET' && request.method !== 'HEAD'
  const { method, headers, signal } = request
  return new Request(request.url, { method, headers, signal, ...(isRead && { body }) })
}

async function readUpTo(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array | undefined> {
  const reader = stream.getReader()
  const parts: Uint8Array[] = []
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return joined(parts, bytes)
    bytes += value.byteLength
    if (bytes > maxBytes) {
      parts.length = 0
      await drain(reader)
      return undefined
    }
    parts.push(value)
  }
}

/** A client that goes away meanwhile needs no answer either. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  let bytes = 0
  try {
    while (bytes < DRAINED_BYTES) {
      const { done, value } = await reader.read()
      if (done) return
      bytes += value.byteLength
    }
    await reader.cancel()
  } catch {
    // The connection is gone.
  }
}

function joined(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}
