/** Bodies of requests: read once, and to a limit. */
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { ok } from '../../src/base/result.ts'
import { MAX_MCP_BODY_BYTES } from '../../src/http/limits.ts'
import { handle } from '../../src/http/server.ts'
import { ORIGIN, testApp } from '../support/app.ts'
import { ADMIN, askAdmin, LOOPBACK } from '../support/http-door.ts'

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
