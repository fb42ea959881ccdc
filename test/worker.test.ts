/** The Worker's exports as the platform calls them, detached from any object. */
import { createScheduledController, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import worker, { MessageStore } from '../src/worker.ts'

test('a Worker that is deployed without a mode refuses requests and names the setting', async () => {
  const response = await exports.default.fetch('http://127.0.0.1/mcp')
  expect(response.status).toBe(503)
  expect(await response.text()).toContain('AUTH_MODE')
})

test('the handlers work when they are called apart from their object', async () => {
  const { fetch, scheduled } = worker
  const request = new Request('http://127.0.0.1:8787/health', { headers: { host: '127.0.0.1:8787' } })
  expect((await fetch(request, { ...env, AUTH_MODE: 'local' })).status).toBe(200)
  await expect(scheduled(createScheduledController(), env)).resolves.toBeUndefined()
})

test('an object and the scheduled run work without the embedder whose settings are wrong, and log them once', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const wrong = { ...env, AUTH_MODE: 'local', EMBEDDER_URL: 'nonsense' }
  const stub = env.MESSAGES.get(env.MESSAGES.idFromName('wrong settings'))
  const written = await runInDurableObject(stub, async (_, state) => {
    const store = new MessageStore(state, wrong)
    return store.write({ session_id: 's', role: 'user', content: 'hello', metadata: {} })
  })
  expect(written.ok).toBe(true)
  await expect(worker.scheduled(createScheduledController(), wrong)).resolves.toBeUndefined()
  const request = new Request('http://127.0.0.1:8787/health', { headers: { host: '127.0.0.1:8787' } })
  expect((await worker.fetch(request, wrong)).status).toBe(503)
  expect(logged.mock.calls.flat()).toEqual([expect.stringContaining('EMBEDDER_URL must be')])
  logged.mockRestore()
})
