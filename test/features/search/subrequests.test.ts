/** The subrequests of one search: round trips to the index and requests to models, six at most. */
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { d1Vectors } from '../../../src/index/vectors/d1-vectors.ts'
import { runMaintenance } from '../../../src/ingest/maintenance-run.ts'
import { httpEmbedder } from '../../../src/models/embedder/http.ts'
import { httpReranker } from '../../../src/models/reranker/http.ts'
import { HASHED_DIMENSIONS } from '../../support/hashed-embedder.ts'
import { hits, index, NOW, owner, put, searchWith, watched } from '../../support/search-world.ts'
import type { Line } from '../../support/search-world.ts'

const log = { info: () => {}, error: () => {} }
const MOST = 6

beforeAll(async () => {
  const paragraph = `${'The launcher starts its agents one after another and waits. '.repeat(18)}\n\n`
  await put([
    // More chunks than the first set of candidates, all about one thing.
    { type: 'doc', doc_path: 'docs/launcher.md', title: 'Launcher', body: paragraph.repeat(130) },
    { type: 'doc', doc_path: 'docs/gardens.md', title: 'Gardens', body: 'Bees, meadows and a lunch. See #1.' },
    { type: 'issue', number: 1, title: 'Launching', body: 'relaunch of launchable things', state: 'open' },
    { type: 'issue', number: 2, title: 'Bees', body: 'bees in meadows and gardens', state: 'open' },
  ])
  const embedder = embedderOver((url, init) => fetch(url, init))
  await runMaintenance({ index, vectors: d1Vectors(index), now: () => NOW, log, embedder })
})

type Fetch = (url: string, init: RequestInit) => Promise<Response>

function embedderOver(fetching: Fetch) {
  const model = { url: inject('embedderUrl'), model: 'hashed', dimensions: HASHED_DIMENSIONS }
  return httpEmbedder({ ...model, weight: 0.2, key: 'test-key', fetch: fetching })
}

/** Searches with the named models and counts subrequests. */
async function counted(args: Line, models: { embedder?: true; reranker?: true } = {}) {
  const { index: seen, trips } = watched()
  let requests = 0
  const fetching: Fetch = (url, init) => {
    requests += 1
    return fetch(url, init)
  }
  const reranker = httpReranker({
    url: inject('rerankerUrl'),
    model: 'hashed',
    key: 'test-key',
    fetch: fetching,
  })
  const parts = {
    index: seen,
    ...(models.embedder && { embedder: embedderOver(fetching) }),
    ...(models.reranker && { reranker }),
  }
  const answer = await searchWith(parts, args, owner)
  return { answer, statements: trips.flat(), subrequests: trips.length + requests }
}

const LONG = 'bees meadows gardens lunch launcher agents starts waits another one after relaunch launchable things '
const BOTH = { embedder: true, reranker: true } as const

describe('a search by words', () => {
  test.each<[string, number, Line]>([
    ['of a known word', 2, { query: 'meadows' }],
    ['of a misspelt word', 3, { query: 'medows' }],
    ['of a long question', 4, { query: `${LONG} quartz zeppelin wuppertal rooster` }],
    ['of a word that many chunks of one document contain', 3, { query: 'launcher' }],
    ['of a misspelling of that word', 4, { query: 'luancher' }],
    ['that finds nothing', 2, { query: 'bees', labels: ['none'] }],
  ])('a search by words %s takes %i subrequests', async (_, subrequests, args) => {
    expect(await counted(args)).toMatchObject({ subrequests })
  })

  test('a wider set of candidates is read where the first is about too few entities', async () => {
    const { answer, statements } = await counted({ query: 'luancher' })
    expect(answer.corrected).toEqual({ luancher: 'launcher' })
    expect(statements.filter((sql) => /words MATCH/.test(sql) && /ORDER BY words\.rank/.test(sql))).toHaveLength(3)
  })
})

describe('a search with both models', () => {
  test.each<[string, Line]>([
    ['of a misspelt word that many chunks contain', { query: 'luancher of bees' }],
    ['of a long question with a misspelt word', { query: `${LONG} medows quartz zeppelin wuppertal rooster` }],
    ['with links and texts', { query: 'luancher of bees', graph_expand: true, graph_hops: 2, include_content: true }],
    ['by vectors alone', { query: 'luancher of bees', fusion: 'dense_only' }],
    ['by words alone', { query: 'luancher bees', fusion: 'sparse_only' }],
    ['in the order of time', { query: 'luancher of bees', sort: 'updated_desc' }],
    ['with an exact reference', { query: '#1 luancher "bees in meadows"' }],
  ])('a search with both models %s takes at most six subrequests', async (_, args) => {
    const { answer, subrequests } = await counted(args, BOTH)
    expect(answer.count).toBeGreaterThan(1)
    expect(answer.rerank_applied).toBe(args['sort'] === undefined)
    expect(subrequests).toBeLessThanOrEqual(MOST)
  })

  test('a search with both models that finds nothing takes at most six subrequests', async () => {
    const { answer, subrequests } = await counted({ query: 'luancher', labels: ['none'], author: 'nobody' }, BOTH)
    expect(answer).toMatchObject({ count: 0, filters_unmatched: ['author', 'labels'] })
    expect(subrequests).toBeLessThanOrEqual(MOST)
  })

  test('a search by vectors alone reads no word index', async () => {
    const { answer, statements } = await counted(
      { query: 'luancher of bees', fusion: 'dense_only', repo: 'widget' },
      { embedder: true },
    )
    expect(answer).toMatchObject({ fusion_applied: 'vectors', resolved: { repo: 'acme/widget' } })
    expect(hits(answer)).not.toEqual([])
    expect(statements.filter((sql) => /MATCH|word_frequencies|corpus/.test(sql))).toEqual([])
  })
})
