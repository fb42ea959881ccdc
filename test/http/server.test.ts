/** The HTTP door: settings, the table of routes and its paths, failures of handlers, health and the front page. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { SCHEMA_VERSION } from '../../src/contracts/version.ts'
import { ok } from '../../src/base/result.ts'
import type { Route } from '../../src/http/route.ts'
import { ROUTES } from '../../src/http/routes.ts'
import { handle } from '../../src/http/server.ts'
import { ORIGIN, testApp } from '../support/app.ts'
import { ask, LOOPBACK } from '../support/http-door.ts'

const PUBLIC_PATHS = ['/', '/health', '/webhooks/github']
const TOOL_PATHS = ['/mcp', '/mcp/search', '/mcp/memory', '/mcp/music'].flatMap((path) => [path, `${path}/`])
const MEMORY_PATHS = ['/memory/export', '/memory/import', '/memory/sessions/:session_id', '/memory/sessions']
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

test.each(['/mcp//', '/mcp/x/', '/health/', '/MCP', '/nowhere', '/admin', '/.well-known/oauth-protected-resource'])(
  'nothing is at %s',
  async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const response = await testApp(env.DB).fetch(path, { method })
      expect([method, response.status]).toEqual([method, 404])
    }
  },
)

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
