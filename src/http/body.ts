/**
 * Reads the body of a request, once, up to the limit of its route. Bytes beyond
 * the limit are not kept: a declared length above it is refused before the first
 * byte, an undeclared one at the first byte above it. The rest of a refused body
 * is read and dropped, up to a limit, because most clients read the answer only
 * after they have sent everything.
 */
import { MAX_DRAINED_BODY_BYTES } from './limits.ts'

/** The whole body, empty when there is none; undefined when it is larger than `maxBytes`. */
export async function readBody(request: Request, maxBytes: number): Promise<ArrayBuffer | undefined> {
  if (request.body === null) return new ArrayBuffer(0)
  const reader = request.body.getReader()
  const declared = Number(request.headers.get('content-length') ?? 0)
  const parts = declared > maxBytes ? undefined : await readParts(reader, maxBytes)
  if (parts === undefined) await drain(reader)
  return parts && concatenate(parts)
}

/** Undefined when there are more than `maxBytes`; the bytes read until then are dropped. */
async function readParts(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array[] | undefined> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return parts
    bytes += value.byteLength
    if (bytes > maxBytes) return undefined
    parts.push(value)
  }
}

/** A connection that ends meanwhile is no error: there is no client left to answer. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  let bytes = 0
  try {
    while (bytes < MAX_DRAINED_BODY_BYTES) {
      const { done, value } = await reader.read()
      if (done) return
      bytes += value.byteLength
    }
    await reader.cancel()
  } catch {
    // The connection is closed.
  }
}

function concatenate(parts: readonly Uint8Array[]): ArrayBuffer {
  const whole = new Uint8Array(parts.reduce((bytes, part) => bytes + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole.buffer
}
