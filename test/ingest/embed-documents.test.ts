import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { ok } from '../../src/base/result.ts'
import { d1Vectors } from '../../src/index/vectors/d1-vectors.ts'
import { runMaintenance } from '../../src/ingest/maintenance-run.ts'
import type { Embedder } from '../../src/models/embedder/embedder.ts'
import { httpEmbedder } from '../../src/models/embedder/http.ts'
import { HASHED_DIMENSIONS } from '../support/hashed-embedder.ts'
import { brokenInvariants, clearIndex, index, NOW, put } from '../support/index-world.ts'
import { LINES, removalOf } from '../support/lines.ts'

beforeEach(clearIndex)
afterEach(async () => expect(await brokenInvariants()).toEqual([]))

const log = { info: () => {}, error: () => {} }
const options = { url: inject('embedderUrl'), dimensions: HASHED_DIMENSIONS, weight: 0.2, key: 'test-key' }
const hashed = (model = 'hashed') => httpEmbedder({ ...options, model, fetch: (url, init) => fetch(url, init) })
const run = (embedder: Embedder | undefined, nowMs = NOW) =>
  runMaintenance({ index, vectors: d1Vectors(index), now: () => nowMs, log, ...(embedder && { embedder }) })

const one = async <T>(sql: string) => (await env.DB.prepare(sql).first<T>())!
const versions = async () =>
  (
    await env.DB.prepare('SELECT vectors_version AS version FROM documents ORDER BY document').all<{
      version: number | null
    }>()
  ).results.map(({ version }) => version)
const vectors = async () =>
  (await env.DB.prepare('SELECT chunk, vector FROM vectors ORDER BY chunk').all<{ chunk: number; vector: string }>())
    .results
const retries = async () =>
  (await env.DB.prepare('SELECT kind, attempts, due_at - ?1 AS wait, error FROM retries').bind(NOW).all()).results

test('a maintenance run makes a vector for every chunk, and then no vectors are pending', async () => {
  await put([...Object.values(LINES), { ...LINES.doc, doc_path: 'long.md', body: 'many words here. '.repeat(3_000) }])
  expect(await run(hashed())).toMatchObject({ processed: Object.keys(LINES).length + 1, retried: 0 })
  const { chunks } = await one<{ chunks: number }>('SELECT count(*) AS chunks FROM chunks')
  expect(await vectors()).toHaveLength(chunks)
  expect(await run(hashed())).toMatchObject({ processed: 0, retried: 0 })
  expect(new Set(await versions())).toEqual(new Set([1]))
})

test('without an embedder no document has a vectors version, and no statement reads the tables of vectors', async () => {
  const statements: string[] = []
  const watching = new Proxy(env.DB, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown
      if (name === 'prepare') return (sql: string) => (statements.push(sql), target.prepare(sql))
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  await put(Object.values(LINES))
  await put([removalOf(LINES.issue)])
  const watchedIndex = { database: watching }
  await runMaintenance({ index: watchedIndex, vectors: d1Vectors(watchedIndex), now: () => NOW, log })
  expect(statements.length).toBeGreaterThan(0)
  expect(
    statements.filter((sql) => /\bvectors\b(?! FROM documents)|sketches|vector_state|free_slots/.test(sql)),
  ).toEqual([])
  expect(new Set(await versions())).toEqual(new Set([null]))
  expect(await one('SELECT count(*) AS rows FROM vector_state')).toEqual({ rows: 0 })
})

test('a changed text is embedded again, and a changed label is not', async () => {
  await put([LINES.issue, LINES.doc])
  await run(hashed())
  const before = await vectors()
  let sent = 0
  const counting: Embedder = {
    ...hashed(),
    embed: (texts, limit) => ((sent += texts.length), hashed().embed(texts, limit)),
  }
  await put([{ ...LINES.issue, labels: ['other'], updated_at: '2026-11-05T00:00:00Z' }])
  expect((await versions())[0]).toBe(-1)
  expect(await run(counting)).toMatchObject({ processed: 1 })
  expect(sent).toBe(0)
  expect(await vectors()).toEqual(before)
  await put([{ ...LINES.issue, body: 'Another text.', updated_at: '2026-11-06T00:00:00Z' }])
  expect((await versions())[0]).toBe(0)
  expect(await run(counting)).toMatchObject({ processed: 1 })
  expect(sent).toBe(1)
  expect(await vectors()).not.toEqual(before)
})

test('every vector is pending again when the model changes', async () => {
  await put([LINES.issue, LINES.doc])
  await run(hashed())
  expect(await run(hashed('hashed-2'))).toMatchObject({ processed: 2 })
  expect(await versions()).toEqual([2, 2])
  expect(await run(hashed())).toMatchObject({ processed: 2 })
  expect(await versions()).toEqual([3, 3])
})

test('vectors are retried with growing delays while the embedder is down, and made when it answers again', async () => {
  await put([LINES.issue, LINES.doc])
  expect(await run(hashed('broken'))).toMatchObject({ processed: 0, retried: 2 })
  expect(await retries()).toMatchObject([
    { kind: 'vectors', attempts: 1, wait: 60_000, error: 'The embedder answers 500.' },
    { kind: 'vectors', attempts: 1, wait: 60_000 },
  ])
  expect(await run(hashed('broken'), NOW + 1_000)).toMatchObject({ processed: 0, retried: 0 })
  expect(await run(hashed('broken'), NOW + 60_000)).toMatchObject({ retried: 2 })
  expect((await retries())[0]).toMatchObject({ attempts: 2, wait: 180_000 })
  expect(await run(hashed(), NOW + 60_000)).toMatchObject({ processed: 2 })
  expect(await retries()).toEqual([])
})

test('a text that the embedder refuses delays the vectors of its own document only', async () => {
  await put([LINES.issue, { ...LINES.doc, body: '\u2620poison' }, LINES.release])
  expect(await run(hashed())).toMatchObject({ processed: 2, retried: 1 })
  expect(await retries()).toMatchObject([{ error: 'The embedder refuses a text of this document.' }])
  expect(await versions()).toEqual([1, 0, 1])
})

test('a removed document is purged after its vectors', async () => {
  await put([LINES.issue, LINES.doc])
  await run(hashed())
  await put([removalOf(LINES.issue)])
  expect(await run(hashed())).toMatchObject({ purged: 1 })
  expect(await vectors()).toHaveLength(1)
  await put([removalOf(LINES.doc)])
  expect(await run(undefined)).toMatchObject({ purged: 1 })
  expect(await vectors()).toEqual([])
  await put([LINES.issue, LINES.doc])
  expect(await run(hashed())).toMatchObject({ processed: 2 })
  expect((await one<{ most: number }>('SELECT max(slot) AS most FROM vectors')).most).toBe(1)
})

test('a document that changes while it is embedded is embedded again', async () => {
  await put([LINES.issue])
  const sent: string[] = []
  const slow: Embedder = {
    ...hashed(),
    embed: async (texts, limit) => {
      sent.push(...texts)
      if (sent.length === 1) await put([{ ...LINES.issue, body: 'Meanwhile.', updated_at: '2026-11-09T00:00:00Z' }])
      return hashed().embed(texts, limit)
    },
  }
  expect(await run(slow)).toMatchObject({ processed: 1, retried: 0 })
  expect(sent.map((text) => text.includes('Meanwhile.'))).toEqual([false, true])
})

test('a document without text has no vector, and none is pending', async () => {
  await put([{ ...LINES.issue, title: '', body: '' }])
  expect(await run({ ...hashed(), embed: () => Promise.resolve(ok([])) })).toMatchObject({ processed: 1 })
  expect(await vectors()).toEqual([])
})
