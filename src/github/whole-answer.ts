/**
 * One attempt over HTTP, read to its end. An answer that is late, cut off or too
 * large is a fault, so that every later step has all of it. Redirects are not
 * followed, and no cache on the way may answer.
 */
import { failBecause } from './fault.ts'
import type { GitHubResult } from './github.ts'
import { MAX_ANSWER_BYTES } from './limits.ts'

export interface WholeAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface WireOptions {
  /** The platform's fetch, or one that tests pass. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly timeLimitMs: number
}

type WireRequest = Pick<RequestInit, 'method' | 'headers' | 'body'>

export async function readWhole(
  url: string,
  request: WireRequest,
  { fetch, timeLimitMs }: WireOptions,
): Promise<GitHubResult<WholeAnswer>> {
  const timeout = new AbortController()
  const late = new Promise<never>((_, reject) => {
    timeout.signal.addEventListener('abort', () => reject(new Error('late')))
  })
  // Nothing waits for it when the answer comes in time.
  late.catch(() => undefined)
  const timer = setTimeout(() => timeout.abort(), timeLimitMs)
  let connected = false
  try {
    const init: RequestInit = { ...request, redirect: 'manual', cache: 'no-store', signal: timeout.signal }
    const response = await Promise.race([fetch(url, init), late])
    connected = true
    const { status, headers } = response
    const bytes = await readBytes(response, late)
    if (bytes === undefined) return failBecause(`GitHub's answer is larger than ${MAX_ANSWER_BYTES} bytes`)
    if (status !== 304 && !hasItsLength(headers, bytes)) return failBecause("GitHub's answer was cut off")
    return { ok: true, value: { status, headers, bytes } }
  } catch {
    if (timeout.signal.aborted) return failBecause(`GitHub took longer than ${timeLimitMs} ms to answer`)
    return failBecause(connected ? "GitHub's answer was cut off" : 'GitHub does not answer')
  } finally {
    clearTimeout(timer)
  }
}

/** Undefined when there are more bytes than an answer may have; the rest is not read. */
async function readBytes(response: Response, late: Promise<never>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (response.body === null) return new Uint8Array()
  const reader = response.body.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await Promise.race([reader.read(), late])
    if (done) break
    size += value.byteLength
    if (size > MAX_ANSWER_BYTES) {
      await reader.cancel()
      return undefined
    }
    parts.push(value)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.byteLength
  }
  return bytes
}

/** A compressed body has another length than the one it was sent with. */
function hasItsLength(headers: Headers, bytes: Uint8Array): boolean {
  const length = headers.get('content-length')
  if (length === null || headers.has('content-encoding')) return true
  return Number(length) === bytes.byteLength
}
