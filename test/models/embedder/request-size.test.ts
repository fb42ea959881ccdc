import { afterEach, describe, expect, test, vi } from 'vitest'

import { httpEmbedder } from '../../../src/models/embedder/http.ts'
import { RequestSize } from '../../../src/models/embedder/request-size.ts'
import { EMBEDDER_BATCH_LIMITS, EMBEDDER_REQUEST_MS } from '../../../src/models/limits.ts'

/** Time in ms of the longest request when an embedder takes `perKilobyte` ms for 1,000 bytes, after the first few. */
function longest(perKilobyte: number): number {
  const size = new RequestSize()
  let longestMs = 0
  for (let request = 0; request < 20; request += 1) {
    const { bytes } = size
    const elapsed = (bytes * perKilobyte) / 1_000
    size.record(bytes, elapsed)
    if (request > 0) longestMs = Math.max(longestMs, elapsed)
  }
  return longestMs
}

describe('the size of requests', () => {
  test.each([0.01, 1, 30, 100, 500, 1_500, 5_000])(
    'with %d ms for 1,000 bytes no request after the first takes longer than planned',
    (perKilobyte) => {
      expect(longest(perKilobyte)).toBeLessThanOrEqual(EMBEDDER_REQUEST_MS * 1.01)
    },
  )

  test('a fast embedder gets whole batches after a few requests', () => {
    const size = new RequestSize()
    for (let request = 0; request < 5; request += 1) size.record(size.bytes, 5)
    expect(size.bytes).toBe(EMBEDDER_BATCH_LIMITS.batchBytes)
  })

  test('a question that waited behind a batch makes requests shorter, at most by half', () => {
    const size = new RequestSize()
    for (let request = 0; request < 5; request += 1) size.record(size.bytes, 5)
    size.record(40, 4_000)
    expect(size.bytes).toBe(EMBEDDER_BATCH_LIMITS.batchBytes / 2)
  })

  test('requests become shorter after one that was not answered in time', () => {
    const size = new RequestSize()
    const before = size.bytes
    size.recordTimeout()
    expect(size.bytes).toBeLessThan(before)
  })
})

afterEach(() => vi.useRealTimers())

/** An embedder that answers one request at a time, in order, as Ollama does with one model. */
function serialEmbedder(msPerText: number) {
  let last: Promise<unknown> = Promise.resolve()
  const sizes: number[] = []
  const answer = async (input: readonly string[]) => {
    await new Promise((resolve) => setTimeout(resolve, msPerText * input.length))
    return Response.json({ data: input.map((_, index) => ({ index, embedding: [1, 0] })) })
  }
  const embedder = httpEmbedder({
    url: 'http://embedder.test/v1',
    model: 'serial',
    dimensions: 2,
    weight: 0.2,
    fetch: (_, { body }) => {
      const { input } = JSON.parse(body as string) as { input: string[] }
      sizes.push(input.length)
      const answered = last.then(() => answer(input))
      last = answered
      return answered
    },
  })
  return { embedder, sizes }
}

test('questions are answered in time while four stores are embedded at a server of one request at a time', async () => {
  vi.useFakeTimers()
  const { embedder, sizes } = serialEmbedder(200)
  const texts = Array.from({ length: 64 }, (_, at) => `message ${at} `.repeat(120))
  let done = 0
  const batches = Array.from({ length: 4 }, async () => {
    const embedded = await embedder.embed(texts, 60_000)
    done += 1
    return embedded.ok
  })
  const waits: number[] = []
  let questions = 0
  while (done < batches.length) {
    await vi.advanceTimersByTimeAsync(3_000)
    const start = Date.now()
    questions += 1
    void embedder.embed(['where are the keys?'], 8_000).then(({ ok }) => waits.push(ok ? Date.now() - start : Infinity))
  }
  await vi.advanceTimersByTimeAsync(10_000)
  vi.useRealTimers()
  expect(await Promise.all(batches)).toEqual([true, true, true, true])
  expect(waits).toHaveLength(questions)
  expect(questions).toBeGreaterThan(5)
  expect(Math.max(...waits)).toBeLessThan(8_000)
  // Requests of several texts each, although questions were waiting.
  expect(sizes.length - questions).toBeLessThan((4 * texts.length) / 2)
})

test('a question is answered between the requests of a batch that is being embedded', async () => {
  const { embedder, sizes } = serialEmbedder(60)
  const texts = Array.from({ length: 40 }, (_, at) => `message ${at} `.repeat(120))
  let isBatchDone = false
  const batch = embedder.embed(texts, 60_000).then((embedded) => {
    isBatchDone = true
    return embedded
  })
  await new Promise((resolve) => setTimeout(resolve, 20))
  const start = Date.now()
  const question = await embedder.embed(['where are the keys?'], 8_000)
  expect(question.ok).toBe(true)
  expect(Date.now() - start).toBeLessThan(8_000)
  expect(isBatchDone).toBe(false)
  expect(await batch).toMatchObject({ ok: true })
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(41)
})
