/** An embedder that is down, silent or refuses: no call fails or waits for it, and every vector is made in the end. */
import { describe, expect, test } from 'vitest'
import { MAX_ONE_STEP_MESSAGES } from '../../../src/memory/limits.ts'
import { CONTENT, QUESTION, soon, VectorStore, watchEmbedder } from '../../support/message-vectors.ts'
import { codeOf, value } from '../../support/memory-world.ts'

const { send, sent, hang, down, realFetch } = watchEmbedder()

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
    send().mockReset()
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
    send().mockReset()
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

  test('a question without an answer of the embedder in time is answered by words, and the answer says so', async () => {
    const store = new VectorStore()
    await store.write(CONTENT)
    await store.allEmbedded()
    hang()
    const before = Date.now()
    const words = { results: [{ content: CONTENT }] }
    const slow = { ...words, warnings: ['The embedder took too long. Messages are ranked by words alone.'] }
    expect(value(await store.search(CONTENT))).toMatchObject(slow)
    expect(Date.now() - before).toBeLessThan(15_000)
    // Later questions do not wait for the embedder.
    for (let times = 0; times < 3; times += 1) expect(value(await store.search(CONTENT))).toMatchObject(slow)
    expect(Date.now() - before).toBeLessThan(20_000)
    expect(send()).toHaveBeenCalledTimes(2)
    await store.restart()
    down()
    const failed = { ...words, warnings: ['The embedder does not answer. Messages are ranked by words alone.'] }
    expect(value(await store.search(CONTENT))).toMatchObject(failed)
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
    send().mockImplementation((url, init) => {
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
})

/** Time in ms until the embedder is called again. */
async function waits(store: VectorStore): Promise<number> {
  const [row] = await store.sql('SELECT vectors_not_before FROM store')
  return (row?.['vectors_not_before'] as number) - Date.now()
}
