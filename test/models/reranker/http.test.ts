import { describe, expect, inject, test } from 'vitest'
import { httpReranker } from '../../../src/models/reranker/http.ts'
import type { HttpRerankerOptions } from '../../../src/models/reranker/http.ts'
import { NO_RERANKER } from '../../../src/models/reranker/none.ts'
import { rerankerCases } from '../../cases/reranker-cases.ts'

function reranker(parts: Partial<HttpRerankerOptions> = {}) {
  return httpReranker({
    url: inject('rerankerUrl'),
    model: 'hashed',
    key: 'test-key',
    fetch: (url, init) => fetch(url, init),
    ...parts,
  })
}

async function failureOf(parts: Partial<HttpRerankerOptions>, timeLimitMs = 5_000) {
  const result = await reranker(parts).rerank('launcher', ['one', 'two'], timeLimitMs)
  expect(result.ok).toBe(false)
  return result.ok ? undefined : result.failure
}

describe('the absent reranker', () => {
  rerankerCases(() => NO_RERANKER)
})

describe('a reranker over HTTP', () => {
  rerankerCases(() => reranker())

  test.each<[string, Partial<HttpRerankerOptions>, number, RegExp]>([
    ['a wrong key', { key: 'other' }, 5_000, /answers 401/],
    ['no key', { key: '' }, 5_000, /answers 401/],
    ['an unknown model', { model: 'other' }, 5_000, /answers 404/],
    ['silence', { model: 'slow' }, 200, /took too long/],
    ['no JSON', { model: 'html' }, 5_000, /does not answer/],
    ['no server', { url: 'http://127.0.0.1:1/v1/rerank' }, 5_000, /does not answer/],
  ])('A reranker with %s is unavailable.', async (_, parts, limit, message) => {
    expect(await failureOf(parts, limit)).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(message),
    })
  })

  const answering = (body: unknown, status = 200): Partial<HttpRerankerOptions> => ({
    fetch: () => Promise.resolve(Response.json(body, { status, headers: { location: 'http://elsewhere.test/' } })),
  })
  const results = (...rows: unknown[]) => answering({ results: rows })

  test.each<[string, Partial<HttpRerankerOptions>]>([
    ['null', answering(null)],
    ['no list', answering({ results: { index: 0 } })],
    ['a place that was not asked', results({ index: 2, relevance_score: 1 })],
    ['a place between two', results({ index: 0.5, relevance_score: 1 })],
    ['no place', results({ relevance_score: 1 })],
    ['a text twice', results({ index: 0, relevance_score: 1 }, { index: 0, relevance_score: 2 })],
    ['a word for a score', results({ index: 0, relevance_score: 'high' })],
    ['no score', results({ index: 0 }, null)],
    ['a redirect', answering({}, 307)],
  ])('An answer with %s is refused.', async (_, parts) => {
    expect((await failureOf(parts))?.code).toBe('UNAVAILABLE')
  })

  test('A text without a score differs from one with the score 0.', async () => {
    const result = await reranker(results({ index: 1, relevance_score: 0 })).rerank('q', ['one', 'two'], 5_000)
    expect(result).toEqual({ ok: true, value: [undefined, 0] })
  })

  test('One request goes to the whole address, with the key and for all texts.', async () => {
    const requests: [string, RequestInit][] = []
    const watching = reranker({
      url: 'http://reranker.test/v2/rerank',
      fetch: (url, init) => {
        requests.push([url, init])
        return Promise.resolve(Response.json({ results: [] }))
      },
    })
    await watching.rerank('launcher', ['one', 'two'], 5_000)
    await watching.rerank('launcher', [], 5_000)
    expect(requests).toHaveLength(1)
    const [[url, init]] = requests as [[string, RequestInit]]
    expect(url).toBe('http://reranker.test/v2/rerank')
    expect(init).toMatchObject({ redirect: 'manual', headers: { authorization: 'Bearer test-key' } })
    expect(JSON.parse(init.body as string)).toEqual({
      model: 'hashed',
      query: 'launcher',
      documents: ['one', 'two'],
      top_n: 2,
    })
  })
})
