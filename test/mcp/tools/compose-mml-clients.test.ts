/** `compose_mml` for the clients of both SDK generations, and what goes on beside the answer: progress, cancelling. */
import { env } from 'cloudflare:workers'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import { expect, test } from 'vitest'
import { modern, ORIGIN, rpc, testApp, toolCall } from '../../support/app.ts'
import { fileOf, type Reply } from '../../support/sound.ts'

const INFO = { name: 'test', version: '1' }
const ENDPOINT = new URL('/mcp/music', ORIGIN)
const ARGUMENTS = { action: 'compose', mode: 'pyxel', mml: '0: T120 L8 C D E F', sample_rate: 22_050 }

function doorFetch(now?: () => number): typeof fetch {
  const app = testApp(env.DB, now && { now })
  return async (input, init) => app.fetch(new URL(String(input)).pathname, init as RequestInit)
}

/** Both generations of clients list the tool, get the sound and accept each kind of answer by the schema. */
async function composes(client: OldClient | NewClient): Promise<void> {
  const call = (more: object) => client.callTool({ name: 'compose_mml', arguments: { ...ARGUMENTS, ...more } })
  expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['compose_mml'])
  expect(fileOf((await call({})) as unknown as Reply).byteLength).toBe(44 + 2 * 22_050)
  for (const action of ['validate', 'template']) expect((await call({ action })).isError).toBeFalsy()
  const failed = await call({ mml: '0: ?' })
  expect([failed.isError, (failed.structuredContent as { success: boolean }).success]).toEqual([true, false])
  await client.close()
}

test('The 2025-era client gets the sound and validates the answer by the schema.', async () => {
  const client = new OldClient(INFO, { jsonSchemaValidator: new CfWorkerJsonSchemaValidator() })
  await client.connect(new OldTransport(ENDPOINT, { fetch: doorFetch() }) as Parameters<typeof client.connect>[0])
  await composes(client)
})

test.each(['legacy', 'auto', { pin: '2026-07-28' }] as const)(
  'The newest client, negotiating %j, gets the sound.',
  async (mode) => {
    const client = new NewClient(INFO, { versionNegotiation: { mode } })
    await client.connect(new NewTransport(ENDPOINT, { fetch: doorFetch() }))
    await composes(client)
  },
)

test('Both eras of the protocol get the same answer.', async () => {
  const app = testApp(env.DB)
  const old = await rpc(app, toolCall(ARGUMENTS, 'compose_mml'), {}, '/mcp/music')
  const [message, headers] = modern('tools/call', { name: 'compose_mml', arguments: ARGUMENTS })
  const newest = await rpc(app, message, headers, '/mcp/music')
  expect(newest.body.result.content).toEqual(old.body.result.content)
  expect(newest.body.result.structuredContent).toEqual(old.body.result.structuredContent)
})

/** On this clock a song of half a minute takes several seconds. */
function slowClock(): () => number {
  let now = 0
  return () => (now += 300)
}

const LONG = { ...ARGUMENTS, mml: '0: T60 O6 [C1]8', include_sequence: false }

test('The 2025-era client gets progress of a long song, then the song.', async () => {
  const client = new OldClient(INFO, { jsonSchemaValidator: new CfWorkerJsonSchemaValidator() })
  const transport = new OldTransport(ENDPOINT, { fetch: doorFetch(slowClock()) })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  const reported: number[] = []
  const onprogress = ({ progress }: { progress: number }) => void reported.push(progress)
  const reply = await client.callTool({ name: 'compose_mml', arguments: LONG }, undefined, { onprogress })
  expect(fileOf(reply as unknown as Reply).byteLength).toBe(44 + 2 * 32 * 22_050)
  expect(reported.length).toBeGreaterThan(0)
  expect(reported).toEqual(reported.toSorted((a, b) => a - b))
  await client.close()
})

test.each(['legacy', { pin: '2026-07-28' }] as const)(
  'The newest client, negotiating %j, gets progress of a long song, then the song.',
  async (mode) => {
    const client = new NewClient(INFO, { versionNegotiation: { mode } })
    await client.connect(new NewTransport(ENDPOINT, { fetch: doorFetch(slowClock()) }))
    const reported: number[] = []
    const onprogress = ({ progress }: { progress: number }) => void reported.push(progress)
    const reply = await client.callTool({ name: 'compose_mml', arguments: LONG }, { onprogress })
    expect(fileOf(reply as unknown as Reply).byteLength).toBe(44 + 2 * 32 * 22_050)
    expect(reported.length).toBeGreaterThan(0)
    expect(reported).toEqual(reported.toSorted((a, b) => a - b))
    await client.close()
  },
)
