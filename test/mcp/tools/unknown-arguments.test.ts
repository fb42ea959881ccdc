/** Unknown arguments of all tools: those that are fields of a parameter, those that are named in the answer, and those that are refused. */
import { expect, test } from 'vitest'
import { callTool as call, refusedBy as refused, writeMessage as write } from '../../support/tool-calls.ts'

test('fields of metadata are taken beside it, in write and in update', async () => {
  const fields = {
    tags: ['owl'],
    importance: 80,
    kind: 'semantic',
    tier: 'long',
    summary: 's',
    expires_at: '2100-01-01',
  }
  const stored = {
    tags: ['owl'],
    importance: 80,
    memory_kind: 'semantic',
    memory_tier: 'long',
    summary: 's',
    expires_at: 4_102_444_800_000,
  }
  const first = await write('beside', fields)
  expect(first.message.metadata).toMatchObject(stored)
  expect(first).not.toHaveProperty('ignored')
  const second = await write('beside', {
    ...fields,
    tags: '["owl"]',
    importance: '80',
    metadata: { tool_call_id: 'c' },
  })
  expect(second.message.metadata).toMatchObject({ ...stored, tool_call_id: 'c' })
  const { message_id } = first.message
  const changed = await call('update_message', { message_id, memory_kind: 'episode', memory_tier: 'mid', summary: '' })
  expect(changed.message.metadata).toMatchObject({ memory_kind: 'episode', memory_tier: 'mid', tags: ['owl'] })
  expect(changed.message.metadata).not.toHaveProperty('summary')
  const unchanged = await call('update_message', {
    message_id,
    content: 'new',
    tags: null,
    importance: null,
    kind: null,
  })
  expect(unchanged.message.metadata).toMatchObject({ memory_kind: 'episode', tags: ['owl'], importance: 80 })
})

test.each([
  [{ tags: ['a'], metadata: { tags: ['b'] } }, 'tags: given together with metadata.tags'],
  [{ kind: 'episode', metadata: { memory_kind: 'episode' } }, 'kind: given together with metadata.memory_kind'],
  [{ tier: 'mid', metadata_json: '{"memory_tier":null}' }, 'tier: given together with metadata_json.memory_tier'],
  [{ kind: 'episode', memory_kind: 'summary' }, 'kind: given together with memory_kind'],
  [{ importance: 101 }, 'importance: 101 was given'],
  [{ tags: 'owl' }, 'tags: "owl" was given, accepted is a list'],
  [{ tags: [''] }, 'tags[0]: "" was given'],
  [{ kind: 'owl' }, 'kind: "owl" was given, accepted is one of'],
  [{ summary: 5 }, 'summary: 5 was given'],
  [{ expires_at: 'soon' }, 'expires_at: "soon" was given, accepted is Unix ms'],
])('write_message refuses %j, and stores nothing', async (given, expected) => {
  const args = { session_id: 'twice', role: 'user', content: 'x', ...given }
  expect(await refused('write_message', args)).toContain(expected)
  expect((await call('read_messages', { view: 'history', session_id: 'twice' })).history).toEqual([])
})

test('filters are taken beside filters, and importance as min_importance', async () => {
  await write('sieve', { content: 'heron one', kind: 'semantic', tier: 'long', tags: ['a', 'b'], importance: 90 })
  await write('sieve', { content: 'heron two', kind: 'episode', tags: ['a'] })
  const found = async (args: object): Promise<string[]> => {
    const answer = await call('search_messages', { query: 'heron', session_id: 'sieve', ...args })
    expect(answer).not.toHaveProperty('ignored')
    return answer.results.map((row: { content: string }) => row.content).toSorted()
  }
  const both = ['heron one', 'heron two']
  expect(await found({})).toEqual(both)
  expect(await found({ kind: 'semantic' })).toEqual(['heron one'])
  expect(await found({ memory_kind: ['Semantic', 'episode'] })).toEqual(both)
  expect(await found({ kind: '["episode"]' })).toEqual(['heron two'])
  expect(await found({ tier: 'LONG' })).toEqual(['heron one'])
  expect(await found({ memory_tier: 'short' })).toEqual(['heron two'])
  expect(await found({ tags: ['a', 'b'] })).toEqual(['heron one'])
  expect(await found({ tags: '["a"]', filters: { kinds: ['episode'] } })).toEqual(['heron two'])
  expect(await found({ since: '2000-01-01', until: '2000-01-02' })).toEqual([])
  expect(await found({ importance: 60 })).toEqual(['heron one'])
  expect(await found({ importance: '60', min_importance: null })).toEqual(['heron one'])
  expect(await found({ filters: { kinds: null, tags: null, since: null, hide_superseded: null } })).toEqual(both)
})

test.each([
  [{ kind: 'episode', filters: { kinds: ['episode'] } }, 'kind: given together with filters.kinds'],
  [{ tags: ['a'], filters_json: '{"tags":["a"]}' }, 'tags: given together with filters_json.tags'],
  [{ importance: 5, min_importance: 6 }, 'importance: given together with min_importance'],
  [{ since: 'soon' }, 'since: "soon" was given, accepted is Unix ms'],
  [{ kind: 'owl' }, 'kind: "owl" was given, accepted is one of'],
  [{ tags: 'owl' }, 'tags: "owl" was given, accepted is a list'],
])('search_messages refuses %j', async (given, expected) => {
  expect(await refused('search_messages', { query: 'heron', ...given })).toContain(expected)
})

test('an answer names the arguments that were ignored, with the nearest parameter', async () => {
  const written = await write('ignored', { metaData: { tags: ['a'] }, relations: [], colour: 'red', absent: null })
  expect(written.ignored).toEqual([
    { name: 'metaData', nearest: 'metadata' },
    { name: 'relations', nearest: 'metadata.relations' },
    { name: 'colour' },
  ])
  const { message_id } = written.message
  expect(written.message.metadata.tags).toEqual([])
  const read = await call('read_messages', {
    view: 'history',
    session_id: 'ignored',
    limits: 1,
    before: 3,
    order_by: 'x',
  })
  expect(read.ignored).toEqual([
    { name: 'limits', nearest: 'limit' },
    { name: 'order_by', nearest: 'order' },
  ])
  const found = await call('search_messages', { query: 'kestrel', kinds: ['episode'], sessionId: 'other' })
  expect(found.ignored).toEqual([
    { name: 'kinds', nearest: 'filters.kinds' },
    { name: 'sessionId', nearest: 'session_id' },
  ])
  expect(found.results.length).toBeGreaterThan(0)
  const updated = await call('update_message', { message_id, content: 'new', expected_revison: 9 })
  expect(updated.ignored).toEqual([{ name: 'expected_revison', nearest: 'expected_revision' }])
  expect((await call('get_system_health', { verbose: true })).ignored).toEqual([{ name: 'verbose' }])
  expect((await call('rebuild_index', { force: true })).ignored).toEqual([{ name: 'force' }])
  const deleted = await call('delete_message', { message_id, session: 'other' })
  expect(deleted).toEqual({ status: 'OK', ignored: [{ name: 'session', nearest: 'session_id' }] })
})

test('a refusal names an unknown argument beside the required one that is missing', async () => {
  const missing = async (tool: string, args: object, ...names: string[]) => {
    const message = await refused(tool, args)
    for (const name of names) expect(message).toContain(name)
    expect(message.startsWith(`${names[0]}: missing`)).toBe(true)
  }
  await missing('write_message', { session: 's', role: 'user', content: 'x' }, 'session_id', 'session (nearest')
  await missing('write_message', { session_id: 's', role: 'user', text: 'x' }, 'content', 'text')
  await missing('write_message', { session_id: 's', author: 'user', content: 'x' }, 'role', 'author')
  await missing('update_message', { id: 'x', content: 'x' }, 'message_id', 'id (nearest: message_id)')
  await missing('read_messages', { mode: 'history' }, 'view', 'mode')
  await missing('read_messages', { view: 'history', sessionID: 's' }, 'session_id', 'sessionID (nearest: session_id)')
  await missing('delete_message', { messageId: 'x' }, 'message_id', 'messageId (nearest: message_id)')
  const composed = await call('compose_mml', { act: 'compose' })
  expect(composed.errors[0].message).toBe('act: unknown parameter, and action is missing')
})

test.each(['q', 'qurey', 'querry', 'Query', 'queries', 'search_query', 'query_text', 'queryString'])(
  'search_messages refuses %s, which is probably the query',
  async (name) => {
    for (const args of [{ [name]: 'kestrel' }, { query: 'kestrel', [name]: 'kestrel' }]) {
      expect(await refused('search_messages', args)).toBe(`${name}: unknown parameter, accepted is query`)
    }
  },
)

test('search and compose_mml refuse an unknown parameter by name, with the nearest one', async () => {
  const search = await call('search', { vector_id: '["d:abc"]' })
  expect(search).toMatchObject({ code: 'VALIDATION_ERROR', message: 'vector_id: unknown parameter' })
  expect(search.hint).toMatch(/^Did you mean vector_ids\? Known parameters: query, /)
  const composed = await call('compose_mml', { action: 'template', samplerate: 8000 })
  expect(composed.errors[0]).toMatchObject({ message: 'samplerate: unknown parameter' })
  expect(composed.errors[0].hint).toMatch(/^Did you mean sample_rate\? /)
})

test('of many ignored arguments the first ones are named, each name cut', async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`${at}${'x'.repeat(200)}`, at]))
  const { ignored } = await call('get_system_health', many)
  expect(ignored).toHaveLength(20)
  for (const { name } of ignored) expect(name.length).toBeLessThanOrEqual(40)
  const { ignored: odd } = await call('get_system_health', { [`a${'😀'.repeat(30)}`]: 1, __proto__: 1, constructor: 2 })
  expect(odd[0].name.isWellFormed()).toBe(true)
})
