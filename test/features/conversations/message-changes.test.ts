/** Writes, updates and deletions: an acknowledged change is stored once, in order, unchanged, and survives the object. */
import { decodeTime } from 'ulid'
import { describe, expect, test } from 'vitest'
import { codeOf, TestStore, value } from '../../support/memory-world.ts'

const MIB = 1_048_576

/** Metadata of a message that was written without any. */
const DEFAULTS = {
  tags: [],
  memory_tier: 'short',
  memory_kind: 'conversation',
  importance: 50,
  relations: [],
  source_message_ids: [],
}

describe('a written message', () => {
  test('a written message has an id, times, revision 1 and default metadata', async () => {
    const store = new TestStore()
    const message = await store.write('hello')
    expect(message).toEqual({
      message_id: message.message_id,
      session_id: 's',
      timestamp: message.timestamp,
      role: 'user',
      content: 'hello',
      revision: 1,
      updated_at: message.timestamp,
      metadata: DEFAULTS,
    })
    expect(message.message_id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    expect(decodeTime(message.message_id)).toBe(message.timestamp)
    expect(Math.abs(Date.now() - message.timestamp)).toBeLessThan(60_000)
  })

  test.each([
    ['a byte order mark, U+0000, both newlines, spaces and decomposed accents', '\ufeffа\u0000b\r\n e\u0301 '],
    ['a space', ' '],
    ['a mebibyte of one byte each', 'x'.repeat(MIB)],
    ['as many three-byte characters as fit', 'あ'.repeat(349_525)],
    ['a mebibyte of four-byte characters', '😀'.repeat(262_144)],
  ])('a written content is returned unchanged: %s', async (_, content) => {
    const store = new TestStore()
    const { message_id } = await store.write(content)
    await store.restart()
    const [stored] = value(await store.history()).history
    expect(stored?.content === content).toBe(true)
    expect(stored?.message_id).toBe(message_id)
  })

  test('equal writes make two messages', async () => {
    const store = new TestStore()
    const [first, second] = [await store.write('same'), await store.write('same')]
    expect(second.message_id > first.message_id).toBe(true)
    expect(value(await store.history()).history).toHaveLength(2)
  })

  test('a written message keeps its metadata, also U+0000 in the summary', async () => {
    const store = new TestStore()
    const metadata = {
      tags: ['b', 'a', 'b'],
      memory_tier: 'long',
      memory_kind: 'preference',
      importance: 0,
      relations: [{ type: 'derived_from', message_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }],
      source_message_ids: ['01ARZ3NDEKTSV4RRFFQ69G5FAV'],
      tool_call_id: 'call 1',
      summary: 'a\u0000b',
      expires_at: 9_007_199_254_740_991,
    } as const
    const written = await store.write('x', { metadata: metadata as never })
    expect(written.metadata).toEqual(metadata)
    expect(value(await store.history()).history[0]?.metadata).toEqual(metadata)
  })
})

describe('concurrent writers', () => {
  test('concurrent writes to one session are all stored, in the order of their ids', async () => {
    const store = new TestStore()
    const written = await Promise.all(Array.from({ length: 200 }, (_, at) => store.write(`note ${at}`)))
    const { messages } = await store.walk({ limit: 7 })
    const ids = messages.map(({ message_id }) => message_id)
    expect(new Set(ids)).toEqual(new Set(written.map(({ message_id }) => message_id)))
    expect(ids).toHaveLength(200)
    expect(ids).toEqual(ids.toSorted())
    expect((await store.health()).last_sequence).toBe(200)
  })

  test('of concurrent updates of one revision one succeeds and the others get CONFLICT', async () => {
    const store = new TestStore()
    const { message_id } = await store.write('draft')
    const tried = await Promise.all(
      Array.from({ length: 8 }, (_, at) => store.update(message_id, { content: `edit ${at}`, expected_revision: 1 })),
    )
    expect(tried.map(codeOf).toSorted()).toEqual([...Array.from({ length: 7 }, () => 'CONFLICT'), 'ok'])
    const winner = tried.findIndex(({ ok }) => ok)
    expect(value(await store.history()).history[0]).toMatchObject({ content: `edit ${winner}`, revision: 2 })
  })
})

describe('an update', () => {
  test('an update changes the given fields only and adds one revision', async () => {
    const store = new TestStore()
    const before = await store.write('text', { metadata: { tags: ['a'], importance: 80 } })
    const { changed, message } = value(await store.update(before.message_id, { metadata: { importance: 90 } }))
    expect(changed).toBe(true)
    expect(message).toMatchObject({ revision: 2, content: 'text', metadata: { tags: ['a'], importance: 90 } })
    expect(message.updated_at).toBeGreaterThanOrEqual(before.updated_at)
    const both = value(await store.update(before.message_id, { content: 'new', metadata: { tags: ['b'] } }))
    expect(both.message).toMatchObject({ revision: 3, content: 'new', metadata: { tags: ['b'], importance: 90 } })
    expect(both.message.timestamp).toBe(before.timestamp)
  })

  test('an update to equal values changes nothing, also no count', async () => {
    const store = new TestStore()
    const { message_id } = await store.write('text', { metadata: { tags: ['a'] } })
    const first = value(await store.update(message_id, { metadata: { importance: 90 } }))
    const health = await store.health()
    for (const change of [{ metadata: { importance: 90 } }, { metadata: {} }, { content: 'text' }]) {
      expect(value(await store.update(message_id, change))).toEqual({ ...first, changed: false })
    }
    expect(await store.health()).toEqual(health)
  })

  test('an update from 0 to -0 changes nothing', async () => {
    const store = new TestStore()
    const { message_id } = await store.write('x', { metadata: { importance: 0 } })
    expect(value(await store.update(message_id, { metadata: { importance: -0 } })).changed).toBe(false)
  })

  test('an update that expects another revision is refused even if it would change nothing', async () => {
    const store = new TestStore()
    const { message_id } = await store.write('one')
    await store.update(message_id, { content: 'two' })
    expect(codeOf(await store.update(message_id, { content: 'two', expected_revision: 1 }))).toBe('CONFLICT')
    expect(value(await store.history()).history[0]).toMatchObject({ content: 'two', revision: 2 })
  })

  test('null in an update restores the default of a field', async () => {
    const store = new TestStore()
    const { message_id } = await store.write('x', {
      metadata: {
        tags: ['a'],
        summary: 'sum',
        tool_call_id: 'c',
        importance: 9,
        memory_tier: 'long',
        expires_at: 9e15,
      },
    })
    const nothing = {
      tags: null,
      summary: null,
      tool_call_id: null,
      importance: null,
      memory_tier: null,
      expires_at: null,
    }
    const { message } = value(await store.update(message_id, { metadata: nothing }))
    expect(message.metadata).toEqual(DEFAULTS)
    expect(message.revision).toBe(2)
  })

  test.each(['unknown', 'deleted'])('an update of an %s message is refused with NOT_FOUND', async (kind) => {
    const store = new TestStore()
    const { message_id } = await store.write('x')
    if (kind === 'deleted') await store.delete(message_id)
    const id = kind === 'deleted' ? message_id : '01ARZ3NDEKTSV4RRFFQ69G5FAV'
    expect(codeOf(await store.update(id, { content: 'y' }))).toBe('NOT_FOUND')
  })
})

describe('a deletion', () => {
  test('a deleted message is in no answer, and a second deletion answers NOT_FOUND', async () => {
    const store = new TestStore()
    const [before, message, after] = [await store.write('a'), await store.write('quartzfinch'), await store.write('c')]
    expect(value(await store.delete(message.message_id, 'other'))).toEqual({ status: 'NOT_FOUND' })
    expect(await store.found('quartzfinch')).toEqual(['quartzfinch'])
    expect(value(await store.delete(message.message_id, 's'))).toEqual({ status: 'OK' })
    expect(value(await store.delete(message.message_id))).toEqual({ status: 'NOT_FOUND' })
    expect(value(await store.delete('01ARZ3NDEKTSV4RRFFQ69G5FAV'))).toEqual({ status: 'NOT_FOUND' })
    expect(await store.found('quartzfinch')).toEqual([])
    expect(value(await store.history()).history.map(({ content }) => content)).toEqual(['a', 'c'])
    expect(codeOf(await store.content(message.message_id))).toBe('NOT_FOUND')
    expect(codeOf(await store.context(message.message_id))).toBe('NOT_FOUND')
    const around = value(await store.context(before.message_id))
    expect(around.chronological_context.after.map(({ message_id }) => message_id)).toEqual([after.message_id])
    expect(value(await store.sessions()).sessions[0]?.message_count).toBe(2)
  })
})

describe('an idempotency key', () => {
  const key = { idempotency_key: 'k' }

  test('a second write with the same key returns the first message', async () => {
    const store = new TestStore()
    const first = await store.write('once', key)
    const health = await store.health()
    expect(value(await store.tryWrite('once', key))).toEqual({ status: 'OK', deduplicated: true, message: first })
    expect(await store.health()).toEqual(health)
    await store.restart()
    expect(value(await store.tryWrite('once', key)).message).toEqual(first)
    expect(value(await store.history()).history).toHaveLength(1)
  })

  test('a write with the key of another write is refused and stores nothing', async () => {
    const store = new TestStore()
    await store.write('once', key)
    for (const other of [{ session_id: 't' }, { role: 'assistant' as const }, { metadata: { tags: ['a'] } }]) {
      expect(codeOf(await store.tryWrite('once', { ...key, ...other }))).toBe('CONFLICT')
    }
    expect(codeOf(await store.tryWrite('twice', key))).toBe('CONFLICT')
    expect((await store.health()).active_messages).toBe(1)
  })

  test('a repeated write returns the message in its present state or reports that it is deleted', async () => {
    const store = new TestStore()
    const { message_id } = await store.write('once', key)
    const updated = value(await store.update(message_id, { content: 'changed' })).message
    expect(value(await store.tryWrite('once', key))).toEqual({ status: 'OK', deduplicated: true, message: updated })
    await store.delete(message_id)
    const gone = { status: 'OK', deduplicated: true, deleted: true, message_id }
    expect(value(await store.tryWrite('once', key))).toEqual(gone)
    value(await store.rebuild())
    expect(value(await store.tryWrite('once', key))).toEqual(gone)
  })

  test('an idempotency key can be used again after a day', async () => {
    const store = new TestStore()
    const first = await store.write('once', key)
    await store.sql('UPDATE idempotency SET written_at = written_at - 86400000')
    const second = await store.write('once', key)
    expect(second.message_id).not.toBe(first.message_id)
    expect(await store.sql('SELECT count(*) AS keys FROM idempotency')).toEqual([{ keys: 1 }])
  })

  test('concurrent writes with one key make one message', async () => {
    const store = new TestStore()
    const tried = await Promise.all(Array.from({ length: 20 }, () => store.tryWrite('once', key)))
    expect(tried.filter((one) => value(one).deduplicated !== true)).toHaveLength(1)
    expect(value(await store.history()).history).toHaveLength(1)
  })
})

test('no user reads messages of another user by session, id or cursor', async () => {
  const [mine, theirs] = [new TestStore(), new TestStore()]
  const secret = await theirs.write('secret heron')
  await theirs.write('another')
  await mine.write('a')
  await mine.write('b')
  const { nextCursor } = value(await theirs.history({ limit: 1 }))
  expect(await mine.found('heron')).toEqual([])
  expect(value(await mine.history()).history.map(({ content }) => content)).toEqual(['a', 'b'])
  expect(codeOf(await mine.content(secret.message_id))).toBe('NOT_FOUND')
  expect(codeOf(await mine.context(secret.message_id))).toBe('NOT_FOUND')
  expect(codeOf(await mine.update(secret.message_id, { content: 'x' }))).toBe('NOT_FOUND')
  expect(value(await mine.delete(secret.message_id))).toEqual({ status: 'NOT_FOUND' })
  expect(codeOf(await mine.history({ cursor: nextCursor! }))).toBe('VALIDATION_ERROR')
  expect(await theirs.found('heron')).toEqual(['secret heron'])
})
