/** Vectors of messages: when they are made and deleted, and what is sent to the embedder. */
import { env } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Env } from '../../../src/app.ts'
import { MessageStore } from '../../../src/worker.ts'
import {
  configure,
  CONTENT,
  NO_EMBEDDER,
  NO_SETTINGS,
  QUESTION,
  soon,
  VectorStore,
  watchEmbedder,
} from '../../support/message-vectors.ts'
import { memory, value } from '../../support/memory-world.ts'

const { send, batches, sent, hang, realFetch } = watchEmbedder()

describe('new vectors', () => {
  test('a message gets its vector after the write is answered, and is then found without a common word', async () => {
    const store = new VectorStore()
    hang()
    await store.write(CONTENT)
    expect(await store.embedded()).toEqual([])
    expect(await store.found(QUESTION)).toEqual([])
    const other = new VectorStore()
    send().mockRestore()
    await other.write(CONTENT)
    await other.allEmbedded()
    expect(await other.found(QUESTION)).toEqual([CONTENT])
  })

  test('messages are embedded in batches in the order of writing', async () => {
    const store = new VectorStore()
    hang()
    await store.write('waits')
    for (let at = 0; at < 70; at += 1) await store.write(`text ${at}`)
    send().mockReset()
    await store.abort()
    await store.allEmbedded()
    // The tests' embedder refuses more than 24 texts; the two halves are then sent.
    expect(batches().map(({ length }) => length)).toEqual([32, 16, 16, 32, 16, 16, 7])
    const taken = batches().filter(({ length }) => length <= 24)
    expect(taken.flat()).toEqual(['waits', ...Array.from({ length: 70 }, (_, at) => `text ${at}`)])
    const { vectors, sketches } = await store.chunks()
    expect(vectors).toHaveLength(71)
    expect(sketches).toEqual(vectors)
  })

  test('imported messages are embedded', async () => {
    const [from, to] = [new VectorStore(), new VectorStore()]
    const message = await from.write(CONTENT)
    value(await memory.importMessages(to.user, [message]))
    await to.allEmbedded()
    expect(await to.found(QUESTION)).toEqual([CONTENT])
  })

  test('each chunk of a long message is embedded up to the limit', async () => {
    const store = new VectorStore()
    const filler = 'Nothing of interest is said here. '.repeat(60)
    await store.write(`${filler}\n\n${`${CONTENT} `.repeat(60)}\n\n${filler}`)
    await store.write('very long. '.repeat(20_000), { session_id: 'long' })
    await store.allEmbedded()
    const [result] = value(await store.search(QUESTION, { limit: 1, session_id: 's' })).results
    expect(result?.snippet).toContain(CONTENT)
    expect((await store.embedded()).filter((content) => content.startsWith('very long'))).toHaveLength(32)
  })

  test('blank text is not embedded', async () => {
    const store = new VectorStore()
    await store.write(' \n ')
    await store.allEmbedded()
    expect([sent(), await store.embedded()]).toEqual([[], []])
  })
})

describe('pending vectors', () => {
  test('vectors stay pending when the object stops, and the next instance makes them', async () => {
    const store = new VectorStore()
    hang()
    await store.write(CONTENT)
    await store.abort()
    expect(await store.pendingVectors()).toBe(1)
    send().mockReset()
    await store.restart()
    await store.allEmbedded()
    expect(await store.embedded()).toEqual([CONTENT])
  })

  test('messages written without an embedder are embedded when one is configured', async () => {
    configure(NO_EMBEDDER)
    const store = new VectorStore()
    await store.write(CONTENT)
    configure()
    await store.restart()
    expect(await store.found(QUESTION)).toEqual([])
    await store.allEmbedded()
    expect(await store.found(QUESTION)).toEqual([CONTENT])
  })

  test('another model replaces all vectors, and vectors of two models are never compared', async () => {
    const store = new VectorStore()
    for (const content of [CONTENT, 'heron']) await store.write(content)
    await store.allEmbedded()
    configure({ EMBEDDER_MODEL: 'another' })
    hang()
    await store.restart()
    expect(await store.found(QUESTION)).toEqual([])
    expect(await store.pendingVectors()).toBe(2)
    send().mockReset()
    await store.restart()
    await store.allEmbedded()
    expect(await store.found(QUESTION)).toEqual([CONTENT])
    expect((await store.chunks()).vectors).toHaveLength(2)
  })

  test('changed content is embedded again, and the old vector is deleted at once', async () => {
    const store = new VectorStore()
    const { message_id } = await store.write(CONTENT)
    await store.allEmbedded()
    hang()
    value(await store.update(message_id, { content: 'kestrels' }))
    expect(await store.embedded()).toEqual([])
    send().mockReset()
    await store.abort()
    await store.allEmbedded()
    expect(await store.embedded()).toEqual(['kestrels'])
    expect(await store.found('kestrelling')).toEqual(['kestrels'])
  })

  test('a message that changes while it is embedded is embedded again', async () => {
    const store = new VectorStore()
    const { promise, resolve } = Promise.withResolvers<void>()
    send().mockImplementationOnce(async (url, init) => {
      await promise
      return realFetch(url as string, init)
    })
    const { message_id } = await store.write(CONTENT)
    await soon(() => expect(sent()).toEqual([CONTENT]))
    value(await store.update(message_id, { content: 'kestrels' }))
    resolve()
    await soon(() => expect(sent()).toEqual([CONTENT, 'kestrels']))
    await store.allEmbedded()
    expect(await store.embedded()).toEqual(['kestrels'])
  })

  test('a change of other fields does not embed a message again', async () => {
    const store = new VectorStore()
    const { message_id } = await store.write(CONTENT)
    await store.allEmbedded()
    value(await store.update(message_id, { metadata: { tags: ['a'], importance: 90 } }))
    expect(await store.pendingVectors()).toBe(0)
    expect(sent()).toEqual([CONTENT])
    expect(await store.found(QUESTION)).toEqual([CONTENT])
  })
})

describe('deleted vectors', () => {
  test('vectors are deleted with their message: by id, by session or by expiry', async () => {
    const store = new VectorStore()
    const { message_id } = await store.write('first heron')
    await store.write('second heron', { session_id: 'gone' })
    await store.write('third heron', { session_id: 'gone' })
    await store.write('fourth heron', { metadata: { expires_at: Date.now() + 2000 } })
    await store.write('stays')
    await store.allEmbedded()
    await store.delete(message_id)
    expect(await store.embedded()).toEqual(['second heron', 'third heron', 'fourth heron', 'stays'])
    value(await memory.deleteSession(store.user, 'gone'))
    expect(await store.embedded()).toEqual(['fourth heron', 'stays'])
    await store.sql('UPDATE messages SET expires_at = 1 WHERE expires_at IS NOT NULL')
    expect(await store.found('herons')).toEqual([])
    expect(await store.embedded()).toEqual(['stays'])
    const { vectors, sketches } = await store.chunks()
    expect(sketches).toEqual(vectors)
  })

  test('vectors are deleted with their message also without an embedder', async () => {
    const store = new VectorStore()
    const { message_id } = await store.write(CONTENT)
    const changed = await store.write('heron')
    await store.allEmbedded()
    configure(NO_EMBEDDER)
    await store.restart()
    await store.delete(message_id)
    value(await store.update(changed.message_id, { content: 'kestrels' }))
    expect(await store.chunks()).toEqual({ vectors: [], sketches: [] })
    configure()
    await store.restart()
    await store.allEmbedded()
    expect(await store.embedded()).toEqual(['kestrels'])
  })

  test('a rebuild deletes vectors without a message and keeps the others', async () => {
    const store = new VectorStore()
    const { message_id } = await store.write(CONTENT)
    await store.write('stays')
    await store.allEmbedded()
    await store.sql('UPDATE messages SET deleted = 1 WHERE message_id = ?', message_id)
    value(await store.rebuild())
    expect(await store.embedded()).toEqual(['stays'])
    const { vectors, sketches } = await store.chunks()
    expect(sketches).toEqual(vectors)
    expect(sent()).toEqual([CONTENT, 'stays'])
  })
})

describe('no embedder', () => {
  test('an embedder with invalid settings is not used', async () => {
    configure({ EMBEDDER_DIMENSIONS: 'many' })
    const store = new VectorStore()
    await store.write(CONTENT)
    expect(await store.found(CONTENT)).toEqual([CONTENT])
    expect(sent()).toEqual([])
  })

  test('without an embedder nothing is sent and no statement about vectors runs', async () => {
    configure(NO_EMBEDDER)
    const store = new VectorStore()
    const { message_id } = await store.write('first')
    const statements = await statementsOf(store, async (object) => {
      const written = value(await object.write({ session_id: 's', role: 'user', metadata: {}, content: CONTENT }))
      await object.update({ message_id, content: 'second' })
      await object.search({
        query: QUESTION,
        filters: { kinds: [], tiers: [], tags: [], hide_superseded: false },
        min_importance: 0,
        context_size: 0,
        limit: 20,
        detail: 'full',
      })
      await object.delete({ message_id: written.message!.message_id })
      await object.health()
      await object.rebuild()
      await object.alarm()
    })
    expect(statements.length).toBeGreaterThan(20)
    expect(statements.filter((sql) => /vectors|sketches/.test(sql))).toEqual([])
    expect(sent()).toEqual([])
  })
})

/** All statements that a second object on the same storage runs, its constructor included. */
function statementsOf(store: VectorStore, work: (object: MessageStore) => Promise<void>): Promise<string[]> {
  return runInDurableObject(env.MESSAGES.get(env.MESSAGES.idFromName(store.user)), async (_, state) => {
    const watching = vi.spyOn(state.storage.sql, 'exec')
    await work(new MessageStore(state, env as unknown as Env))
    const statements = watching.mock.calls.map(([statement]) => statement)
    watching.mockRestore()
    return statements
  })
}

test('without any setting of an embedder no vector is pending, and nothing is sent', async () => {
  configure(NO_SETTINGS)
  const store = new VectorStore()
  await store.write(CONTENT)
  expect(await store.alarm()).toBeNull()
  expect(await store.embedded()).toEqual([])
  expect(await store.found(QUESTION)).toEqual([])
  expect(sent()).toEqual([])
})

describe('the built-in embedder', () => {
  beforeEach(() => configure({ ...NO_SETTINGS, EMBEDDER: 'table' }))

  test('finds a message by a similar word, and sends nothing', async () => {
    const store = new VectorStore()
    await store.write('My sister got a puppy last week')
    await store.write('The train to Berlin was late again')
    await store.allEmbedded()
    expect(await store.embedded()).toHaveLength(2)
    expect((await store.found('which pet did she adopt?'))[0]).toBe('My sister got a puppy last week')
    expect(sent()).toEqual([])
  })

  test('the alarm is set for the expiry of a message once no vector is pending', async () => {
    const store = new VectorStore()
    const due = Date.now() + 60_000
    await store.write('a puppy until tomorrow', { metadata: { expires_at: due } })
    await store.allEmbedded()
    await store.ring()
    expect(await store.alarm()).toBe(due)
  })

  test('a message without an English word has no vector, and is found by its words', async () => {
    const store = new VectorStore()
    await store.write('明日の天気は雨です')
    await store.allEmbedded()
    expect(await store.embedded()).toEqual([])
    expect(await store.found('天気')).toEqual(['明日の天気は雨です'])
  })
})
