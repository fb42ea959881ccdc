/** Messages found by what they mean: when their vectors are made, what becomes of them, and what is sent. */
import { env } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Env } from '../../../src/app.ts'
import { MessageStore } from '../../../src/worker.ts'
import { ONE_STEP_MESSAGES } from '../../../src/memory/limits.ts'
import { configure, MeaningStore, NO_EMBEDDER } from '../../support/message-vectors.ts'
import { codeOf, memory, value } from '../../support/memory-world.ts'

/** No word of one is a word of the other; letters are. */
const [CONTENT, QUESTION] = ['photosynthesis', 'biosynthesis']

const soon = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 20 })

const realFetch = globalThis.fetch
let send = vi.spyOn(globalThis, 'fetch')

beforeEach(() => {
  configure()
  send = vi.spyOn(globalThis, 'fetch')
})
afterEach(() => send.mockRestore())

/** Batches that were sent to the embedder, in order. */
const batches = () => send.mock.calls.map(([, init]) => (JSON.parse(init?.body as string) as { input: string[] }).input)

/** Their texts. */
const sent = () => batches().flat()

const down = () => send.mockImplementation(() => Promise.reject(new Error('down')))
/** Answers never, but hears when nobody waits any more. */
const hang = () =>
  send.mockImplementation(
    (_, init) => new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
  )

describe('vectors are made', () => {
  test('after a write is answered, and then a question without a common word finds it', async () => {
    const store = new MeaningStore()
    hang()
    await store.write(CONTENT)
    expect(await store.embedded()).toEqual([])
    expect(await store.found(QUESTION)).toEqual([])
    const other = new MeaningStore()
    send.mockRestore()
    await other.write(CONTENT)
    await other.settled()
    expect(await other.found(QUESTION)).toEqual([CONTENT])
  })

  test('in batches, in the order of writing', async () => {
    const store = new MeaningStore()
    hang()
    await store.write('waits')
    for (let at = 0; at < 70; at += 1) await store.write(`text ${at}`)
    send.mockReset()
    await store.abort()
    await store.settled()
    // The tests' embedder refuses more than 24 at a time, and is then sent the two halves.
    expect(batches().map(({ length }) => length)).toEqual([32, 16, 16, 32, 16, 16, 7])
    const taken = batches().filter(({ length }) => length <= 24)
    expect(taken.flat()).toEqual(['waits', ...Array.from({ length: 70 }, (_, at) => `text ${at}`)])
    const { vectors, sketches } = await store.chunks()
    expect(vectors).toHaveLength(71)
    expect(sketches).toEqual(vectors)
  })

  test('of what was imported', async () => {
    const [from, to] = [new MeaningStore(), new MeaningStore()]
    const message = await from.write(CONTENT)
    value(await memory.importMessages(to.user, [message]))
    await to.settled()
    expect(await to.found(QUESTION)).toEqual([CONTENT])
  })

  test('of each piece of a long message, up to a bound', async () => {
    const store = new MeaningStore()
    const filler = 'Nothing of interest is said here. '.repeat(60)
    await store.write(`${filler}\n\n${`${CONTENT} `.repeat(60)}\n\n${filler}`)
    await store.write('very long. '.repeat(20_000), { session_id: 'long' })
    await store.settled()
    const [result] = value(await store.search(QUESTION, { limit: 1, session_id: 's' })).results
    expect(result?.snippet).toContain(CONTENT)
    expect((await store.embedded()).filter((content) => content.startsWith('very long'))).toHaveLength(32)
  })

  test('of nothing that is blank', async () => {
    const store = new MeaningStore()
    await store.write(' \n ')
    await store.settled()
    expect([sent(), await store.embedded()]).toEqual([[], []])
  })
})

describe('what is owed', () => {
  test('is still owed when the object is stopped, and made by the next', async () => {
    const store = new MeaningStore()
    hang()
    await store.write(CONTENT)
    await store.abort()
    expect(await store.owed()).toBe(1)
    send.mockReset()
    await store.restart()
    await store.settled()
    expect(await store.embedded()).toEqual([CONTENT])
  })

  test('by messages that were written without an embedder, once there is one', async () => {
    configure(NO_EMBEDDER)
    const store = new MeaningStore()
    await store.write(CONTENT)
    configure()
    await store.restart()
    expect(await store.found(QUESTION)).toEqual([])
    await store.settled()
    expect(await store.found(QUESTION)).toEqual([CONTENT])
  })

  test('by every message after another model came, whose vectors are never compared with old ones', async () => {
    const store = new MeaningStore()
    for (const content of [CONTENT, 'heron']) await store.write(content)
    await store.settled()
    configure({ EMBEDDER_MODEL: 'another' })
    hang()
    await store.restart()
    expect(await store.found(QUESTION)).toEqual([])
    expect(await store.owed()).toBe(2)
    send.mockReset()
    await store.restart()
    await store.settled()
    expect(await store.found(QUESTION)).toEqual([CONTENT])
    expect((await store.chunks()).vectors).toHaveLength(2)
  })

  test('by a message that says something else, whose old meaning is gone at once', async () => {
    const store = new MeaningStore()
    const { message_id } = await store.write(CONTENT)
    await store.settled()
    hang()
    value(await store.update(message_id, { content: 'kestrels' }))
    expect(await store.embedded()).toEqual([])
    send.mockReset()
    await store.abort()
    await store.settled()
    expect(await store.embedded()).toEqual(['kestrels'])
    expect(await store.found('kestrelling')).toEqual(['kestrels'])
  })

  test('by one that changed while its vector was being made', async () => {
    const store = new MeaningStore()
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
    await store.settled()
    expect(await store.embedded()).toEqual(['kestrels'])
  })

  test('by none whose other fields change', async () => {
    const store = new MeaningStore()
    const { message_id } = await store.write(CONTENT)
    await store.settled()
    value(await store.update(message_id, { metadata: { tags: ['a'], importance: 90 } }))
    expect(await store.owed()).toBe(0)
    expect(sent()).toEqual([CONTENT])
    expect(await store.found(QUESTION)).toEqual([CONTENT])
  })
})

describe('vectors go', () => {
  test('with a message that is deleted, alone, with its session or by its time', async () => {
    const store = new MeaningStore()
    const { message_id } = await store.write('first heron')
    await store.write('second heron', { session_id: 'gone' })
    await store.write('third heron', { session_id: 'gone' })
    await store.write('fourth heron', { metadata: { expires_at: Date.now() + 2000 } })
    await store.write('stays')
    await store.settled()
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

  test('with their message when the embedder has been taken away', async () => {
    const store = new MeaningStore()
    const { message_id } = await store.write(CONTENT)
    const changed = await store.write('heron')
    await store.settled()
    configure(NO_EMBEDDER)
    await store.restart()
    await store.delete(message_id)
    value(await store.update(changed.message_id, { content: 'kestrels' }))
    expect(await store.chunks()).toEqual({ vectors: [], sketches: [] })
    configure()
    await store.restart()
    await store.settled()
    expect(await store.embedded()).toEqual(['kestrels'])
  })

  test('when a rebuild finds them without a message, and others stay', async () => {
    const store = new MeaningStore()
    const { message_id } = await store.write(CONTENT)
    await store.write('stays')
    await store.settled()
    await store.sql('UPDATE messages SET deleted = 1 WHERE message_id = ?', message_id)
    value(await store.rebuild())
    expect(await store.embedded()).toEqual(['stays'])
    const { vectors, sketches } = await store.chunks()
    expect(sketches).toEqual(vectors)
    expect(sent()).toEqual([CONTENT, 'stays'])
  })
})

describe('an embedder', () => {
  test('that is down disturbs nobody, and is asked again later, each time later', async () => {
    const store = new MeaningStore()
    await store.write('early bird')
    await store.settled()
    down()
    const { message_id } = await store.write(CONTENT)
    await soon(async () => expect(await waits(store)).toBeGreaterThan(50_000))
    expect(await waits(store)).toBeLessThan(61_000)
    expect(await store.found(CONTENT)).toEqual([CONTENT])
    value(await store.update(message_id, { metadata: { importance: 80 } }))
    expect(codeOf(await store.history())).toBe('ok')
    expect(await store.alarm()).toBeGreaterThan(Date.now() + 50_000)
    await store.due()
    await soon(async () => expect(await waits(store)).toBeGreaterThan(110_000))
    send.mockReset()
    await store.restart()
    await store.due()
    await store.settled()
    expect(await waits(store)).toBeLessThanOrEqual(0)
    expect(await store.found(QUESTION, { limit: 1 })).toEqual([CONTENT])
  })

  test('that never answers keeps nobody waiting, a rebuild neither', async () => {
    const store = new MeaningStore()
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
    await store.settled()
  })

  test('that never answers holds up no rebuild in slices, which needs the alarm', async () => {
    const store = new MeaningStore()
    hang()
    await store.write(CONTENT)
    await soon(() => expect(sent()).toEqual([CONTENT]))
    await store.fill(ONE_STEP_MESSAGES)
    expect(value(await store.rebuild()).messages_indexed).toBe(ONE_STEP_MESSAGES + 1)
    expect(sent()).toEqual([CONTENT])
  }, 30_000)

  test('that does not answer a question in time leaves the answer to words', async () => {
    const store = new MeaningStore()
    await store.write(CONTENT)
    await store.settled()
    hang()
    const before = Date.now()
    expect(await store.found(CONTENT)).toEqual([CONTENT])
    expect(Date.now() - before).toBeLessThan(15_000)
    // The next ones do not wait as long again.
    for (let times = 0; times < 3; times += 1) expect(await store.found(CONTENT)).toEqual([CONTENT])
    expect(Date.now() - before).toBeLessThan(20_000)
    expect(send).toHaveBeenCalledTimes(2)
    await store.restart()
    down()
    expect(await store.found(CONTENT)).toEqual([CONTENT])
    expect(await store.health()).toMatchObject({ status: 'OK', last_error: '' })
  })

  test('that will not take a message is not asked again until it says something else', async () => {
    const store = new MeaningStore()
    const { message_id } = await store.write('\u2620poison')
    await store.write('wholesome')
    await store.settled()
    const asked = sent().length
    expect(await store.embedded()).toEqual(['wholesome'])
    await store.due()
    await store.restart()
    await store.write('more')
    await store.settled()
    expect(sent().slice(asked)).toEqual(['more'])
    value(await store.update(message_id, { content: CONTENT }))
    await store.settled()
    expect(await store.found(QUESTION, { limit: 1 })).toEqual([CONTENT])
  })

  test('that fails at one message gets it alone from then on, and the others their vectors', async () => {
    const store = new MeaningStore()
    send.mockImplementation((url, init) => {
      const fails = JSON.stringify(init?.body).includes('fatal')
      return fails ? Promise.resolve(new Response('', { status: 500 })) : realFetch(url as string, init)
    })
    for (const content of ['one', 'fatal', 'two']) await store.write(content)
    for (let tries = 0; tries < 12 && (await store.owed()) > 1; tries += 1) {
      await store.due()
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(await store.embedded()).toEqual(['one', 'two'])
    expect(await store.owed()).toBe(1)
  })

  test('whose settings are wrong is none', async () => {
    configure({ EMBEDDER_DIMENSIONS: 'many' })
    const store = new MeaningStore()
    await store.write(CONTENT)
    expect(await store.found(CONTENT)).toEqual([CONTENT])
    expect(sent()).toEqual([])
  })

  test('that is not there is sent nothing, and costs no statement', async () => {
    configure(NO_EMBEDDER)
    const store = new MeaningStore()
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

/** Ms until the embedder is asked again. */
async function waits(store: MeaningStore): Promise<number> {
  const [row] = await store.sql('SELECT vectors_not_before FROM store')
  return (row?.['vectors_not_before'] as number) - Date.now()
}

/** Every statement that an object over the store's own storage runs, from its construction on. */
function statementsOf(store: MeaningStore, work: (object: MessageStore) => Promise<void>): Promise<string[]> {
  return runInDurableObject(env.MESSAGES.get(env.MESSAGES.idFromName(store.user)), async (_, state) => {
    const watching = vi.spyOn(state.storage.sql, 'exec')
    await work(new MessageStore(state, env as unknown as Env))
    const statements = watching.mock.calls.map(([statement]) => statement)
    watching.mockRestore()
    return statements
  })
}
