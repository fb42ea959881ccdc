/** The Worker's exports as the platform calls them, detached from any object. */
import { createScheduledController } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import worker from '../src/worker.ts'

test('deployed without a mode it refuses and says what to set', async () => {
  const response = await exports.default.fetch('http://127.0.0.1/mcp')
  expect(response.status).toBe(503)
  expect(await response.text()).toContain('AUTH_MODE')
})

test('the handlers work without their object', async () => {
  const { fetch, scheduled } = worker
  const request = new Request('http://127.0.0.1:8787/health', { headers: { host: '127.0.0.1:8787' } })
  expect((await fetch(request, { ...env, AUTH_MODE: 'local' })).status).toBe(200)
  await expect(scheduled(createScheduledController(), env)).resolves.toBeUndefined()
})
