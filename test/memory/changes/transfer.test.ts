/** Export, import and deletion of sessions over HTTP: byte for byte, all or nothing, repeatable. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { toMemory, type StoreOperations } from '../../../src/memory/memory.ts'
import { testApp } from '../../support/app.ts'
import { TestStore, value } from '../../support/memory-world.ts'

/** The HTTP routes of one user's store. */
function doors(user: string) {
  const memory = toMemory(() => env.MESSAGES.get(env.MESSAGES.idFromName(user)) as unknown as StoreOperations)
  const test = testApp(env.DB, { memory })
  return {
    exported: async () => {
      const response = await test.fetch('/memory/export')
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'application/x-ndjson; charset=utf-8',
      ])
      return response.text()
    },
    imported: async (body: BodyInit) => {
      const response = await test.fetch('/memory/import', { method: 'POST', body })
      return [response.status, await response.json()] as [number, any]
    },
    dropped: async (path: string) => {
      const response = await test.fetch(path, { method: 'DELETE' })
      return [response.status, await response.json()] as [number, any]
    },
  }
}

async function lived(): Promise<TestStore> {
  const store = new TestStore()
  const [first, second] = [await store.write('\ufeffа\0b\r\n e\u0301'), await store.write('gone')]
  await store.write('other', {
    session_id: 'セッション/2 ',
    role: 'assistant',
    metadata: {
      tags: ['a', '😀'],
      summary: 's\0',
      importance: 0,
      tool_call_id: 't',
      memory_tier: 'long',
      memory_kind: 'semantic',
      source_message_ids: [first.message_id],
      relations: [{ type: 'supersedes', message_id: first.message_id }],
      expires_at: 9e15,
    },
  })
  await store.update(first.message_id, { metadata: { importance: 7 } })
  await store.update(first.message_id, { metadata: { importance: 8 } })
  await store.delete(second.message_id)
  return store
}

test('an export that is imported into an empty store is exported again unchanged', async () => {
  const [from, to] = [await lived(), new TestStore()]
  const out = await doors(from.user).exported()
  expect(out.split('\n')).toHaveLength(3)
  expect(await doors(to.user).imported(out)).toEqual([200, { status: 'OK', imported: 2, unchanged: 0, kept: 0 }])
  expect(await doors(to.user).exported()).toBe(out)
  expect(await to.found('other')).toEqual(['other'])
  expect(value(await to.history()).history).toEqual(value(await from.history()).history)
  const health = await to.health()
  expect(health).toMatchObject({ status: 'OK', active_messages: 2, last_sequence: 2 })
  expect(await doors(to.user).imported(out)).toEqual([200, { status: 'OK', imported: 0, unchanged: 2, kept: 0 }])
  expect({ ...(await to.health()), io: undefined }).toEqual({ ...health, io: undefined })
})

test('an empty store exports nothing, and an empty import inserts nothing', async () => {
  const empty = doors(new TestStore().user)
  expect(await empty.exported()).toBe('')
  expect(await empty.imported('')).toEqual([200, { status: 'OK', imported: 0, unchanged: 0, kept: 0 }])
})

test('an export of many pages has each message once, in order', async () => {
  const store = new TestStore()
  for (let at = 0; at < 5; at += 1) await store.write(`${at}${'x'.repeat(600_000)}`)
  const lines = (await doors(store.user).exported()).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).content[0])).toEqual(['0', '1', '2', '3', '4'])
})

test('an import keeps a message that changed since the export and restores one that was deleted', async () => {
  const store = new TestStore()
  const [changed, deleted] = [await store.write('heron'), await store.write('egret')]
  const out = await doors(store.user).exported()
  await store.update(changed.message_id, { content: 'stork' })
  await store.delete(deleted.message_id)
  expect(await doors(store.user).imported(out)).toEqual([200, { status: 'OK', imported: 1, unchanged: 0, kept: 1 }])
  expect(value(await store.history()).history.map(({ content }) => content)).toEqual(['stork', 'egret'])
  expect(await store.found('egret')).toEqual(['egret'])
  expect(await store.health()).toMatchObject({ status: 'OK', active_messages: 2, deleted_messages: 0, dead_bytes: 0 })
})

test('imported ids of the future do not influence the ids of later writes', async () => {
  const store = new TestStore()
  const line = { ...(await new TestStore().write('x')), message_id: '7ZZZZZZZZZZZZZZZZZZZZZZZZZ' }
  await doors(store.user).imported(JSON.stringify(line))
  const { message_id, timestamp } = await store.write('y')
  expect(message_id < line.message_id).toBe(true)
  expect(Math.abs(Date.now() - timestamp)).toBeLessThan(60_000)
})

test('a page with one invalid line is refused as a whole, with the line and the fault', async () => {
  const [from, to] = [await lived(), new TestStore()]
  const [good = ''] = (await doors(from.user).exported()).split('\n')
  const bad = (change: object) => JSON.stringify({ ...JSON.parse(good), ...change })
  for (const [line, field] of [
    ['{', 'not JSON'],
    ['[]', 'not an object'],
    [bad({ message_id: 'x' }), 'message_id'],
    [bad({ content: '' }), 'content'],
    [bad({ content: '\ud800' }), 'content'],
    [bad({ role: 'tool' }), 'role'],
    [bad({ revision: 0 }), 'revision'],
    [bad({ revision: 1_000_000_001 }), 'revision'],
    [bad({ updated_at: 1 }), 'updated_at'],
    [
      bad({ metadata: { relations: [{ type: 'supersedes', message_id: JSON.parse(good).message_id }] } }),
      'metadata.relations[0]',
    ],
    [bad({ timestamp: '5' }), 'timestamp'],
    [bad({ session_id: 'a\0' }), 'session_id'],
    [bad({ metadata: { tags: [''] } }), 'metadata.tags[0]'],
    [bad({ metadata: { tag: [] } }), 'tag'],
    [bad({ colour: 'red' }), 'colour'],
  ] as const) {
    const [status, { error }] = await doors(to.user).imported(`${good}\n\n${line}\n`)
    expect([status, error.code, error.line]).toEqual([400, 'VALIDATION_ERROR', 3])
    expect(error.message).toContain(field)
  }
  expect((await doors(to.user).imported(new Uint8Array([0x7b, 0xff, 0x7d])))[1].error.message).toContain('UTF-8')
  expect(await to.health()).toMatchObject({ active_messages: 0, last_sequence: 0 })
})

test('a session is deleted by its id, also an unusual one, and no other session is', async () => {
  const store = await lived()
  const { dropped } = doors(store.user)
  expect(await dropped(`/memory/sessions/${encodeURIComponent('セッション/2 ')}`)).toEqual([
    200,
    { status: 'OK', deleted: 1 },
  ])
  expect((await dropped('/memory/sessions/nowhere'))[0]).toBe(404)
  expect((await dropped('/memory/sessions/%ff'))[0]).toBe(400)
  expect((await dropped('/memory/sessions/'))[0]).toBe(404)
  expect((await dropped('/memory/sessions'))[0]).toBe(400)
  expect((await dropped('/memory/sessions/%00'))[0]).toBe(400)
  expect((await dropped(`/memory/sessions/${'x'.repeat(257)}`))[0]).toBe(400)
  await store.write('between dots', { session_id: '..' })
  expect(await dropped('/memory/sessions?session_id=..')).toEqual([200, { status: 'OK', deleted: 1 }])
  expect(value(await store.sessions()).sessions.map(({ session_id }) => session_id)).toEqual(['s'])
  expect(await store.health()).toMatchObject({ active_messages: 1, deleted_messages: 3 })
})
