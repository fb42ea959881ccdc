/**
 * CORS headers for browser clients. An answer names the one origin that called,
 * never a wildcard; auth/check-sender.ts has accepted that origin before. The MCP
 * handler's own CORS is not used: it sends one fixed origin, and only on its path.
 */

const ALLOWED_HEADERS =
  'Content-Type, Accept, Authorization, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name'
const EXPOSED_HEADERS = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After'
/** How long a browser may cache the answer to a preflight request, in seconds. */
const PREFLIGHT_CACHE_SECONDS = '7200'

/** The answer to a preflight request: the methods that the path takes. */
export function answerPreflight(methods: readonly string[]): Response {
  return new Response(null, { status: 204, headers: { allow: [...methods, 'OPTIONS'].join(', ') } })
}

/** The response with the headers that let the page of `origin` read it; `origin` is null for a request that no page sent. */
export function withCors(response: Response, origin: string | null, isPreflight: boolean): Response {
  const headers = new Headers(response.headers)
  headers.append('vary', 'Origin')
  if (origin !== null) {
    headers.set('access-control-allow-origin', origin)
    headers.set('access-control-expose-headers', EXPOSED_HEADERS)
    if (isPreflight) {
      headers.set('access-control-allow-methods', headers.get('allow') ?? '')
      headers.set('access-control-allow-headers', ALLOWED_HEADERS)
      headers.set('access-control-max-age', PREFLIGHT_CACHE_SECONDS)
    }
  }
  return new Response(response.body, { status: response.status, headers })
}
