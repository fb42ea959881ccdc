/** The conversation tools with the clients of both SDK generations, which validate every answer against its schema. */
import { env } from 'cloudflare:workers'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import { expect, test } from 'vitest'
import { ORIGIN, testApp } from '../../support/app.ts'

const INFO = { name: 'test', version: '1' }
const ENDPOINT = new URL('/mcp/memory', ORIGIN)

interface Reply {
  readonly isError?: unknown
  readonly structuredContent?: unknown
}

function doorFetch(): typeof fetch {
  const app = testApp(env.DB)
  return async (input, init) => app.fetch(new URL(String(input)).pathname, init as RequestInit)
}

/** Calls every tool and view once, so that each optional field of an answer occurs. */
async function walk(session_id: string, send: (name: string, args: object) => Promise<Reply>): Promise<void> {
  const call = async (name: string, args: object): Promise<any> => {
    const { isError, structuredContent } = await send(name, args)
    expect(isError, name).toBeFalsy()
    return structuredContent
  }
  const write = (content: string, more: object = {}) =>
    call('write_message', { session_id, role: 'user', content, ...more })

  const first = (await write('the first word', { idempotency_key: session_id })).message.message_id
  expect(await write('the first word', { idempotency_key: session_id })).toMatchObject({ deduplicated: true })
  const relations = [{ type: 'supersedes', message_id: first }]
  const metadata = { tags: ['t'], summary: 's', tool_call_id: 'c', expires_at: 4_102_444_800_000, relations }
  const second = (await write('the second word', { metadata })).message.message_id
  expect(await call('update_message', { message_id: second, content: 'the next word' })).toMatchObject({
    changed: true,
  })

  const history = await call('read_messages', { view: 'history', session_id, limit: 1, preview_chars: 3 })
  expect([history.history[0].content, typeof history.nextCursor]).toEqual(['the', 'string'])
  const part = await call('read_messages', { view: 'content', message_id: first, content_limit: 5 })
  expect(part.content_range.content).toBe('the f')
  const newest = await call('read_messages', { view: 'history', session_id, limit: 1, order: 'desc', detail: 'full' })
  expect(newest.history[0].message_id).toBe(second)
  expect((await call('read_messages', { view: 'sessions' })).sessions.length).toBeGreaterThan(0)
  const sessions = await call('read_messages', { view: 'sessions', order: 'desc', detail: 'full' })
  expect(Object.keys(sessions.sessions[0].kind_counts)).toHaveLength(6)
  for (const every of [{}, { query: '*' }, { detail: 'full' }]) {
    const { results } = await call('search_messages', { session_id, ...every })
    expect(results.map((result: { message_id: string }) => result.message_id)).toEqual([second, first])
    expect(results[1].superseded_by).toBe(second)
  }
  const found = await call('search_messages', { query: 'word', session_id, context_size: 1 })
  expect(found.results).toHaveLength(2)
  expect(found.results[1]).toMatchObject({
    superseded_by: second,
    related: [{ type: 'supersedes', direction: 'incoming', message_id: second }],
  })
  await call('search_messages', { query: 'word', session_id, detail: 'full' })

  expect((await call('read_messages', { view: 'context', message_id: second })).relations[0].message).toBeDefined()
  expect(await call('delete_message', { message_id: first })).toEqual({ status: 'OK' })
  expect(await call('delete_message', { message_id: first })).toEqual({ status: 'NOT_FOUND' })
  expect((await call('read_messages', { view: 'context', message_id: second })).relations[0].status).toBe('deleted')
  expect(await write('the first word', { idempotency_key: session_id })).toMatchObject({ deleted: true })
  expect(await call('rebuild_index', {})).toMatchObject({ status: 'OK' })
  expect(await call('get_system_health', {})).toMatchObject({ status: 'OK', last_error: '' })
}

test('the 2025-era client accepts the answer of every conversation tool', async () => {
  const client = new OldClient(INFO, { jsonSchemaValidator: new CfWorkerJsonSchemaValidator() })
  await client.connect(new OldTransport(ENDPOINT, { fetch: doorFetch() }) as Parameters<typeof client.connect>[0])
  // The client validates answers by the schemas of the list.
  expect((await client.listTools()).tools).toHaveLength(7)
  await walk('2025', (name, args) => client.callTool({ name, arguments: { ...args } }) as Promise<Reply>)
  await client.close()
})

test.each(['legacy', 'auto', { pin: '2026-07-28' }] as const)(
  'the newest client, negotiating %j, accepts the answer of every conversation tool',
  async (mode) => {
    const client = new NewClient(INFO, { versionNegotiation: { mode } })
    await client.connect(new NewTransport(ENDPOINT, { fetch: doorFetch() }))
    expect((await client.listTools()).tools).toHaveLength(7)
    await walk(
      JSON.stringify(mode),
      (name, args) => client.callTool({ name, arguments: { ...args } }) as Promise<Reply>,
    )
    await client.close()
  },
)
