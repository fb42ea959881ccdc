/** Arguments as language models and their hosts send them, through the MCP endpoint to the real store. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import mirror from '../../../mcp-server/src/tools.generated.json' with { type: 'json' }
import type { SearchArguments } from '../../../src/contracts/tools/search.ts'
import { EMPTY_SCAN, modern, rpc, testApp } from '../../support/app.ts'
import { callTool as call, refusedBy as refused, writeMessage as write } from '../../support/tool-calls.ts'

const HOUR = 3_600_000

/** Every optional parameter of a tool as null. */
function nulls(tool: string): Record<string, null> {
  const { properties = {}, required = [] } = mirror.tools.find(({ name }) => name === tool)!.inputSchema as {
    properties?: object
    required?: readonly string[]
  }
  return Object.fromEntries(Object.keys(properties).flatMap((name) => (required.includes(name) ? [] : [[name, null]])))
}

test('all nine tools take null for every optional parameter as its absence', async () => {
  const { message } = await write('nulls', nulls('write_message'))
  const { message_id } = message
  expect(message).toMatchObject({ revision: 1, metadata: { tags: [], importance: 50 } })
  const updated = await call('update_message', { ...nulls('update_message'), message_id, content: 'the kestrel wakes' })
  expect(updated).toMatchObject({ status: 'OK', changed: true, message: { revision: 2 } })
  const read = nulls('read_messages')
  expect((await call('read_messages', { ...read, view: 'history', session_id: 'nulls' })).history).toHaveLength(1)
  expect(await call('read_messages', { ...read, view: 'content', message_id })).toMatchObject({
    content_range: { complete: true, content_offset: 0 },
  })
  expect(await call('read_messages', { ...read, view: 'context', message_id })).toMatchObject({ truncated: false })
  expect((await call('read_messages', { ...read, view: 'sessions' })).sessions.length).toBeGreaterThan(0)
  const found = await call('search_messages', { ...nulls('search_messages'), query: 'kestrel' })
  expect(found.results.length).toBeGreaterThan(0)
  expect(await call('delete_message', { ...nulls('delete_message'), message_id })).toEqual({ status: 'OK' })
  expect(await call('rebuild_index', nulls('rebuild_index'))).toMatchObject({ status: 'OK' })
  expect(await call('get_system_health', nulls('get_system_health'))).toMatchObject({ status: 'OK' })
  expect(await call('search', nulls('search'))).toEqual(EMPTY_SCAN)
  expect(await call('compose_mml', { ...nulls('compose_mml'), action: 'template' })).toHaveProperty('mml')
})

test('null for a required parameter is refused by name', async () => {
  expect(await refused('write_message', { session_id: null, role: 'user', content: 'x' })).toMatch(/^session_id: null/)
  expect(await refused('read_messages', { view: null })).toMatch(/^view: null/)
  expect(await refused('read_messages', { view: 'history', session_id: null })).toMatch(/^session_id: null/)
  expect(await refused('delete_message', { message_id: null })).toMatch(/^message_id: null/)
})

test('search reads JSON text as the list, number or boolean that it declares', async () => {
  const seen: SearchArguments[] = []
  const app = testApp(env.DB, {
    search: async (_viewer, args) => {
      seen.push(args)
      return { ok: true, value: EMPTY_SCAN }
    },
  })
  await call('search', { vector_ids: '["d:abc"]' }, app)
  await call('search', { labels: '["bug", "ui"]', top_k: '5', rerank: 'false', graph_hops: ' 2 ', query: '[1]' }, app)
  await call('search', { vector_ids: '[]', content_offset: '5.0' }, app)
  expect(seen).toEqual([
    expect.objectContaining({ vector_ids: ['d:abc'] }),
    expect.objectContaining({ labels: ['bug', 'ui'], top_k: 5, rerank: false, graph_hops: 2, query: '[1]' }),
    expect.objectContaining({ content_offset: 5 }),
  ])
  expect(seen[2]).not.toHaveProperty('vector_ids')
})

test.each([
  [{ vector_ids: 'd:abc' }, /^vector_ids: "d:abc" was given, accepted is a list/],
  [{ vector_ids: '{"a":1}' }, /^vector_ids: "{\\"a\\":1}" was given/],
  [{ vector_ids: '["a", 5]' }, /^vector_ids\[1\]: 5 was given/],
  [{ labels: '"bug"' }, /^labels: "\\"bug\\"" was given/],
  [{ top_k: 'null' }, /^top_k: "null" was given/],
  [{ top_k: 'true' }, /^top_k: "true" was given/],
  [{ top_k: '51' }, /^top_k: 51 was given, accepted is a whole number from 1 to 50/],
  [{ top_k: '' }, /^top_k: "" was given/],
  [{ rerank: '1' }, /^rerank: "1" was given, accepted is true or false/],
  [{ query: 5 }, /^query: 5 was given/],
  [{ repo: ['a/b'] }, /^repo: a list of 1 was given/],
])('search refuses %j: it holds another type than the declared one', async (args, expected) => {
  expect(await refused('search', args)).toMatch(expected)
})

test('compose_mml reads JSON text, and its text of notes stays text', async () => {
  const song = { mml: 'A l8 [c e g e]2', mode: 'ppmck' }
  const sent = { sample_rate: '8000', normalize: 'true', loops: '2', fade_sec: '0.5', include_sequence: 'false' }
  expect(await call('compose_mml', { action: 'compose', ...song, ...sent })).toMatchObject({
    success: true,
    audio: { sample_rate: 8000 },
    note_sequence: null,
  })
  const { valid, errors } = await call('compose_mml', { action: 'validate', mode: 'ppmck', mml: '["A c"]' })
  expect([valid, errors[0].line]).toEqual([false, 1])
})

test('the conversation tools read JSON text where an object, a list, a number or a boolean is declared', async () => {
  const metadata = { tags: ['owl'], importance: 70 }
  const { message } = await write('texts', { metadata: JSON.stringify(metadata) })
  expect(message.metadata).toMatchObject(metadata)
  const { message_id } = message
  const updated = await call('update_message', { message_id, expected_revision: '1', metadata: '{"importance":80}' })
  expect(updated.message).toMatchObject({ revision: 2, metadata: { importance: 80, tags: ['owl'] } })
  const page = await call('read_messages', { view: 'history', session_id: 'texts', limit: '1', since: '0' })
  expect(page.history).toHaveLength(1)
  const part = await call('read_messages', { view: 'content', message_id, content_offset: '4', content_limit: '7' })
  expect(part.content_range.content).toBe('kestrel')
  const types = { relation_types: '["supersedes"]', before: '0', after: '0', relation_depth: '2' }
  expect(await call('read_messages', { view: 'context', message_id, ...types })).toMatchObject({ relations: [] })
  const filters = '{"tags":["owl"],"hide_superseded":"true"}'
  const numbers = { limit: '5', context_size: '1', min_importance: '75', preview_chars: '3' }
  const found = await call('search_messages', { query: 'kestrel', session_id: 'texts', filters, ...numbers })
  expect(found.results.map((row: { content: string }) => row.content)).toEqual(['the'])
})

test('lists and objects within metadata may be JSON text', async () => {
  const first = (await write('nested texts')).message.message_id
  const { message } = await write('nested texts', {
    metadata: { tags: '["owl"]', relations: `[{"type":"supersedes","message_id":"${first}"}]` },
  })
  expect(message.metadata).toMatchObject({ tags: ['owl'], relations: [{ type: 'supersedes', message_id: first }] })
})

test.each([
  [
    'write_message',
    { session_id: 's', role: 'user', content: 'x', metadata: { importance: '50' } },
    'metadata.importance',
  ],
  [
    'write_message',
    { session_id: 's', role: 'user', content: 'x', metadata: '{"importance":"50"}' },
    'metadata.importance',
  ],
  [
    'write_message',
    { session_id: 's', role: 'user', content: 'x', metadata: { expires_at: '4102444800000' } },
    'metadata.expires_at',
  ],
  ['search_messages', { query: 'x', filters: { since: '1795996800000' } }, 'filters.since'],
  ['write_message', { session_id: 's', role: 'user', content: 'x', metadata: '[]' }, 'metadata'],
  ['write_message', { session_id: 's', role: 'user', content: 'x', metadata: 'owl' }, 'metadata'],
  ['write_message', { session_id: 7, role: 'user', content: 'x' }, 'session_id'],
  ['write_message', { session_id: 's', role: 'user', content: { text: 'x' } }, 'content'],
  ['search_messages', { query: 'x', since: '2026' }, 'since'],
  ['search_messages', { query: 'x', until: '202601' }, 'until'],
  ['search_messages', { query: 'x', filters: { since: '20260101' } }, 'filters.since'],
  ['read_messages', { view: 'history', session_id: 's', since: '20260101' }, 'since'],
  ['read_messages', { view: 'history', session_id: 's', until: ' 2026 ' }, 'until'],
  ['write_message', { session_id: 's', role: 'user', content: 'x', expires_at: '2100' }, 'expires_at'],
  ['search', { since: '20260101' }, 'since'],
  ['read_messages', { view: 'history', session_id: 's', limit: true }, 'limit'],
  ['read_messages', { view: 'history', session_id: 's', limit: '2.5' }, 'limit'],
])('%s refuses %j by the name %s', async (tool, args, parameter) => {
  expect((await refused(tool, args)).split(':')[0]).toBe(parameter)
})

test('text that looks like JSON is kept as text', async () => {
  const { message } = await write('["s"]', { content: '{"a": 1}', metadata: { summary: '5', tags: ['true'] } })
  expect(message).toMatchObject({
    session_id: '["s"]',
    content: '{"a": 1}',
    metadata: { summary: '5', tags: ['true'] },
  })
  const found = await call('search_messages', { query: '"5"', session_id: '["s"]' })
  expect(found.results).toHaveLength(1)
})

test('role, view, kind and tier are accepted in any letter case, and stored in lower case', async () => {
  const { message } = await write('cases', { role: 'User', metadata: { memory_kind: 'Semantic', memory_tier: 'LONG' } })
  expect(message).toMatchObject({ role: 'user', metadata: { memory_kind: 'semantic', memory_tier: 'long' } })
  await write('cases', { role: 'ASSISTANT', kind: 'Episode', tier: 'Mid' })
  await write('cases', { role: 'sYSTEM', metadata_json: '{"memory_kind":"EPISODE"}' })
  const { history } = await call('read_messages', { view: 'History', session_id: 'cases' })
  expect(history.map((row: { role: string }) => row.role)).toEqual(['user', 'assistant', 'system'])
  const filters = { kinds: ['EPISODE'], tiers: ['mid', 'Short'] }
  expect((await call('search_messages', { query: 'kestrel', session_id: 'cases', filters })).results).toHaveLength(2)
  expect(await refused('write_message', { session_id: 's', role: 'Tool', content: 'x' })).toMatch(/^role: "Tool" was/)
  expect(await refused('write_message', { session_id: 's', role: 'user ', content: 'x' })).toMatch(/^role: "user " was/)
})

test('a message_id and the words of other lists keep their letter case', async () => {
  const { message_id } = (await write('exact')).message
  expect(await refused('delete_message', { message_id: message_id.toLowerCase() })).toMatch(/^message_id: /)
  expect(await refused('read_messages', { view: 'context', message_id, relation_types: ['Supersedes'] })).toMatch(
    /^relation_types\[0\]: /,
  )
  expect(await refused('search', { state: 'Open' })).toMatch(/^state: /)
})

test('expires_at takes Unix ms, RFC 3339 and a date, in metadata and beside it', async () => {
  for (const expires_at of [4_102_444_800_000, '2100-01-01T00:00:00Z', '2100-01-01T09:00:00+09:00', '2100-01-01']) {
    for (const given of [
      { metadata: { expires_at } },
      { metadata_json: JSON.stringify({ expires_at }) },
      { expires_at },
    ]) {
      expect((await write('expiry', given)).message.metadata.expires_at).toBe(4_102_444_800_000)
    }
  }
  const beside = await write('expiry', { expires_at: '4102444800000' })
  expect(beside.message.metadata.expires_at).toBe(4_102_444_800_000)
  const { message_id } = beside.message
  const never = await call('update_message', { message_id, metadata: { expires_at: null } })
  expect(never.message.metadata).not.toHaveProperty('expires_at')
})

test('a time of expiry that is past is refused, and seconds are named as the likely slip', async () => {
  const inAnHour = Math.floor((Date.now() + HOUR) / 1000)
  for (const [given, place] of [
    [{ metadata: { expires_at: inAnHour } }, 'metadata.expires_at'],
    [{ metadata_json: `{"expires_at":${inAnHour}}` }, 'metadata_json.expires_at'],
    [{ expires_at: inAnHour }, 'expires_at'],
  ] as const) {
    const message = await refused('write_message', { session_id: 'past', role: 'user', content: 'x', ...given })
    expect(message.split(':')[0]).toBe(place)
    expect(message).toContain('seconds instead of milliseconds')
    expect(message).toContain(String(inAnHour * 1000))
  }
  for (const expires_at of [Date.now() - HOUR, '2020-02-02', '2020-02-02T00:00:00Z']) {
    const message = await refused('write_message', { session_id: 'past', role: 'user', content: 'x', expires_at })
    expect(message).toMatch(/^expires_at: .* was given, which is past, accepted is a later time/)
    expect(message).not.toContain('seconds instead')
  }
  expect((await call('read_messages', { view: 'history', session_id: 'past' })).history).toEqual([])
  const { message_id } = (await write('past')).message
  expect(await refused('update_message', { message_id, content: 'new', expires_at: 5 })).toMatch(/^expires_at: 5 /)
  const { history } = await call('read_messages', { view: 'history', session_id: 'past' })
  expect(history).toMatchObject([{ content: 'the kestrel sleeps', revision: 1 }])
})

test('a window takes plain dates as UTC midnight, the same in every tool', async () => {
  const { timestamp } = (await write('window')).message
  const today = new Date(timestamp).toISOString().slice(0, 10)
  const tomorrow = new Date(timestamp + 24 * HOUR).toISOString().slice(0, 10)
  const midnight = `${today}T00:00:00Z`
  const history = async (window: object) =>
    (await call('read_messages', { view: 'history', session_id: 'window', ...window })).history.length
  const found = async (window: object) =>
    (await call('search_messages', { query: 'kestrel', session_id: 'window', filters: window })).results.length
  for (const count of [history, found]) {
    expect(await count({ since: today, until: tomorrow })).toBe(1)
    expect(await count({ until: today })).toBe(0)
    expect(await count({ until: '2026-01-01' })).toBe(0)
    expect(await count({ since: midnight })).toBe(1)
    expect(await count({ since: tomorrow })).toBe(0)
    expect(await count({ since: timestamp, until: timestamp })).toBe(0)
  }
})

test.each([
  ['read_messages', { view: 'history', session_id: 's' }, '', 'since'],
  ['search_messages', { query: 'x' }, 'filters', 'filters.since'],
  ['search_messages', { query: 'x' }, 'filters_json', 'filters_json.since'],
  ['search_messages', { query: 'x' }, '', 'since'],
  ['search', {}, '', 'since'],
])('%s with %j refuses a window that ends before it begins, by the name %s', async (tool, args, place, name) => {
  const window = { since: '2026-11-02', until: '2026-11-01T23:59:59Z' }
  const given = place === '' ? window : { [place]: place === 'filters' ? window : JSON.stringify(window) }
  expect(await refused(tool, { ...args, ...given })).toMatch(
    new RegExp(`^${name}: 2026-11-02T00:00:00Z was given, which is later than until \\(2026-11-01T23:59:59Z\\)`),
  )
})

test('clients of 2026-07-28 are answered the same', async () => {
  const args = { session_id: 'era', role: 'User', content: 'x', tags: '["a"]', metadata: null, colour: 1 }
  const { body } = await rpc(testApp(env.DB), ...modern('tools/call', { name: 'write_message', arguments: args }))
  expect(body.result.structuredContent).toMatchObject({
    message: { role: 'user', metadata: { tags: ['a'] } },
    ignored: [{ name: 'colour' }],
  })
})

test('the published schemas have only the canonical parameters, and no closed list of them for the seven', () => {
  for (const { name, inputSchema, outputSchema } of mirror.tools) {
    const isClosed = 'additionalProperties' in inputSchema
    expect([name, isClosed]).toEqual([name, name === 'search' || name === 'compose_mml'])
    expect([name, 'ignored' in outputSchema.properties]).toEqual([name, !isClosed])
    const published = Object.keys((inputSchema as { properties?: object }).properties ?? {})
    for (const unpublished of ['kind', 'tier', 'tags', 'importance', 'summary', 'expires_at']) {
      expect(published).not.toContain(unpublished)
    }
  }
})
