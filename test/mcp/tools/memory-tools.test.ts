/** The conversation tools over HTTP: the store that is called, its arguments, and the shape of answers and refusals. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { Failure } from '../../../src/base/failure.ts'
import { refuse } from '../../../src/base/result.ts'
import type { Memory } from '../../../src/memory/memory.ts'
import { toMemoryTools } from '../../../src/mcp/tools/memory-tools.ts'
import { rpc, testApp, toolCall } from '../../support/app.ts'
import { MESSAGE } from '../../support/message.ts'

const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

async function call(name: string, args: unknown, memory?: Memory) {
  const { body } = await rpc(testApp(env.DB, memory && { memory }), toolCall(args, name), {}, '/mcp/memory')
  expect(body.error).toBeUndefined()
  const { content, structuredContent, isError } = body.result
  expect(content).toHaveLength(1)
  return { isError, structuredContent, answer: JSON.parse(content[0].text) }
}

/** A store that refuses every call and records it. */
function refusingMemory(failure: Failure): { readonly memory: Memory; readonly calls: unknown[][] } {
  const calls: unknown[][] = []
  const record =
    (name: string) =>
    async (...args: unknown[]) => {
      calls.push([name, ...args])
      return refuse(failure)
    }
  const memory: Memory = {
    write: record('write'),
    update: record('update'),
    read: record('read'),
    search: record('search'),
    delete: record('delete'),
    rebuild: record('rebuild'),
    health: record('health'),
    deleteSession: record('deleteSession'),
    importMessages: record('importMessages'),
    exportPage: record('exportPage'),
  }
  return { memory, calls }
}

const BUSY: Failure = { code: 'BUSY', message: 'Later.', retryAfterMs: 1500 }

test('/mcp/memory offers exactly the seven conversation tools, in order', async () => {
  const { body } = await rpc(testApp(env.DB), { jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, '/mcp/memory')
  expect(body.result.tools.map(({ name }: { name: string }) => name)).toEqual([
    'write_message',
    'update_message',
    'read_messages',
    'search_messages',
    'delete_message',
    'rebuild_index',
    'get_system_health',
  ])
})

test.each([
  ['write_message', { session_id: 's', role: 'user', content: 'x' }, 'write'],
  ['update_message', { message_id: ID, content: 'x' }, 'update'],
  ['read_messages', { view: 'sessions' }, 'read'],
  ['search_messages', { query: 'x' }, 'search'],
  ['delete_message', { message_id: ID }, 'delete'],
  ['rebuild_index', {}, 'rebuild'],
  ['get_system_health', {}, 'health'],
])('%s calls the store of the user of the request, and replies with its refusal', async (name, args, operation) => {
  const { memory, calls } = refusingMemory(BUSY)
  const reply = await call(name, { ...args, user: 'somebody else' }, memory)
  expect(calls).toHaveLength(1)
  expect(calls[0]?.slice(0, 2)).toEqual([operation, 'local'])
  expect(JSON.stringify(calls)).not.toContain('somebody else')
  expect(reply).toEqual({
    isError: true,
    structuredContent: undefined,
    answer: { status: 'ERROR', error: { code: 'BUSY', message: 'Later.', retry_after_ms: 1500 } },
  })
})

test.each([
  ['write_message', {}, 'session_id'],
  ['update_message', {}, 'message_id'],
  ['read_messages', { view: 'history', session_id: 's', limit: 'ten' }, 'limit'],
  ['read_messages', { view: 'timeline' }, 'view'],
  ['search_messages', { query: '' }, 'query'],
  ['delete_message', {}, 'message_id'],
  ['rebuild_index', 'now', 'arguments'],
  ['get_system_health', [1], 'arguments'],
])('%s with %j is refused with the name %s, and the store is not called', async (name, args, parameter) => {
  const { memory, calls } = refusingMemory(BUSY)
  const { isError, structuredContent, answer } = await call(name, args, memory)
  expect([isError, structuredContent, answer.status]).toEqual([true, undefined, 'ERROR'])
  expect(answer.error.code).toBe('VALIDATION_ERROR')
  expect(answer.error.message).toMatch(new RegExp(`^${parameter}: `))
  expect(calls).toEqual([])
})

test('the text of an answer is its structured content as JSON, and the reply is no error', async () => {
  const { memory } = refusingMemory(BUSY)
  const answering: Memory = {
    ...memory,
    update: async () => ({ ok: true, value: { status: 'OK', changed: false, message: MESSAGE } }),
    delete: async () => ({ ok: true, value: { status: 'NOT_FOUND' } }),
  }
  const updated = await call('update_message', { message_id: ID, content: 'x' }, answering)
  const expected = { status: 'OK', changed: false, message: MESSAGE }
  expect(updated).toEqual({ isError: false, structuredContent: expected, answer: expected })
  const deleted = await call('delete_message', { message_id: ID }, answering)
  expect(deleted).toEqual({
    isError: false,
    structuredContent: { status: 'NOT_FOUND' },
    answer: { status: 'NOT_FOUND' },
  })
})

test('the audit line names the tool and the outcome, and contains nothing of the message', async () => {
  const app = testApp(env.DB)
  const args = { session_id: 'audit', role: 'user', content: 'a secret', metadata: { tags: ['a secret'] } }
  await rpc(app, toolCall(args, 'write_message'))
  expect(app.lines.filter(({ event }) => event === 'tool_call')).toEqual([
    expect.objectContaining({ user: 'local', tool: 'write_message', outcome: 'ok', repositories: '' }),
  ])
  expect(JSON.stringify(app.lines)).not.toContain('secret')
})

test('a text with half a surrogate pair is refused, and nothing is stored', async () => {
  const args = { session_id: 'halves', role: 'user', content: 'a\ud83d' }
  const { answer } = await call('write_message', args)
  expect(answer.error.code).toBe('VALIDATION_ERROR')
  const { answer: read } = await call('read_messages', { view: 'history', session_id: 'halves' })
  expect(read).toEqual({ history: [] })
})

test.each(['metadata', 'metadata_json'])('a message written with %s is read back byte by byte', async (form) => {
  const content = '\ufeffа\0b\r\n e\u0301 '
  const metadata = { tags: ['京都'], importance: 80, summary: 'a\0b', expires_at: 9_007_199_254_740_991 }
  const given = form === 'metadata' ? metadata : JSON.stringify(metadata)
  const session_id = ` ${form} `
  const { answer } = await call('write_message', { session_id, role: 'assistant', content, [form]: given })
  expect(answer).toMatchObject({ status: 'OK', message: { session_id, role: 'assistant', content, revision: 1 } })
  expect(answer.message.metadata).toEqual({
    tags: ['京都'],
    memory_tier: 'short',
    memory_kind: 'conversation',
    importance: 80,
    relations: [],
    source_message_ids: [],
    summary: 'a\0b',
    expires_at: 9_007_199_254_740_991,
  })
  const { answer: read } = await call('read_messages', { view: 'history', session_id, detail: 'full' })
  expect(read).toEqual({ history: [answer.message] })
})

test('each user has a separate store, and a message of one user is unknown to another', async () => {
  const tools = toMemoryTools(testApp(env.DB).app.memory, Date.now)
  const context = { signal: new AbortController().signal, reportBug: () => {} }
  const as = async (user: string, tool: keyof typeof tools, args: object) => {
    const result = await tools[tool].run({ user, privateRepositories: [] }, args, context)
    return result.ok ? (result.value.answer as any) : result.failure.code
  }
  const written = await as('ada', 'write_message', { session_id: 's', role: 'user', content: 'mine alone' })
  const { message_id } = written.message
  expect(await as('bob', 'read_messages', { view: 'history', session_id: 's' })).toEqual({ history: [] })
  expect(await as('bob', 'read_messages', { view: 'content', message_id })).toBe('NOT_FOUND')
  expect(await as('bob', 'update_message', { message_id, content: 'his' })).toBe('NOT_FOUND')
  expect(await as('bob', 'delete_message', { message_id })).toEqual({ status: 'NOT_FOUND' })
  expect(await as('bob', 'search_messages', { query: 'mine' })).toEqual({ results: [] })
  expect((await as('ada', 'search_messages', { query: 'mine' })).results).toHaveLength(1)
})

test('a call of an unknown tool is a protocol error', async () => {
  const { body } = await rpc(testApp(env.DB), toolCall({}, 'no_such_tool'), {}, '/mcp/memory')
  expect(body.result).toBeUndefined()
  expect(body.error).toBeDefined()
})

test('a call whose bytes are not UTF-8 is refused, and nothing of it is stored', async () => {
  const app = testApp(env.DB)
  const [before = '', after = ''] = JSON.stringify(
    toolCall({ session_id: 'bytes', role: 'user', content: 'a|b' }, 'write_message'),
  ).split('|')
  for (const bytes of [[0xed, 0xa0, 0xbd], [0xff], [0xc0, 0x80], [0xe3, 0x81]]) {
    const body = new Blob([before, new Uint8Array(bytes), after])
    const response = await app.fetch('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: await body.arrayBuffer(),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: -32_700, message: expect.stringContaining('UTF-8') } })
  }
  const { answer } = await call('read_messages', { view: 'history', session_id: 'bytes' })
  expect(answer).toEqual({ history: [] })
})

test('a wrong list is refused by the name of its parameter, however long it is', async () => {
  for (const filters of [
    { kinds: Array.from({ length: 200_000 }, () => 1) },
    { tags: Array.from({ length: 1001 }, () => 'a') },
  ]) {
    for (const form of [{ filters }, { filters_json: JSON.stringify(filters) }]) {
      const { isError, answer } = await call('search_messages', { query: 'x', ...form })
      expect([isError, answer.error.code]).toEqual([true, 'VALIDATION_ERROR'])
      expect(answer.error.message).toMatch(/^filters(_json)?\.(kinds|tags): a list of (200000|1001) was given/)
    }
  }
})

test('no refusal contains half a surrogate pair', async () => {
  const { answer } = await call('write_message', {
    session_id: 's',
    role: 'user',
    content: 'x',
    metadata: { [`a${'😀'.repeat(30)}`]: 1 },
  })
  expect(answer.error.message.isWellFormed()).toBe(true)
})
