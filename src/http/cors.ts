/**
 * CORS for browser clients. The answer names the one origin that asked,
 * never a wildcard, and only after that origin was found allowed.
 */

const ALLOWED_HEADERS =
  'Content-Type, Accept, Authorization, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name'
const EXPOSED_HEADERS = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After'
/** Seconds a browser may go without asking again. */
const MAX_AGE = '7200'

/** Answers a browser's question before the call: which methods the path takes. */
export function answerPreflight(methods: readonly string[]): Response {
  return new Response(null, { status: 204, headers: { allow: [...methods, 'OPTIONS'].join(', ') } })
}

/** The response with what the asking page needs to read it; without an origin, the response itself. */
export function withCors(request: Request, response: Response): Response {
  const origin = request.headers.get('origin')
  const headers = new Headers(response.headers)
  headers.append('vary', 'Origin')
  if (origin !== null) {
    headers.set('access-control-allow-origin', origin)
    headers.set('access-control-expose-headers', EXPOSED_HEADERS)
    if (request.method === 'OPTIONS') {
      headers.set('access-control-allow-methods', headers.get('allow') ?? '')
      headers.set('access-control-allow-headers', ALLOWED_HEADERS)
      headers.set('access-control-max-age', MAX_AGE)
    }
  }
  return new Response(response.body, { status: response.status, headers })
}
