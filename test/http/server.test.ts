/** The HTTP door: settings, hosts, origins, routes, access and bodies, for every route of the table. */
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { SCHEMA_VERSION } from '../../src/contracts/version.ts'
import { openApp, type Env } from '../../src/app.ts'
import { ok } from '../../src/base/result.ts'
import { MAX_MCP_BODY_BYTES } from '../../src/http/limits.ts'
import type { Route } from '../../src/http/route.ts'
import { ROUTES } from '../../src/http/routes.ts'
import { handle } from '../../src/http/server.ts'
import { ORIGIN, testApp } from '../support/app.ts'

const PUBLIC_PATHS = ['/', '/health']
const TOOL_PATHS = ['/mcp', '/mcp/search', '/mcp/memory', '/mcp/music'].flatMap((path) => [path, `${path}/`])
const MEMORY_PATHS = ['/memory/export', '/memory/import', '/memory/sessions/:session_id', '/memory/sessions']
/** The status of a route whose handler refuses what `ask` sends: a ping instead of messages, an unknown session. */
const REFUSED_BY_HANDLER: Readonly<Record<string, number>> = {
  '/memory/import': 400,
  '/memory/sessions/:session_id': 404,
  '/memory/sessions': 400,
}
const LOOPBACK = { host: '127.0.0.1:8787' }

/** Sends a request to a Worker that was deployed with these variables. */
async function ask(route: Pick<Route, 'method' | 'path'>, variables: Partial<Env>, headers: HeadersInit = LOOPBACK) {
  const body = route.method === 'POST' ? { body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' } : {}
  const all = new Headers(headers)
  all.set('content-type', 'application/json')
  const request = new Request(new URL(route.path, ORIGIN), { method: route.method, headers: all, ...body })
  return handle(request, openApp({ DB: env.DB, MESSAGES: env.MESSAGES, ...variables }))
}

test('every route is public by being on this list, serves a user, or needs the admin token', () => {
  for (const { path, access } of ROUTES) {
    const expected = PUBLIC_PATHS.includes(path)
      ? 'public'
      : [...TOOL_PATHS, ...MEMORY_PATHS].includes(path)
        ? 'viewer'
        : 'admin'
    expect([path, access]).toEqual([path, expected])
  }
  expect(ROUTES.map((route) => route.path)).toEqual(
    expect.arrayContaining([...PUBLIC_PATHS, ...TOOL_PATHS, ...MEMORY_PATHS]),
  )
})

test.each([
  ['no mode', {}],
  ['an empty mode', { AUTH_MODE: ' ' }],
  ['mode token', { AUTH_MODE: 'token', ADMIN_TOKEN: 'secret' }],
  ['mode github', { AUTH_MODE: 'github', ADMIN_TOKEN: 'secret' }],
  ['two modes', { AUTH_MODE: 'local,token' }],
  ['an unknown mode', { AUTH_MODE: 'open' }],
])('with %s every route answers 503 and names AUTH_MODE', async (_name, variables) => {
  for (const route of [...ROUTES, { method: 'GET', path: '/nowhere' } as const]) {
    const headers = { ...LOOPBACK, authorization: 'Bearer secret' }
    const response = await ask(route, variables, headers)
    expect([route.path, response.status]).toEqual([route.path, 503])
    expect(await response.text()).toContain('AUTH_MODE')
  }
})

test('a wrong ALLOWED_ORIGINS is named and every request is refused', async () => {
  for (const text of ['*', 'example.com', 'https://a.example/path', 'https://a.example, nonsense']) {
    const response = await ask({ method: 'GET', path: '/health' }, { AUTH_MODE: 'local', ALLOWED_ORIGINS: text })
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('ALLOWED_ORIGINS')
  }
})

test.each(['127.0.0.1', '127.0.0.1:8787', 'localhost:1', 'LOCALHOST', '[::1]:8787'])(
  'the host %s is this machine',
  async (host) => {
    for (const route of ROUTES.filter(({ access }) => access !== 'admin')) {
      const response = await ask(route, { AUTH_MODE: 'local' }, { host })
      expect([route.path, response.status]).toEqual([route.path, REFUSED_BY_HANDLER[route.path] ?? 200])
    }
  },
)

test.each([
  'example.com',
  'kotodama.example.workers.dev',
  '127.0.0.1.example.com',
  'localhost.example.com',
  'localhost.',
  '127.0.0.2',
  '0.0.0.0',
  'user@localhost',
  'localhost:8787@example.com',
  'localhost/path',
  'localhost:99999',
  '',
])('the host %j is refused on every route', async (host) => {
  for (const route of ROUTES) {
    const response = await ask(route, { AUTH_MODE: 'local', ADMIN_TOKEN: 's' }, { host, authorization: 'Bearer s' })
    expect([route.path, response.status]).toEqual([route.path, 403])
  }
})

test('a request without a Host header, or sent to another name, is refused', async () => {
  const app = openApp({ DB: env.DB, MESSAGES: env.MESSAGES, AUTH_MODE: 'local' })
  const refused = await handle(new Request(`${ORIGIN}/health`), app)
  expect(refused.status).toBe(403)
  expect(await refused.text()).toContain('In mode local this server answers only requests sent to 127.0.0.1,')
  const elsewhere = new Request('https://kotodama.example/health', { headers: LOOPBACK })
  expect((await handle(elsewhere, app)).status).toBe(403)
})

test.each([
  'https://example.com',
  'null',
  'http://localhost.example.com',
  'http://127.0.0.1@example.com',
  'file://',
  'capacitor://localhost',
  'http://user@localhost',
])('the origin %s is refused on every route', async (origin) => {
  for (const route of ROUTES) {
    const headers = { ...LOOPBACK, origin, authorization: 'Bearer s' }
    const response = await ask(route, { AUTH_MODE: 'local', ADMIN_TOKEN: 's' }, headers)
    expect([route.path, response.status]).toEqual([route.path, 403])
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('the CORS headers name exactly the origin that called, where it is allowed', async () => {
  const app = testApp(env.DB, { settings: { allowedOrigins: ['https://inspector.example'] } })
  for (const origin of ['http://localhost:6274', 'http://[::1]:1', ORIGIN, 'https://inspector.example']) {
    const preflight = await app.fetch('/mcp', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin])
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS')
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('mcp-protocol-version')
    const called = await app.fetch('/mcp', { method: 'GET', headers: { origin } })
    expect([called.status, called.headers.get('access-control-allow-origin')]).toEqual([405, origin])
    expect(called.headers.get('vary')).toBe('Origin')
  }
  const none = await app.fetch('/mcp', { method: 'OPTIONS' })
  expect([none.status, none.headers.get('access-control-allow-origin')]).toEqual([204, null])
  const page = await app.fetch('/health', { headers: { origin: ORIGIN } })
  expect([page.status, page.headers.get('access-control-allow-origin')]).toEqual([200, null])
})

test('the MCP paths answer POST only', async () => {
  for (const path of TOOL_PATHS) {
    for (const method of ['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH']) {
      const response = await testApp(env.DB).fetch(path, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    }
  }
})

const SHOWN: Route = {
  method: 'POST',
  path: '/shown/:first/x/:second',
  access: 'public',
  maxBodyBytes: 10,
  answer: ({ parameters, url, body }) => Response.json([parameters, url.search, new TextDecoder().decode(body)]),
}

test.each([
  ['/shown/a/x/b', { first: 'a', second: 'b' }],
  ['/shown/%E9%9F%B3%2F/x/b%20', { first: '音/', second: 'b ' }],
  ['/shown/:first/x/*?q=1', { first: ':first', second: '*' }],
])('the path parameters of %s reach the handler decoded', async (path, parameters) => {
  const response = await testApp(env.DB).fetch(path, { method: 'POST', body: 'body' }, [SHOWN])
  expect(await response.json()).toEqual([parameters, new URL(path, ORIGIN).search, 'body'])
})

test.each([
  ['/shown//x/b', 404],
  ['/shown/a/x/b/', 404],
  ['/shown/a/b/x/c', 404],
  ['/Shown/a/x/b', 404],
  ['/shown/%ff/x/b', 400],
  ['/shown/%/x/b', 400],
])(
  'the path %s is answered with %i, because a parameter is one part of percent-encoded UTF-8',
  async (path, status) => {
    const response = await testApp(env.DB).fetch(path, { method: 'POST' }, [SHOWN])
    expect(response.status).toBe(status)
  },
)

test('a request is read once: its body by one reader, and no other request is made of it but the one the SDK needs', async () => {
  const app = testApp(env.DB, { settings: { adminToken: 't' } })
  const platformRequest = globalThis.Request
  let made = 0
  const send = async (path: string, text: string): Promise<[status: number, readers: number, made: number]> => {
    const body = new Blob([text]).stream()
    const request = new platformRequest(`${ORIGIN}${path}`, {
      method: 'POST',
      headers: { ...LOOPBACK, authorization: 'Bearer t', 'content-type': 'application/json' },
      body,
    })
    const readers = vi.spyOn(request.body as ReadableStream, 'getReader')
    for (const reads of ['arrayBuffer', 'text', 'json', 'clone'] as const) {
      Object.defineProperty(request, reads, { value: () => Promise.reject(new Error('the body was read twice')) })
    }
    made = 0
    const { status } = await handle(request, ok(app.app))
    return [status, readers.mock.calls.length, made]
  }
  vi.stubGlobal(
    'Request',
    class extends platformRequest {
      constructor(input: RequestInfo | URL, init?: RequestInit) {
        super(input, init)
        made += 1
      }
    },
  )
  try {
    expect(await send('/admin/import', '')).toEqual([200, 1, 0])
    expect(await send('/memory/import', '')).toEqual([200, 1, 0])
    expect(await send('/mcp', '{"jsonrpc":"2.0","id":1,"method":"ping"}')).toEqual([200, 1, 1])
  } finally {
    vi.unstubAllGlobals()
  }
})

test.each(['/mcp//', '/mcp/x/', '/health/', '/MCP', '/nowhere', '/admin', '/.well-known/oauth-protected-resource'])(
  'nothing is at %s',
  async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const response = await testApp(env.DB).fetch(path, { method })
      expect([method, response.status]).toEqual([method, 404])
    }
  },
)

const ADMIN: Route = {
  method: 'POST',
  path: '/admin/x',
  access: 'admin',
  maxBodyBytes: 10,
  answer: ({ body }) => new Response(body),
}

async function askAdmin(adminToken: string | undefined, authorization?: string, body = 'body'): Promise<Response> {
  const { app } = testApp(env.DB, { settings: { adminToken } })
  const headers = { ...LOOPBACK, ...(authorization !== undefined && { authorization }) }
  return handle(new Request(`${ORIGIN}/admin/x`, { method: 'POST', headers, body }), ok(app), [ADMIN])
}

test('admin routes are off without ADMIN_TOKEN, and say so', async () => {
  const response = await askAdmin(undefined, 'Bearer undefined')
  expect(response.status).toBe(503)
  expect(await response.text()).toContain('ADMIN_TOKEN')
})

test.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Bearer wrong',
  'Bearer right wrong',
  'Basic right',
  'right',
  'Bearer righ',
  'Bearer rightt',
])('admin routes refuse a request with the authorization %j', async (authorization) => {
  const response = await askAdmin('right', authorization)
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
})

test('an empty ADMIN_TOKEN leaves the admin routes off', async () => {
  for (const route of ROUTES.filter(({ access }) => access === 'admin')) {
    const headers = { ...LOOPBACK, authorization: 'Bearer ' }
    expect((await ask(route, { AUTH_MODE: 'local', ADMIN_TOKEN: '' }, headers)).status).toBe(503)
  }
})

test('the admin token is accepted in its header and not in the query', async () => {
  const response = await askAdmin('right', 'bearer right')
  expect([response.status, await response.text()]).toEqual([200, 'body'])
  const { app } = testApp(env.DB, { settings: { adminToken: 'right' } })
  const inQuery = new Request(`${ORIGIN}/admin/x?access_token=right&token=right`, { method: 'POST', headers: LOOPBACK })
  expect((await handle(inQuery, ok(app), [ADMIN])).status).toBe(401)
})

test('a body above the limit of its route is refused, declared or streamed, and one at the limit is accepted', async () => {
  expect((await askAdmin('t', 'Bearer t', '0123456789')).status).toBe(200)
  expect((await askAdmin('t', 'Bearer t', '0123456789x')).status).toBe(413)
  const { app } = testApp(env.DB, { settings: { adminToken: 't' } })
  const stream = new ReadableStream({
    start(controller) {
      for (let at = 0; at < 11; at += 1) controller.enqueue(new Uint8Array(1))
      controller.close()
    },
  })
  const headers = { ...LOOPBACK, authorization: 'Bearer t' }
  const streamed = new Request(`${ORIGIN}/admin/x`, { method: 'POST', headers, body: stream })
  expect((await handle(streamed, ok(app), [ADMIN])).status).toBe(413)
})

test('a refused body is read to its end before the answer, but an endless one only to a limit', async () => {
  const { app } = testApp(env.DB, { settings: { adminToken: 't' } })
  const part = 1024 * 1024
  const send = async (
    declared: boolean,
    parts: number,
  ): Promise<{ status: number; sent: number; cancelled: boolean }> => {
    let [sent, cancelled] = [0, false]
    const body = new ReadableStream({
      pull(controller) {
        if (sent === parts) return controller.close()
        sent += 1
        controller.enqueue(new Uint8Array(part))
      },
      cancel: () => void (cancelled = true),
    })
    const headers = { ...LOOPBACK, authorization: 'Bearer t', ...(declared && { 'content-length': '9000000000' }) }
    const request = new Request(`${ORIGIN}/admin/x`, { method: 'POST', headers, body })
    const { status } = await handle(request, ok(app), [ADMIN])
    return { status, sent, cancelled }
  }
  for (const declared of [true, false]) {
    expect(await send(declared, 20)).toEqual({ status: 413, sent: 20, cancelled: false })
    const endless = await send(declared, Infinity)
    expect(endless).toMatchObject({ status: 413, cancelled: true })
    expect(endless.sent).toBeLessThan(40)
  }
})

test('/mcp accepts a message of 8 MiB and refuses one that is a byte larger', async () => {
  const envelope = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":""}}}'
  const message = (bytes: number) => envelope.replace('""', `"${'x'.repeat(bytes - envelope.length)}"`)
  const app = testApp(env.DB)
  const headers = { 'content-type': 'application/json' }
  const whole = await app.fetch('/mcp', { method: 'POST', headers, body: message(MAX_MCP_BODY_BYTES) })
  expect(await whole.text()).toContain('16384')
  const over = await app.fetch('/mcp', { method: 'POST', headers, body: message(MAX_MCP_BODY_BYTES + 1) })
  expect(over.status).toBe(413)
})

test('a bug in a handler is a bare 500 with a request id, and the log has its reason', async () => {
  const { app, lines } = testApp(env.DB)
  const broken: Route = {
    method: 'GET',
    path: '/x',
    access: 'public',
    maxBodyBytes: 0,
    answer: () => Promise.reject(new Error('SQLITE_ERROR near secret')),
  }
  const response = await handle(new Request(`${ORIGIN}/x`, { headers: LOOPBACK }), ok(app), [broken])
  const text = await response.text()
  expect(response.status).toBe(500)
  expect(text).not.toContain('SQLITE')
  expect(lines[0]).toMatchObject({ event: 'request_bug', path: '/x' })
  expect(text).toContain(String(lines[0]?.['request']))
})

test('a full disk is reported as an I/O error, and not as a bug', async () => {
  const { app, lines } = testApp(env.DB)
  const full = 'D1_ERROR: database or disk is full: SQLITE_FULL'
  const route: Route = {
    method: 'GET',
    path: '/x',
    access: 'public',
    maxBodyBytes: 0,
    answer: () => Promise.reject(new Error(full)),
  }
  const response = await handle(new Request(`${ORIGIN}/x`, { headers: LOOPBACK }), ok(app), [route])
  expect([response.status, await response.json()]).toEqual([
    503,
    { status: 'ERROR', error: { code: 'IO_ERROR', message: 'The disk is full: the index takes nothing new.' } },
  ])
  expect(lines).toEqual([{ event: 'disk_full', request: expect.any(String), path: '/x' }])
})

test('health reports version and schema and nothing else', async () => {
  const response = await ask({ method: 'GET', path: '/health' }, { AUTH_MODE: 'local', ADMIN_TOKEN: 'secret' })
  const health = await response.json()
  expect(health).toEqual({ status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/), schema: SCHEMA_VERSION })
})

test('health is degraded when the index does not answer', async () => {
  const broken = { prepare: () => ({ first: () => Promise.reject(new Error('D1_ERROR: down')) }) }
  const app = testApp(broken as unknown as D1Database)
  const response = await app.fetch('/health')
  const text = await response.text()
  expect([response.status, JSON.parse(text)]).toEqual([
    200,
    { status: 'degraded', version: expect.any(String), schema: null },
  ])
  expect(text).not.toContain('D1_ERROR')
})

test('the front page explains how to connect to this server, and loads nothing', async () => {
  const response = await testApp(env.DB).fetch('/')
  const html = await response.text()
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  )
  for (const words of [
    `${ORIGIN}/mcp`,
    'claude mcp add',
    'Claude Desktop',
    'Cursor',
    'VS Code',
    '<code>search</code>',
  ]) {
    expect(html).toContain(words)
  }
  expect(html).not.toMatch(/<script|\bsrc=|<link|style="|@import|url\(/)
})

test('the answer to a preflight request names the methods of its path', async () => {
  const app = testApp(env.DB)
  const preflight = await app.fetch('/memory/sessions/s', {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:6274', 'access-control-request-method': 'DELETE' },
  })
  expect(preflight.headers.get('access-control-allow-methods')).toBe('DELETE, OPTIONS')
})
