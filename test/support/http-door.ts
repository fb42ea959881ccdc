/** Requests to a Worker that was deployed with certain variables, and to an admin route of the tests. */
import { env } from 'cloudflare:workers'
import { openApp, type Env } from '../../src/app.ts'
import { ok } from '../../src/base/result.ts'
import type { Route } from '../../src/http/route.ts'
import { handle } from '../../src/http/server.ts'
import { ORIGIN, testApp } from './app.ts'

export const LOOPBACK = { host: '127.0.0.1:8787' }

/** Sends a request to a Worker that was deployed with these variables. */
export async function ask(
  route: Pick<Route, 'method' | 'path'>,
  variables: Partial<Env>,
  headers: HeadersInit = LOOPBACK,
) {
  const body = route.method === 'POST' ? { body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' } : {}
  const all = new Headers(headers)
  all.set('content-type', 'application/json')
  const request = new Request(new URL(route.path, ORIGIN), { method: route.method, headers: all, ...body })
  return handle(request, openApp({ DB: env.DB, MESSAGES: env.MESSAGES, ...variables }))
}

/** An admin route that answers with the body of its request, at most ten bytes. */
export const ADMIN: Route = {
  method: 'POST',
  path: '/admin/x',
  access: 'admin',
  maxBodyBytes: 10,
  answer: ({ body }) => new Response(body),
}

/** Sends a body to the admin route of a Worker with this token. */
export async function askAdmin(
  adminToken: string | undefined,
  authorization?: string,
  body = 'body',
): Promise<Response> {
  const { app } = testApp(env.DB, { settings: { adminToken } })
  const headers = { ...LOOPBACK, ...(authorization !== undefined && { authorization }) }
  return handle(new Request(`${ORIGIN}/admin/x`, { method: 'POST', headers, body }), ok(app), [ADMIN])
}
