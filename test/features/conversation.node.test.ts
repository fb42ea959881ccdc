/**
 * The conversation store behind the real `npm start`, with many writers, cut
 * connections and a killed server. Every acknowledged message is kept.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Message } from '../../src/contracts/messages/message-fields.ts'
import { endAll, startServer, type StartedServer } from '../support/started-server.ts'

const PATIENCE_MS = 30_000

let folder: string
let server: StartedServer
let endpoint: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'conversation-'))
  await start()
}, 180_000)

afterAll(async () => {
  await endAll()
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<void> {
  server = startServer(folder, ['--no-index'])
  endpoint = (await server.serves()).endpoint
}

async function call(name: string, args: object, signal = AbortSignal.timeout(PATIENCE_MS)): Promise<any> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    signal,
  })
  const { result } = (await response.json()) as any
  expect(result.structuredContent ?? JSON.parse(result.content[0].text)).toEqual(JSON.parse(result.content[0].text))
  return JSON.parse(result.content[0].text)
}

const write = (session_id: string, content: string, signal?: AbortSignal): Promise<{ message: Message }> =>
  call('write_message', { session_id, role: 'user', content }, signal)

async function history(session_id: string, limit = 1000): Promise<Message[]> {
  const messages: Message[] = []
  for (let cursor: string | undefined; ;) {
    const page = await call('read_messages', { view: 'history', session_id, limit, ...(cursor && { cursor }) })
    messages.push(...page.history)
    cursor = page.nextCursor
    if (cursor === undefined) return messages
  }
}

function expectStrictOrder(messages: readonly Message[]): void {
  const ids = messages.map(({ message_id }) => message_id)
  expect(ids).toEqual([...new Set(ids)].toSorted())
}

test('every acknowledged message of two hundred writers with cut connections is kept', async () => {
  const acknowledged: string[] = []
  await Promise.all(
    Array.from({ length: 200 }, async (_, at) => {
      const cut = at % 3 === 0 ? AbortSignal.timeout(1 + ((at * 37) % 400)) : undefined
      const written = await write('cut', `note ${at}`, cut).catch(() => undefined)
      if (written !== undefined) acknowledged.push(written.message.message_id)
    }),
  )
  const messages = await history('cut', 7)
  expectStrictOrder(messages)
  expect(acknowledged.length).toBeGreaterThanOrEqual(133)
  expect(messages.map(({ message_id }) => message_id)).toEqual(expect.arrayContaining(acknowledged))
  expect(new Set(messages.map(({ content }) => content)).size).toBe(messages.length)
}, 120_000)

test('every acknowledged message is kept when the server is killed between writes', async () => {
  const acknowledged: string[] = []
  const writers = Array.from({ length: 40 }, async (_, at) => {
    for (let round = 0; round < 50; round += 1) {
      const written = await write('killed', `note ${at} ${round}`).catch(() => undefined)
      if (written === undefined) return
      acknowledged.push(written.message.message_id)
    }
  })
  for (let waited = 0; acknowledged.length < 60 && waited < PATIENCE_MS; waited += 5)
    await new Promise((resolve) => setTimeout(resolve, 5))
  process.kill(-server.process.pid!, 'SIGKILL')
  await Promise.all(writers)
  await server.ends()
  await start()
  const messages = await history('killed')
  expectStrictOrder(messages)
  expect(acknowledged.length).toBeGreaterThanOrEqual(60)
  expect(messages.map(({ message_id }) => message_id)).toEqual(expect.arrayContaining(acknowledged))
  expect(await call('get_system_health', {})).toMatchObject({ status: 'OK', snapshot_valid: true })
  const { message } = await write('killed', 'after')
  expect(message.message_id > messages.at(-1)!.message_id).toBe(true)
}, 240_000)

test('a GET with a body is answered like one without', async () => {
  for (const path of ['/health', '/', '/memory/export']) {
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(
        new URL(path, endpoint).href,
        { method: 'GET', timeout: PATIENCE_MS, agent: false },
        (response) => {
          response.resume()
          resolve(response.statusCode)
        },
      )
      request.on('error', reject)
      request.end('a body')
    })
    expect([path, status]).toEqual([path, 200])
  }
})
