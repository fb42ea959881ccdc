import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { ok, refuse } from '../../src/base/result.ts'
import { d1Vectors } from '../../src/index/vectors/d1-vectors.ts'
import { runMaintenance } from '../../src/ingest/maintenance-run.ts'
import type { Embedder } from '../../src/models/embedder/embedder.ts'
import { httpEmbedder } from '../../src/models/embedder/http.ts'
import type { Reranker } from '../../src/models/reranker/reranker.ts'
import { HASHED_DIMENSIONS } from '../support/hashed-embedder.ts'
import { guest, hits, index, NOW, owner, put, searchWith, watched } from '../support/search-world.ts'
import type { Line } from '../support/search-world.ts'

const log = { info: () => {}, error: () => {} }

function hashed(weight = 0.2, model = 'hashed'): Embedder {
  const server = {
    url: inject('embedderUrl'),
    key: 'test-key',
    fetch: (url: string, init: RequestInit) => fetch(url, init),
  }
  return httpEmbedder({ ...server, model, dimensions: HASHED_DIMENSIONS, weight })
}

const issue = (number: number, title: string, body: string, more: object = {}) => ({
  type: 'issue',
  number,
  title,
  body,
  state: 'open',
  updated_at: '2026-11-20T00:00:00Z',
  ...more,
})

beforeAll(async () => {
  await put([
    issue(1, 'Launcher starts twice', 'The launcher starts every agent twice.'),
    issue(2, 'Launchings', 'relaunching and launchable'),
    issue(3, 'Gardens', 'Bees and flowers in the meadow.'),
    issue(4, 'Plans', 'What nobody outside may know of the many plans for the next launcher, and of others.', {
      repo: 'secret/plans',
    }),
    issue(5, 'Rare', 'Nothing like it: quartz.', { labels: ['rare'] }),
    issue(6, '', '', { labels: ['empty'] }),
  ])
  await runMaintenance({ index, vectors: d1Vectors(index), now: () => NOW, log, embedder: hashed() })
})

const ask = (args: Line, embedder = hashed(), viewer = owner, more = {}) =>
  searchWith({ index, embedder, ...more }, { detail: 'full', ...args }, viewer)

describe('fusion', () => {
  test.each([0.2, 0.5])('an embedder of weight %d is fused by shares of scores', async (weight) => {
    const answer = await ask({ query: 'launcher starts', detail: 'full' }, hashed(weight))
    expect(answer).toMatchObject({ fusion_applied: 'weighted', fusion_weight: weight })
    expect(answer.results[0]).toMatchObject({ number: 1, score: 1, sparse_rank: 1, dense_rank: 1 })
    expect(answer.dense_candidates).toBeGreaterThan(0)
  })

  test('a vector search finds rows that words do not find', async () => {
    expect(hits(await ask({ query: 'launchable gardening' }))).toContain('issue#3')
  })

  test('dense_only ranks by vectors alone', async () => {
    const answer = await ask({ query: 'relaunch', fusion: 'dense_only' })
    expect(answer).toMatchObject({ fusion_applied: 'vectors', sparse_candidates: 0 })
    expect(hits(answer)[0]).toBe('issue#2')
    expect(answer.results.every((row) => row.dense_rank !== undefined && row.sparse_rank === undefined)).toBe(true)
  })

  test('sparse_only sends no request to the embedder', async () => {
    const silent: Embedder = { ...hashed(), embed: () => Promise.reject(new Error('asked')) }
    expect(await ask({ query: 'launcher', fusion: 'sparse_only' }, silent)).toMatchObject({
      fusion_applied: 'words',
      dense_candidates: 0,
    })
    expect((await ask({}, silent)).mode).toBe('scan')
    expect((await ask({ query: '***' }, silent)).count).toBe(0)
  })

  test('rows of exact references come first in a vector search too', async () => {
    expect(hits(await ask({ query: '#3 launcher starts' }, hashed(1)))[0]).toBe('issue#3')
  })

  test('viewer and filters apply to a vector search', async () => {
    expect(hits(await ask({ query: 'launcher', fusion: 'dense_only' }))).toContain('issue#4')
    const seen = await ask({ query: 'launcher', fusion: 'dense_only' }, hashed(), guest)
    expect(seen.results.some((row) => row.repo === 'secret/plans')).toBe(false)
    expect(hits(await ask({ query: 'rare quartzes', labels: ['rare'] }))).toEqual(['issue#5'])
    expect(await ask({ query: 'launcher', labels: ['no such'] })).toMatchObject({
      count: 0,
      filters_unmatched: ['labels'],
    })
  })
})

describe('outages', () => {
  test('without its embedder a search ranks by words, with a warning', async () => {
    const answer = await ask({ query: 'launcher' }, hashed(0.2, 'broken'))
    expect(answer).toMatchObject({ fusion_applied: 'words', dense_candidates: 0 })
    expect(hits(answer)[0]).toBe('issue#1')
    expect(answer.warnings?.join()).toMatch(/embedder answers 500.*words alone/)
    await expect(ask({ query: 'launcher', fusion: 'dense_only' }, hashed(0.2, 'broken'))).rejects.toThrow(/UNAVAILABLE/)
  })

  test('a search whose embedder is too slow ranks by words, with a warning', async () => {
    const slow = httpEmbedder({
      url: inject('embedderUrl'),
      model: 'hashed',
      dimensions: HASHED_DIMENSIONS,
      weight: 0.2,
      fetch: (_, { signal }) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
    })
    const answer = await ask({ query: 'launcher' }, slow)
    expect(answer).toMatchObject({ fusion_applied: 'words', dense_candidates: 0 })
    expect(hits(answer)[0]).toBe('issue#1')
    expect(answer.warnings).toEqual(['The embedder took too long. Rows are ranked by words alone.'])
  }, 20_000)

  test('without vectors a search ranks by words, without words by vectors, and without both it fails', async () => {
    const failing = (table: RegExp) => {
      const prepare = (sql: string) => env.DB.prepare(table.test(sql) ? 'SELECT ?1 FROM broken' : sql)
      const batch = (statements: D1PreparedStatement[]) => env.DB.batch(statements)
      return { database: { prepare, batch } as unknown as D1Database }
    }
    const words = await searchWith({ index: failing(/FROM sketches/), embedder: hashed() }, { query: 'launcher' })
    expect(words).toMatchObject({ fusion_applied: 'words' })
    expect(words.warnings?.join()).toMatch(/words alone/)
    const byVectors = await searchWith({ index: failing(/words MATCH/), embedder: hashed() }, { query: 'launcher' })
    expect(byVectors).toMatchObject({ fusion_applied: 'vectors' })
    expect(hits(byVectors)[0]).toBe('issue#1')
    expect(byVectors.warnings?.join()).toMatch(/vectors alone/)
    await expect(
      searchWith({ index: failing(/words MATCH|FROM sketches/), embedder: hashed() }, { query: 'launcher' }),
    ).rejects.toThrow(/UNAVAILABLE/)
  })

  test('a warning says that vectors are still being made', async () => {
    const answer = await ask({ query: 'launcher' }, hashed(0.2, 'another'))
    expect(answer.warnings?.join()).toMatch(/still being made/)
    expect(hits(answer)[0]).toBe('issue#1')
  })

  test('a search without an embedder gives no warning, but dense_only is refused', async () => {
    const watching = watched()
    const answer = await searchWith({ index: watching.index }, { query: 'launcher', detail: 'full' })
    expect(answer).toMatchObject({ fusion_applied: 'words', dense_candidates: 0 })
    expect(answer.warnings).toBeUndefined()
    expect(
      watching.trips.flat().filter((sql) => /vector|sketches/.test(sql.replaceAll(/d\.vector_id( AS vectorId)?/g, ''))),
    ).toEqual([])
    await expect(searchWith({ index }, { query: 'launcher', fusion: 'dense_only' })).rejects.toThrow(/EMBEDDER_URL/)
  })
})

describe('reranking', () => {
  const byLength: Reranker = {
    reranks: true,
    rerank: (_, texts) => Promise.resolve(ok(texts.map((text) => text.length))),
  }

  test('a reranker orders the rows and gets no empty text', async () => {
    const read: string[] = []
    const watching: Reranker = {
      ...byLength,
      rerank: (query, texts, limit) => (read.push(...texts), byLength.rerank(query, texts, limit)),
    }
    const answer = await ask({ query: 'launcher' }, hashed(), owner, { reranker: watching })
    expect(answer.rerank_applied).toBe(true)
    const scores = answer.results.flatMap((row) => row.rerank_score ?? [])
    expect(scores.length).toBeGreaterThan(1)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(read.every((text) => text.trim() !== '')).toBe(true)
  })

  test('a single candidate and an order by time are not reranked', async () => {
    const reranker: Reranker = { reranks: true, rerank: () => Promise.reject(new Error('asked')) }
    expect(await ask({ query: 'quartz', fusion: 'sparse_only' }, hashed(), owner, { reranker })).toMatchObject({
      count: 1,
      rerank_applied: false,
    })
    expect((await ask({ query: 'launcher', sort: 'updated_desc' }, hashed(), owner, { reranker })).rerank_applied).toBe(
      false,
    )
    expect((await ask({ query: 'launcher', rerank: false }, hashed(), owner, { reranker })).rerank_applied).toBe(false)
  })

  test('a failed reranker leaves the order, with a warning; without a score nothing is reranked', async () => {
    const plain = hits(await ask({ query: 'launcher' }))
    const down: Reranker = {
      reranks: true,
      rerank: () => Promise.resolve(refuse({ code: 'UNAVAILABLE', message: 'The reranker is down.' })),
    }
    const answer = await ask({ query: 'launcher' }, hashed(), owner, { reranker: down })
    expect(hits(answer)).toEqual(plain)
    expect(answer).toMatchObject({ rerank_applied: false, warnings: [expect.stringMatching(/reranker is down/)] })
    const mute: Reranker = { reranks: true, rerank: (_, texts) => Promise.resolve(ok(texts.map(() => undefined))) }
    expect(await ask({ query: 'launcher' }, hashed(), owner, { reranker: mute })).toMatchObject({
      rerank_applied: false,
    })
  })
})
