import { describe, expect, inject, test } from 'vitest'
import { planBatches } from '../../../src/models/embedder/batches.ts'
import { httpEmbedder } from '../../../src/models/embedder/http.ts'
import type { HttpEmbedderOptions } from '../../../src/models/embedder/http.ts'
import { NO_EMBEDDER } from '../../../src/models/embedder/none.ts'
import { embedderCases } from '../../cases/embedder-cases.ts'
import { HASHED_DIMENSIONS } from '../../support/hashed-embedder.ts'

function embedder(parts: Partial<HttpEmbedderOptions> = {}) {
  return httpEmbedder({
    url: inject('embedderUrl'),
    model: 'hashed',
    dimensions: HASHED_DIMENSIONS,
    weight: 0.2,
    key: 'test-key',
    fetch: (url, init) => fetch(url, init),
    ...parts,
  })
}

async function failureOf(parts: Partial<HttpEmbedderOptions>, timeLimitMs = 5_000) {
  const result = await embedder(parts).embed(['one', 'two'], timeLimitMs)
  expect(result.ok).toBe(false)
  return result.ok ? undefined : result.failure
}

describe('an embedder over HTTP', () => {
  embedderCases(() => embedder(), '\u2620poison')

  test.each<[string, Partial<HttpEmbedderOptions>, number, RegExp]>([
    ['a wrong key', { key: 'other' }, 5_000, /answers 401/],
    ['no key', { key: '' }, 5_000, /answers 401/],
    ['a server error', { model: 'broken' }, 5_000, /answers 500/],
    ['silence', { model: 'slow' }, 200, /took too long/],
    ['no JSON', { model: 'html' }, 5_000, /does not answer/],
    ['other dimensions', { dimensions: 512 }, 5_000, /256 dimensions where EMBEDDER_DIMENSIONS says 512/],
    ['no server', { url: 'http://127.0.0.1:1/v1' }, 5_000, /does not answer/],
  ])('An embedder with %s is unavailable.', async (_, parts, limit, message) => {
    expect(await failureOf(parts, limit)).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(message),
    })
  })

  const answering = (body: unknown, status = 200): Partial<HttpEmbedderOptions> => ({
    dimensions: 2,
    fetch: () => Promise.resolve(Response.json(body, { status, headers: { location: 'http://elsewhere.test/' } })),
  })

  test.each<[string, Partial<HttpEmbedderOptions>]>([
    ['too few vectors', answering({ data: [{ index: 0, embedding: [1, 0] }] })],
    [
      'one vector twice',
      answering({
        data: [
          { index: 0, embedding: [1, 0] },
          { index: 0, embedding: [1, 0] },
        ],
      }),
    ],
    [
      'text for numbers',
      answering({
        data: [
          { index: 0, embedding: 'AAAA' },
          { index: 1, embedding: [1, 0] },
        ],
      }),
    ],
    ['null', answering(null)],
    ['a redirect', answering({}, 307)],
  ])('An answer with %s is refused.', async (_, parts) => {
    expect((await failureOf(parts))?.code).toBe('UNAVAILABLE')
  })

  test('A vector of length 0 is undefined.', async () => {
    const parts = answering({
      data: [
        { index: 0, embedding: [0, 0] },
        { index: 1, embedding: [3, 4] },
      ],
    })
    const result = await embedder(parts).embed(['one', 'two'], 5_000)
    expect(result).toMatchObject({ ok: true, value: [undefined, Float32Array.from([0.6, 0.8])] })
  })

  test('An embedder that refuses every text gets a bounded number of requests.', async () => {
    let requests = 0
    const refusing = embedder({
      fetch: () => {
        requests += 1
        return Promise.resolve(new Response(null, { status: 400 }))
      },
    })
    const result = await refusing.embed(
      Array.from({ length: 500 }, () => 'many words '.repeat(100)),
      5_000,
    )
    expect(result.ok).toBe(false)
    expect(requests).toBeLessThan(50)
  })
})

test('The absent embedder refuses and says how to configure one.', async () => {
  expect(await NO_EMBEDDER.embed(['x'], 1_000)).toMatchObject({
    failure: { hint: expect.stringContaining('EMBEDDER_URL') },
  })
})

describe('batches', () => {
  const limits = { batchBytes: 20, batchTexts: 3, textBytes: 12 }
  const texts = (given: string[]) => planBatches(given, limits).map((batch) => batch.map(({ text }) => text))

  test('Batches are bounded by bytes and by number.', () => {
    expect(texts(['a', 'b', 'c', 'd'])).toEqual([['a', 'b', 'c'], ['d']])
    expect(texts(['0123456789', '0123456789', 'x'])).toEqual([['0123456789', '0123456789'], ['x']])
    expect(texts(['日本語', '日本語', '日本語'])).toEqual([['日本語', '日本語'], ['日本語']])
  })

  test('An oversized text is cut between characters and has a batch of its own.', () => {
    expect(texts(['a', '日本語です', 'b'])).toEqual([['a'], ['日本語で'], ['b']])
    expect(texts(['😀😀😀😀'])).toEqual([['😀😀😀']])
  })
})
