/** Who may call at all: the hosts and the origins that every route of the table accepts, and the CORS headers of the answers. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { openApp } from '../../../src/app.ts'
import { ROUTES } from '../../../src/http/routes.ts'
import { handle } from '../../../src/http/server.ts'
import { ORIGIN, testApp } from '../../support/app.ts'
import { ask, LOOPBACK } from '../../support/http-door.ts'

/** The status of a route whose handler refuses what `ask` sends: a ping instead of messages, an unknown session, a delivery while webhooks are off. */
const REFUSED_BY_HANDLER: Readonly<Record<string, number>> = {
  '/memory/import': 400,
  '/memory/sessions/:session_id': 404,
  '/memory/sessions': 400,
  '/webhooks/github': 503,
}

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

test('the answer to a preflight request names the methods of its path', async () => {
  const app = testApp(env.DB)
  const preflight = await app.fetch('/memory/sessions/s', {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:6274', 'access-control-request-method': 'DELETE' },
  })
  expect(preflight.headers.get('access-control-allow-methods')).toBe('DELETE, OPTIONS')
})
