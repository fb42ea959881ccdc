/** Calls by the clients of both SDK generations, over the Worker's HTTP door. */
import { env } from 'cloudflare:workers'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import { expect, test } from 'vitest'
import { INSTRUCTIONS } from '../../src/contracts/instructions.ts'
import { EMPTY_SCAN, ORIGIN, testApp } from '../support/app.ts'

const INFO = { name: 'test', version: '1' }
const ENDPOINT = new URL('/mcp', ORIGIN)
const ALL_TOOLS = [
  'search',
  'write_message',
  'update_message',
  'read_messages',
  'search_messages',
  'delete_message',
  'rebuild_index',
  'get_system_health',
  'compose_mml',
]

function doorFetch(): typeof fetch {
  const app = testApp(env.DB)
  return async (input, init) => app.fetch(new URL(String(input)).pathname, init as RequestInit)
}

test('the 2025-era client lists the tools and calls search', async () => {
  const client = new OldClient(INFO, { jsonSchemaValidator: new CfWorkerJsonSchemaValidator() })
  await client.connect(new OldTransport(ENDPOINT, { fetch: doorFetch() }) as Parameters<typeof client.connect>[0])
  expect(client.getInstructions()).toBe(INSTRUCTIONS)
  expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(ALL_TOOLS)
  const answer = await client.callTool({ name: 'search', arguments: {} })
  expect(answer.structuredContent).toEqual(EMPTY_SCAN)
  const refused = await client.callTool({ name: 'search', arguments: { top_k: 0 } })
  expect(refused.isError).toBe(true)
  await expect(client.callTool({ name: 'nope', arguments: {} })).rejects.toThrow(/nope/)
  await client.close()
})

test.each(['legacy', 'auto', { pin: '2026-07-28' }] as const)(
  'the newest client, negotiating %j, lists the tools and calls search',
  async (mode) => {
    const client = new NewClient(INFO, { versionNegotiation: { mode } })
    await client.connect(new NewTransport(ENDPOINT, { fetch: doorFetch() }))
    expect(client.getInstructions()).toBe(INSTRUCTIONS)
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(ALL_TOOLS)
    const answer = await client.callTool({ name: 'search', arguments: {} })
    expect(answer.structuredContent).toEqual(EMPTY_SCAN)
    const refused = await client.callTool({ name: 'search', arguments: { top_k: 0 } })
    expect(refused.isError).toBe(true)
    await expect(client.callTool({ name: 'nope', arguments: {} })).rejects.toThrow(/nope/)
    await client.close()
  },
)

test.each(['/mcp/', '/mcp/search/'])(
  'the clients of both generations work at %s as without the slash',
  async (path) => {
    const old = new OldClient(INFO, { jsonSchemaValidator: new CfWorkerJsonSchemaValidator() })
    const transport = new OldTransport(new URL(path, ORIGIN), { fetch: doorFetch() })
    await old.connect(transport as Parameters<typeof old.connect>[0])
    const newest = new NewClient(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    await newest.connect(new NewTransport(new URL(path, ORIGIN), { fetch: doorFetch() }))
    for (const client of [old, newest]) {
      expect((await client.listTools()).tools[0]?.name).toBe('search')
      const answer = await client.callTool({ name: 'search', arguments: { vector_ids: null, top_k: '3' } })
      expect(answer.structuredContent).toEqual(EMPTY_SCAN)
      await client.close()
    }
  },
)

test('each of many concurrent calls gets its own answer', async () => {
  const app = testApp(env.DB, {
    search: async (_viewer, { query }) => ({ ok: true, value: { ...EMPTY_SCAN, warnings: [String(query)] } }),
  })
  const client = new NewClient(INFO, { versionNegotiation: { mode: 'auto' } })
  const fetchHere = async (input: string | URL, init?: RequestInit) => app.fetch(new URL(input).pathname, init)
  await client.connect(new NewTransport(ENDPOINT, { fetch: fetchHere as typeof fetch }))
  const queries = Array.from({ length: 50 }, (_, at) => `q${at}`)
  const answers = await Promise.all(queries.map((query) => client.callTool({ name: 'search', arguments: { query } })))
  expect(answers.map((answer) => (answer.structuredContent as { warnings: string[] }).warnings[0])).toEqual(queries)
  await client.close()
})
