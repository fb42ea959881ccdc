/** Vectors of messages: when they are made and deleted, and what is sent to the embedder. */
import { env } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Env } from '../../../src/app.ts'
import { MessageStore } from '../../../src/worker.ts'
import { MAX_ONE_STEP_MESSAGES } from '../../../src/memory/limits.ts'
import { configure, VectorStore, NO_EMBEDDER, NO_SETTINGS } from '../../support/message-vectors.ts'
import { codeOf, memory, value } from '../../support/memory-world.ts'

/** They have no word in common, but letters, by which the tests' embedder makes them similar. */
const [CONTENT, QUESTION] = ['photosynthesis', 'biosynthesis']

const soon = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 20 })

const realFetch = globalThis.fetch
let send = vi.spyOn(globalThis, 'fetch')

beforeEach(() => {
  configure()
  send = vi.spyOn(globalThis, 'fetch')
})
afterEach(() => send.mockRestore())

/** Batches sent to the embedder, in order. */
const batches = () => send.mock.calls.map(([, init]) => (JSON.parse(init?.body as string) as { input: string[] }).input)

/** Texts of all batches. */
const sent = () => batches().flat()

const down = () => send.mockImplementation(() => Promise.reject(new Error('down')))
/** Never answers, and ends when the caller gives up. */
const hang = () =>
  send.mockImplementation(
    (_, init) => new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
  )

describe('new vectors', () => {
  test('a message gets its vector after the write is answered, and is then found without a common word', async () => {
    const store = new VectorStore()
    hang()
    await store.write(CONTENT)
    expect(await store.embedded()).toEqual([])
    expect(await store.found(QUESTION)).toEqual([])
    const other = new VectorStore()
    send.mockRestore()
    await other.write(CONTENT)
    await other.allEmbedded()
    expect(await other.found(QUESTION)).toEqual([CONTENT])
  })

  test('messages are embedded in batches in the order of writing', async () => {
    const store = new VectorStore()
    hang()
    await store.write('waits')
    for (let at = 0; at < 70; at += 1) await store.write(`text ${at}`)
    send.mockReset()
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
    send.mockReset()
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
    send.mockReset()
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
    send.mockReset()
    await store.abort()
    await store.allEmbedded()
    expect(await store.embedded()).toEqual(['kestrels'])
    expect(await store.found('kestrelling')).toEqual(['kestrels'])
  })

  test('a message that changes while it is embedded is embedded again', async () => {
    const store = new VectorStore()
    const { promise, resolve } = Promise.withResolvers<void>()
    send.mockImplementationOnce(async (url, init) => {
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

describe('an embedder', () => {
  test('an embedder that is down fails no call and is called again after growing delays', async () => {
    const store = new VectorStore()
    await store.write('early bird')
    await store.allEmbedded()
    down()
    const { message_id } = await store.write(CONTENT)
    await soon(async () => expect(await waits(store)).toBeGreaterThan(50_000))
    expect(await waits(store)).toBeLessThan(61_000)
    expect(await store.found(CONTENT)).toEqual([CONTENT])
    value(await store.update(message_id, { metadata: { importance: 80 } }))
    expect(codeOf(await store.history())).toBe('ok')
    expect(await store.alarm()).toBeGreaterThan(Date.now() + 50_000)
    await store.retryNow()
    await soon(async () => expect(await waits(store)).toBeGreaterThan(110_000))
    send.mockReset()
    await store.restart()
    await store.retryNow()
    await store.allEmbedded()
    expect(await waits(store)).toBeLessThanOrEqual(0)
    expect(await store.found(QUESTION, { limit: 1 })).toEqual([CONTENT])
  })

  test('an embedder that never answers delays no call and no rebuild', async () => {
    const store = new VectorStore()
    hang()
    await store.write(CONTENT)
    await soon(() => expect(sent()).toEqual([CONTENT]))
    const before = Date.now()
    await store.write('another')
    expect(await store.found('another')).toEqual(['another'])
    expect(value(await store.rebuild()).messages_indexed).toBe(2)
    expect(Date.now() - before).toBeLessThan(20_000)
    send.mockReset()
    await store.abort()
    await store.allEmbedded()
  })

  test('an embedder that never answers does not block a rebuild in slices', async () => {
    const store = new VectorStore()
    hang()
    await store.write(CONTENT)
    await soon(() => expect(sent()).toEqual([CONTENT]))
    await store.fill(MAX_ONE_STEP_MESSAGES)
    expect(value(await store.rebuild()).messages_indexed).toBe(MAX_ONE_STEP_MESSAGES + 1)
    expect(sent()).toEqual([CONTENT])
  }, 30_000)

  test('a question without an answer of the embedder in time is answered by words', async () => {
    const store = new VectorStore()
    await store.write(CONTENT)
    await store.allEmbedded()
    hang()
    const before = Date.now()
    expect(await store.found(CONTENT)).toEqual([CONTENT])
    expect(Date.now() - before).toBeLessThan(15_000)
    // Later questions do not wait for the embedder.
    for (let times = 0; times < 3; times += 1) expect(await store.found(CONTENT)).toEqual([CONTENT])
    expect(Date.now() - before).toBeLessThan(20_000)
    expect(send).toHaveBeenCalledTimes(2)
    await store.restart()
    down()
    expect(await store.found(CONTENT)).toEqual([CONTENT])
    expect(await store.health()).toMatchObject({ status: 'OK', last_error: '' })
  })

  test('a message that the embedder refuses is sent again only after its content changes', async () => {
    const store = new VectorStore()
    const { message_id } = await store.write('\u2620poison')
    await store.write('wholesome')
    await store.allEmbedded()
    const before = sent().length
    expect(await store.embedded()).toEqual(['wholesome'])
    await store.retryNow()
    await store.restart()
    await store.write('more')
    await store.allEmbedded()
    expect(sent().slice(before)).toEqual(['more'])
    value(await store.update(message_id, { content: CONTENT }))
    await store.allEmbedded()
    expect(await store.found(QUESTION, { limit: 1 })).toEqual([CONTENT])
  })

  test('a message that fails its batch is sent alone, and the others get their vectors', async () => {
    const store = new VectorStore()
    send.mockImplementation((url, init) => {
      const fails = JSON.stringify(init?.body).includes('fatal')
      return fails ? Promise.resolve(new Response('', { status: 500 })) : realFetch(url as string, init)
    })
    for (const content of ['one', 'fatal', 'two']) await store.write(content)
    for (let tries = 0; tries < 12 && (await store.pendingVectors()) > 1; tries += 1) {
      await store.retryNow()
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(await store.embedded()).toEqual(['one', 'two'])
    expect(await store.pendingVectors()).toBe(1)
  })

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

/** Time in ms until the embedder is called again. */
async function waits(store: VectorStore): Promise<number> {
  const [row] = await store.sql('SELECT vectors_not_before FROM store')
  return (row?.['vectors_not_before'] as number) - Date.now()
}

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
