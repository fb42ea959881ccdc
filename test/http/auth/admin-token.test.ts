/** The admin routes accept the bearer token that was set, and are off without one. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { ok } from '../../../src/base/result.ts'
import { ROUTES } from '../../../src/http/routes.ts'
import { handle } from '../../../src/http/server.ts'
import { ORIGIN, testApp } from '../../support/app.ts'
import { ADMIN, ask, askAdmin, LOOPBACK } from '../../support/http-door.ts'

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
