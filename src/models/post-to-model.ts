/**
 * One JSON request to a model over HTTP. The key goes to the configured address
 * alone: redirects are not followed. Reports the outcome of the request; callers
 * check the content of the answer.
 */

/** The platform's fetch; tests pass their own. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

interface ModelRequest {
  readonly url: string
  readonly key?: string
  readonly fetch: Fetch
  readonly body: object
  readonly timeLimitMs: number
}

/** `status` of an HTTP error, or `problem` in words when no response came. */
type ModelAnswer = { readonly json: unknown } | { readonly status: number } | { readonly problem: string }

export async function postToModel({ url, key, fetch, body, timeLimitMs }: ModelRequest): Promise<ModelAnswer> {
  const timeout = new AbortController()
  // Cleared below: a pending timer keeps a Durable Object in memory.
  const timer = setTimeout(() => timeout.abort(), timeLimitMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: timeout.signal,
    })
    if (response.ok) return { json: await response.json() }
    await response.body?.cancel()
    return { status: response.status }
  } catch {
    return { problem: timeout.signal.aborted ? 'took too long' : 'does not answer' }
  } finally {
    clearTimeout(timer)
  }
}
