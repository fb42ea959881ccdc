/** Calls to the MCP endpoint in both protocol eras: the protocol, the arguments, answers, refusals and the log. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { INSTRUCTIONS } from '../../src/contracts/instructions.ts'
import type { SearchArguments } from '../../src/contracts/tools/search.ts'
import { EMPTY_SCAN, modern, rpc, testApp, toolCall, type RpcAnswer } from '../support/app.ts'

/** The refusal in a tool's reply, parsed from its text. */
function refusal({ body }: RpcAnswer): { code: string; message: string; hint?: string; retry_after_ms?: number } {
  expect(body.error).toBeUndefined()
  expect(body.result.isError).toBe(true)
  expect(body.result.structuredContent).toBeUndefined()
  const { status, error } = JSON.parse(body.result.content[0].text)
  expect(status).toBe('ERROR')
  return error
}

/** A call with this text as its arguments, for JSON that no value serialises to. */
function rawCall(args: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":${args}}}`
}

const INITIALIZE = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'initialize answers in protocol version %s',
  async (version) => {
    const { body } = await rpc(testApp(env.DB), INITIALIZE(version))
    expect(body.result).toMatchObject({ protocolVersion: version, instructions: INSTRUCTIONS })
    expect(body.result.serverInfo.name).toBe('kotodama')
  },
)

test('server/discover carries the same instructions, which are shorter than the limit of hosts', async () => {
  const { body } = await rpc(testApp(env.DB), ...modern('server/discover'))
  expect(body.result).toMatchObject({ supportedVersions: ['2026-07-28'], instructions: INSTRUCTIONS })
  expect(INSTRUCTIONS.length).toBeLessThan(2048)
})

test('the list of tools may be cached by every client for an hour', async () => {
  const { body } = await rpc(testApp(env.DB), ...modern('tools/list'))
  expect(body.result).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' })
})

test('an answer is the same as text and as structured content, in both protocol eras', async () => {
  const app = testApp(env.DB)
  for (const answer of [
    await rpc(app, toolCall({})),
    await rpc(app, ...modern('tools/call', { name: 'search', arguments: {} })),
  ]) {
    expect(answer.body.result.structuredContent).toEqual(EMPTY_SCAN)
    expect(answer.body.result.content).toEqual([{ type: 'text', text: JSON.stringify(EMPTY_SCAN) }])
    expect(answer.body.result.isError).toBe(false)
  }
})

test('a tool receives the arguments with their defaults, and the viewer', async () => {
  const seen: [string, SearchArguments][] = []
  const app = testApp(env.DB, {
    search: async (viewer, args) => {
      seen.push([viewer.user, args])
      return { ok: true, value: EMPTY_SCAN }
    },
  })
  await rpc(app, toolCall({ query: 'x', top_k: 3, repo: null }))
  expect(seen).toEqual([['local', expect.objectContaining({ query: 'x', top_k: 3, state: 'all' })]])
  expect(seen[0]?.[1]).not.toHaveProperty('repo')
})

test.each([
  [{ top_k: 2.5 }, /^top_k: 2.5/],
  [{ colour: 'red' }, /^colour: unknown parameter/],
  [[], /^arguments: a list of 0/],
  ['{"query":"x"}', /^arguments: "/],
  [7, /^arguments: 7/],
])('arguments %j are a tool error that names the fault, in both protocol eras', async (given, message) => {
  const app = testApp(env.DB)
  const old = refusal(await rpc(app, toolCall(given)))
  const modernAnswer = await rpc(app, ...modern('tools/call', { name: 'search', arguments: given }))
  expect(old).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringMatching(message) })
  expect(refusal(modernAnswer)).toEqual(old)
})

test('a call without arguments, or with null, has the empty object as its arguments', async () => {
  const app = testApp(env.DB)
  for (const given of [undefined, null]) {
    expect((await rpc(app, toolCall(given))).body.result.structuredContent).toEqual(EMPTY_SCAN)
  }
})

/** A request of 2025 with this text as its params. */
function rawRequest(method: string, params: string): string {
  return `{"jsonrpc":"2.0","id":"one","method":"${method}","params":${params}}`
}

test.each([
  'null',
  '{}',
  '{"cursor":null}',
  '{"_meta":null}',
  '{"cursor":null,"_meta":null}',
  '{"_meta":{"progressToken":null}}',
])('tools/list with the params %s is answered as without them', async (params) => {
  const app = testApp(env.DB)
  const { body: plain } = await rpc(app, ...modern('tools/list'))
  const { body } = await rpc(app, rawRequest('tools/list', params))
  expect(body.id).toBe('one')
  expect(body.result.tools).toEqual(plain.result.tools)
})

test.each(['ping', 'notifications/initialized'])('%s with null as its params is accepted', async (method) => {
  const body = rawRequest(method, 'null').replace(method === 'ping' ? '' : '"id":"one",', '')
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  expect((await testApp(env.DB).fetch('/mcp', init)).ok).toBe(true)
})

test('a call whose progress token is null is answered, without progress', async () => {
  const params = '{"name":"search","arguments":null,"_meta":{"progressToken":null}}'
  const { body } = await rpc(testApp(env.DB), rawRequest('tools/call', params))
  expect(body.result.structuredContent).toEqual(EMPTY_SCAN)
})

test('a 2026-07-28 request may say null for its cursor, but not for the params that carry its version', async () => {
  const app = testApp(env.DB)
  const [message, headers] = modern('tools/list', { cursor: null })
  expect((await rpc(app, message, headers)).body.result.tools.length).toBeGreaterThan(0)
  const { status, body } = await rpc(app, { ...message, params: null }, headers)
  expect([status, body.error.code]).toEqual([400, -32_602])
})

test.each([5, true, [], {}])('a list request with the cursor %j is refused as invalid params', async (cursor) => {
  const app = testApp(env.DB)
  const old = await rpc(app, rawRequest('tools/list', JSON.stringify({ cursor })))
  expect([old.status, old.body.error.code, old.body.id]).toEqual([400, -32_602, 'one'])
  const newest = await rpc(app, ...modern('tools/list', { cursor }))
  expect([newest.body.error.code, newest.body.error.message]).toEqual([-32_602, old.body.error.message])
})

test('a refusal of a use case is a tool error with its hint and its waiting time', async () => {
  const app = testApp(env.DB, {
    search: async () => ({ ok: false, failure: { code: 'BUSY', message: 'later', hint: 'wait', retryAfterMs: 1500 } }),
  })
  const answer = await rpc(app, toolCall({}))
  expect(refusal(answer)).toEqual({ code: 'BUSY', message: 'later', hint: 'wait', retry_after_ms: 1500 })
})

test('a bug is an INTERNAL_ERROR with a request id, and only the log has its reason', async () => {
  const app = testApp(env.DB, {
    search: () => {
      throw new Error('D1_ERROR: no such column: secret')
    },
  })
  const answer = await rpc(app, toolCall({}))
  const { code, message } = refusal(answer)
  expect(code).toBe('INTERNAL_ERROR')
  expect(message).not.toContain('D1_ERROR')
  const bug = app.lines.find((line) => line.event === 'tool_bug')
  expect(bug?.['evidence']).toContain('D1_ERROR: no such column: secret')
  expect(message).toContain(String(bug?.['request']))
})

test('each call logs one audit line with its user, tool, repositories and outcome', async () => {
  const row = {
    vector_id: 'i:x',
    type: 'issue',
    created_at: '2026-11-01T00:00:00Z',
    updated_at: '2026-11-01T00:00:00Z',
  } as const
  const results = [
    { ...row, repo: 'a/b' },
    { ...row, repo: 'c/d' },
    { ...row, repo: 'a/b' },
  ]
  const app = testApp(env.DB, { search: async () => ({ ok: true, value: { ...EMPTY_SCAN, count: 3, results } }) })
  await rpc(app, toolCall({ query: 'hidden words' }))
  await rpc(app, toolCall({ top_k: 99 }))
  expect(app.lines.filter((line) => line.event === 'tool_call')).toEqual([
    expect.objectContaining({ user: 'local', tool: 'search', repositories: 'a/b,c/d', outcome: 'ok' }),
    expect.objectContaining({ user: 'local', tool: 'search', outcome: 'VALIDATION_ERROR' }),
  ])
  expect(JSON.stringify(app.lines)).not.toContain('hidden words')
})

test.each(['nope', 'constructor', '__proto__'])('a call of the unknown tool %s is a protocol error', async (name) => {
  const { body } = await rpc(testApp(env.DB), toolCall({}, name))
  expect(body.error).toMatchObject({ code: -32_602 })
})

test('a body that is no JSON-RPC message is a protocol error', async () => {
  const app = testApp(env.DB)
  const deep = `${'['.repeat(200)}${']'.repeat(200)}`
  const cases: [string, number, number][] = [
    ['{"jsonrpc":', 400, -32_700],
    ['', 400, -32_700],
    ['[]', 400, -32_600],
    [JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'ping' }]), 400, -32_600],
    [
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":${deep}}}}`,
      400,
      -32_600,
    ],
    ['5', 400, -32_600],
    ['null', 400, -32_600],
    ['{}', 400, -32_600],
  ]
  for (const [body, status, code] of cases) {
    const answer = await rpc(app, body)
    expect([answer.status, answer.body.error?.code], body.slice(0, 40)).toEqual([status, code])
  }
})

test('a message with 64 levels of nesting is accepted', async () => {
  const query = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`)
  expect(refusal(await rpc(testApp(env.DB), toolCall({ query }))).message).toMatch(/^query: a list of 1/)
})

test('keys of the prototype and repeated keys do no harm', async () => {
  const app = testApp(env.DB)
  expect(refusal(await rpc(app, rawCall('{"__proto__":{"top_k":3}}'))).message).toBe('__proto__: unknown parameter')
  expect((await rpc(app, rawCall('{"top_k":99,"top_k":3}'))).body.result.structuredContent).toEqual(EMPTY_SCAN)
  expect(({} as Record<string, unknown>)['top_k']).toBeUndefined()
})

test('a header that contradicts the body of a 2026-07-28 request is refused', async () => {
  const app = testApp(env.DB)
  const [message, headers] = modern('tools/call', { name: 'search', arguments: {} })
  for (const wrong of [
    { 'mcp-method': 'tools/list' },
    { 'mcp-name': 'other' },
    { 'mcp-protocol-version': '2025-11-25' },
  ]) {
    const { status, body } = await rpc(app, message, { ...headers, ...wrong })
    expect([status, body.error.code]).toEqual([400, -32_020])
  }
})

test.each([
  [undefined, 'application/json'],
  ['application/json', 'application/json'],
  ['*/*', 'application/json'],
  ['application/json, text/event-stream', 'text/event-stream'],
])('a 2025-era client that accepts %s is served %s', async (accept, type) => {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    ...(accept !== undefined && { accept }),
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const response = await testApp(env.DB).fetch('/mcp', { method: 'POST', headers, body })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
  expect(await response.text()).toContain('"result":{}')
})

test('a body that is not declared as JSON is refused', async () => {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  }
  expect((await testApp(env.DB).fetch('/mcp', init)).status).toBe(415)
})

test('a notification is accepted, and the response has no body', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  const response = await testApp(env.DB).fetch('/mcp', init)
  expect([response.status, await response.text()]).toEqual([202, ''])
})
