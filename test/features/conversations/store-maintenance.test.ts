/** Maintenance of a store: rebuilds, expiry, compaction, the alarm, and failures that lose no message. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MAX_ONE_STEP_MESSAGES } from '../../../src/memory/limits.ts'
import { codeOf, TestStore, value } from '../../support/memory-world.ts'
import { configure, NO_EMBEDDER, usedStore, VectorStore } from '../../support/message-vectors.ts'

const MIB = 1_048_576

/** Maintenance does not depend on the embedder. */
const EMBEDDERS = [
  ['no embedder', NO_EMBEDDER],
  ['the built-in embedder', { EMBEDDER: 'table' }],
  ['an embedder at an address', {}],
] as const

afterEach(() => configure(NO_EMBEDDER))

/** Resolves when no vector is pending, so that the alarm is set for other work alone. */
async function noneEmbedding(store: VectorStore, embedder: object): Promise<void> {
  if (embedder === NO_EMBEDDER) return
  await store.allEmbedded()
  await store.ring()
}

describe('a rebuild', () => {
  test.each(EMBEDDERS)(
    'with %s it removes deleted messages, changes no live one, and removes nothing the second time',
    async (_, embedder) => {
      configure(embedder)
      const store = await usedStore()
      await noneEmbedding(store, embedder)
      const seen = async () => [
        value(await store.history()),
        value(await store.sessions()),
        value(await store.search('apricot')),
        value(await store.search('fruit')),
      ]
      const [before, health] = [await seen(), await store.health()]
      const rebuilt = value(await store.rebuild())
      expect(rebuilt).toMatchObject({ status: 'OK', messages_indexed: 4, records_removed: 3 })
      expect(rebuilt.bytes_before).toBe(health.log_size)
      expect(rebuilt.bytes_after).toBeLessThanOrEqual(rebuilt.bytes_before)
      expect(await seen()).toEqual(before)
      const after = await store.health()
      expect(after).toMatchObject({ deleted_messages: 0, update_records: 0, dead_bytes: 0, active_messages: 4 })
      expect(after.last_sequence).toBe(health.last_sequence)
      expect(after.io.replace_calls).toBe(1)
      expect(value(await store.rebuild())).toMatchObject({ messages_indexed: 4, records_removed: 0 })
      await store.restart()
      expect(await seen()).toEqual(before)
    },
  )

  test('a rebuild of an empty store indexes no message', async () => {
    const rebuilt = value(await new TestStore().rebuild())
    expect(rebuilt).toMatchObject({ status: 'OK', messages_indexed: 0, records_removed: 0 })
  })

  test('a rebuild removes the text of deleted messages from the store', async () => {
    const store = new TestStore()
    const { message_id } = await store.write('wolpertinger', { metadata: { tags: ['zebra'], summary: 'jackalope' } })
    await store.write('other')
    await store.delete(message_id)
    expect(await store.sql(`SELECT count(*) AS rows FROM messages WHERE content = 'wolpertinger'`)).toEqual([
      { rows: 1 },
    ])
    value(await store.rebuild())
    expect(await store.sql('SELECT content FROM messages')).toEqual([{ content: 'other' }])
    expect(await store.found('zebra')).toEqual([])
  })

  test('a rebuild restores rows that the search index has lost', async () => {
    const store = await usedStore()
    await store.sql('DELETE FROM words_1 WHERE rowid >= 0')
    expect(await store.found('apricot')).toEqual([])
    value(await store.rebuild())
    expect(await store.found('apricot')).toEqual(['apricot'])
  })

  test('a rebuild that fails leaves the store unchanged, is reported by health, and can be repeated', async () => {
    const store = await usedStore()
    const tags = await store.sql(`SELECT tags FROM messages WHERE content = 'quince'`)
    await store.sql(`UPDATE messages SET tags = '{' WHERE content = 'quince'`)
    expect(codeOf(await store.rebuild())).toBe('CORRUPT_STORE')
    expect(await store.found('apricot')).toEqual(['apricot'])
    const health = await store.health()
    expect(health).toMatchObject({ status: 'DEGRADED', deleted_messages: 1, active_messages: 4 })
    expect(health.last_error).not.toMatch(/sql|json|\{/i)
    await store.sql(`UPDATE messages SET tags = ? WHERE content = 'quince'`, tags[0]!['tags'] as string)
    expect(value(await store.rebuild()).messages_indexed).toBe(4)
    expect(await store.health()).toMatchObject({ status: 'OK', last_error: '' })
  })

  test('a large store is rebuilt in slices while other calls get BUSY', async () => {
    const store = new TestStore()
    await store.write('the first')
    await store.fill(MAX_ONE_STEP_MESSAGES)
    const rebuilding = store.rebuild()
    const waiting = await store.history()
    expect(waiting).toMatchObject({ ok: false, failure: { code: 'BUSY', retryAfterMs: expect.any(Number) } })
    expect(codeOf(await store.tryWrite('x'))).toBe('BUSY')
    expect(value(await rebuilding).messages_indexed).toBe(MAX_ONE_STEP_MESSAGES + 1)
    expect(await store.found('needle', { limit: 1 })).toEqual(['needle in row 77'])
    expect(await store.health()).toMatchObject({ status: 'OK', active_messages: MAX_ONE_STEP_MESSAGES + 1 })
  })

  test('a rebuild in slices that failed can be repeated at once', async () => {
    const store = new TestStore()
    const { message_id } = await store.write('the first')
    await store.fill(MAX_ONE_STEP_MESSAGES)
    await store.sql(`UPDATE messages SET tags = '{' WHERE content = 'the first'`)
    const failed = await store.rebuild()
    expect(failed).toMatchObject({ ok: false, failure: { code: 'CORRUPT_STORE' } })
    expect(JSON.stringify(failed)).toContain(message_id)
    expect(value(await store.delete(message_id))).toEqual({ status: 'OK' })
    expect(value(await store.rebuild()).messages_indexed).toBe(MAX_ONE_STEP_MESSAGES)
  })

  test('a rebuild in slices that is interrupted leaves the store unchanged', async () => {
    const store = new TestStore()
    await store.write('the first')
    await store.fill(MAX_ONE_STEP_MESSAGES)
    const rebuilding = store.rebuild().then(codeOf, () => 'interrupted')
    expect(codeOf(await store.history())).toBe('BUSY')
    await store.abort()
    expect(await rebuilding).not.toBe('ok')
    expect(await store.found('first', { limit: 1 })).toEqual(['the first'])
    const tables = await store.sql(
      `SELECT name FROM sqlite_master WHERE name GLOB 'words_[0-9]*' AND sql LIKE '%fts5(%'`,
    )
    expect(tables).toEqual([{ name: 'words_1' }])
  })
})

describe('a message that expires', () => {
  test.each(EMBEDDERS)(
    'with %s an expired message is in no answer, and the alarm is set for its expiry',
    async (_, embedder) => {
      configure(embedder)
      const store = new VectorStore()
      await store.write('stays')
      const due = Date.now() + 1_000
      const { message_id } = await store.write('ephemeral', { metadata: { expires_at: due } })
      await noneEmbedding(store, embedder)
      expect(await store.found('ephemeral')).toEqual(['ephemeral'])
      expect(await store.alarm()).toBe(due)
      while (Date.now() <= due) await new Promise((resolve) => setTimeout(resolve, 50))
      expect(await store.found('ephemeral')).toEqual([])
      expect(codeOf(await store.content(message_id))).toBe('NOT_FOUND')
      expect(codeOf(await store.update(message_id, { metadata: { expires_at: null } }))).toBe('NOT_FOUND')
      expect(await store.health()).toMatchObject({ active_messages: 1, deleted_messages: 1, last_sequence: 3 })
    },
  )

  test('an expired message is deleted by the alarm without a call', async () => {
    const store = new TestStore()
    await store.write('ephemeral', { metadata: { expires_at: Date.now() + 100 } })
    await new Promise((resolve) => setTimeout(resolve, 150))
    await store.ring()
    expect(await store.health()).toMatchObject({ active_messages: 0, deleted_messages: 1 })
  })

  test('a message may expire later than the farthest alarm, or in the past', async () => {
    const store = new TestStore()
    await store.write('for ever', { metadata: { expires_at: Number.MAX_SAFE_INTEGER } })
    expect(await store.alarm()).toBeLessThan(Date.now() + 31 * 86_400_000)
    await store.write('past', { metadata: { expires_at: 1 } })
    expect(value(await store.history()).history.map(({ content }) => content)).toEqual(['for ever'])
  })
})

test('a word index that was rewritten often is rebuilt before its statistics drift', async () => {
  const store = new TestStore()
  const common = 'one of the eight words that all of them share'
  for (let at = 0; at < 60; at += 1) await store.write(common)
  await store.write(`wolpertinger ${common}`)
  const { message_id } = await store.write('note')
  for (let at = 0; at < 1000; at += 1) await store.update(message_id, { content: `note ${at}` })
  for (let tries = 0; tries < 100 && (await store.health()).io.replace_calls === 0; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(await store.health()).toMatchObject({ status: 'OK', io: { replace_calls: 1 } })
  expect((await store.found(`wolpertinger ${common}`, { limit: 10 }))[0]).toBe(`wolpertinger ${common}`)
})

describe.each(EMBEDDERS)('with %s the alarm of a damaged store', (_, embedder) => {
  beforeEach(() => configure(embedder))

  test.each([
    ['its row of counters', 'DELETE FROM store'],
    ['the table of pending vectors', 'DROP TABLE pending_vectors'],
    ['the table of vectors', 'DROP TABLE vectors'],
    ['the table of sketches', 'DROP TABLE sketches'],
    ['the table of messages', 'DROP TABLE messages'],
    ['the word index', 'DROP TABLE words_1'],
  ])('without %s throws nothing, and neither does a new instance', async (_, damage) => {
    const store = await usedStore()
    await noneEmbedding(store, embedder)
    await store.write('due', { metadata: { expires_at: Date.now() + 60_000 } })
    await store.sql(damage)
    await store.ring()
    await store.restart()
    expect(['ok', 'CORRUPT_STORE']).toContain(codeOf(await store.history()))
    await store.ring()
  })
})

test('a rebuild that fails every time is repeated only after a delay', async () => {
  const store = await usedStore()
  await store.sql(`UPDATE messages SET tags = '{' WHERE content = 'quince'`)
  await store.sql('UPDATE store SET signals_version = 0')
  await store.restart()
  await store.health()
  await store.ring()
  expect(await store.health()).toMatchObject({ status: 'DEGRADED', io: { replace_calls: 0 } })
  expect(await store.alarm()).toBeGreaterThan(Date.now() + 60_000)
  // An alarm for other work does not repeat it either.
  await store.ring()
  expect(await store.alarm()).toBeGreaterThan(Date.now() + 60_000)
})

test.each(EMBEDDERS)('with %s a store with many deleted bytes is compacted by the alarm', async (_, embedder) => {
  configure(embedder)
  const store = new VectorStore()
  const large = []
  for (let at = 0; at < 6; at += 1) large.push(await store.write('x'.repeat(MIB)))
  await store.write('stays')
  for (const { message_id } of large.slice(0, 3)) await store.delete(message_id)
  await noneEmbedding(store, embedder)
  expect(await store.alarm()).toBeNull()
  await store.delete(large[3]!.message_id)
  for (let tries = 0; tries < 100 && (await store.health()).deleted_messages > 0; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const health = await store.health()
  expect(health).toMatchObject({ deleted_messages: 0, dead_bytes: 0, active_messages: 3, io: { replace_calls: 1 } })
  expect(health.log_size).toBeLessThan(4 * MIB)
})
