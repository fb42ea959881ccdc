/**
 * Asking a model over HTTP: JSON in, JSON out, once. The key is sent to the
 * configured address alone: redirects are not followed. What became of the
 * request is told; what the answer is worth, the asker judges.
 */

/** The platform's fetch, or a test's. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface ModelRequest {
  readonly url: string
  readonly key?: string
  readonly fetch: Fetch
  readonly body: object
  readonly timeLimitMs: number
}

/** `status` where another than a good one came, `problem` in words where none did. */
export type ModelAnswer = { readonly json: unknown } | { readonly status: number } | { readonly problem: string }

export async function postToModel({ url, key, fetch, body, timeLimitMs }: ModelRequest): Promise<ModelAnswer> {
  const late = new AbortController()
  // Cleared when it is over: a timer that is left keeps a Durable Object in memory.
  const timer = setTimeout(() => late.abort(), timeLimitMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: late.signal,
    })
    if (response.ok) return { json: await response.json() }
    await response.body?.cancel()
    return { status: response.status }
  } catch {
    return { problem: late.signal.aborted ? 'took too long' : 'does not answer' }
  } finally {
    clearTimeout(timer)
  }
}
