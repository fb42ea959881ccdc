import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { consoleLog } from '../../src/base/log.ts'
import { ADMIN_ROUTES } from '../../src/http/admin/admin-routes.ts'
import { readRowCounts } from '../../src/index/maintenance/shadow-index.ts'
import { beginRebuild } from '../../src/index/maintenance/begin-rebuild.ts'
import { d1Vectors } from '../../src/index/vectors/d1-vectors.ts'
import { runMaintenance } from '../../src/ingest/maintenance-run.ts'
import { httpEmbedder } from '../../src/models/embedder/http.ts'
import { HASHED_DIMENSIONS } from '../support/hashed-embedder.ts'
import { brokenInvariants, clearIndex, index, NOW, put } from '../support/index-world.ts'
import { LINES } from '../support/lines.ts'

beforeEach(clearIndex)
afterEach(async () => expect(await brokenInvariants()).toEqual([]))

async function post(query = '') {
  const route = ADMIN_ROUTES.find(({ path }) => path === '/admin/rebuild')!
  const result = await route.handle(
    { url: new URL(`http://127.0.0.1/admin/rebuild${query}`), body: new ArrayBuffer(0) },
    {
      index,
      vectors: d1Vectors(index),
      log: consoleLog,
      now: () => NOW,
      runMaintenance: () => Promise.reject(new Error('a rebuild runs maintenance itself')),
      version: '1.2.3',
      schemaVersion: 1,
    },
  )
  return result.ok ? result.value : result.failure
}

const BOOK = { ...LINES.doc, doc_path: 'long.md', body: 'see #11 and many words here. '.repeat(2_000) }
const LINKED = { ...LINES.wiki_doc, body: '[[Home]], #11' }

async function derived() {
  const tables = ['chunks', 'word_frequencies', 'edges', 'corpus', 'retries']
  const read = await env.DB.batch([
    ...tables.map((table) => env.DB.prepare(`SELECT * FROM ${table} ORDER BY 1`)),
    env.DB.prepare('SELECT document, version, words_version, edges_version, anchor FROM documents ORDER BY document'),
  ])
  return read.map(({ results }) => results)
}

test('a rebuild makes all derived rows again from the documents after they were damaged', async () => {
  await put([...Object.values(LINES), BOOK, LINKED])
  const before = await derived()
  await env.DB.batch([
    env.DB.prepare('DELETE FROM chunks WHERE chunk % 2 = 1'),
    env.DB.prepare('UPDATE chunks SET terms = ?1').bind('nonsense'),
    env.DB.prepare("INSERT INTO words (rowid, b, f) VALUES (9999999, 'ghost', 'r1')"),
    env.DB.prepare("INSERT INTO edges (edge, kind, repo, target) VALUES (9999999, 'link', '1', 'n1')"),
    env.DB.prepare('UPDATE corpus SET chunks = 77'),
    env.DB.prepare('UPDATE documents SET anchor = NULL'),
  ])
  expect(await post()).toMatchObject({
    done: true,
    documents: Object.keys(LINES).length + 1,
    left: { words: 0, edges: 0, index: 0 },
  })
  expect(await derived()).toEqual(before)
  const { inserted, live } = await readRowCounts(index)
  expect(inserted).toBe(live)
})

test('a rebuild makes vectors pending only for documents that had vectors', async () => {
  await put([LINES.issue, LINES.doc])
  await env.DB.batch([
    env.DB.prepare("INSERT INTO vector_state (one, model, generation, walked) VALUES (1, 'm', 3, 9)"),
    env.DB.prepare("UPDATE documents SET vectors_version = 3 WHERE type = 'doc'"),
  ])
  expect(await post()).toMatchObject({ done: true, left: { vectors: 1 } })
  const versions = await env.DB.prepare('SELECT type, vectors_version FROM documents ORDER BY type').all()
  expect(versions.results).toEqual([
    { type: 'doc', vectors_version: 0 },
    { type: 'issue', vectors_version: null },
  ])
  await env.DB.prepare('DELETE FROM vector_state').run()
})

test('a rebuild drops vectors whose chunk no longer exists, and frees their slots', async () => {
  const long = { ...LINES.doc, body: 'many words here. '.repeat(500) }
  await put([LINES.issue, LINES.release, long])
  const embedder = httpEmbedder({
    url: inject('embedderUrl'),
    model: 'hashed',
    dimensions: HASHED_DIMENSIONS,
    weight: 0.2,
    key: 'test-key',
    fetch: (url, init) => fetch(url, init),
  })
  const log = { info: () => {}, error: () => {} }
  await runMaintenance({ index, vectors: d1Vectors(index), now: () => NOW, log, embedder })
  const countVectors = async () =>
    (await env.DB.prepare('SELECT chunk FROM vectors ORDER BY chunk').all<{ chunk: number }>()).results.length
  expect(await countVectors()).toBeGreaterThan(8)
  const { document: lost } = (await env.DB.prepare(`SELECT document FROM documents WHERE type = 'issue'`).first<{
    document: number
  }>())!
  await env.DB.batch([
    env.DB.prepare('DELETE FROM segments WHERE segment / 64 = ?1').bind(lost),
    ...['labels', 'assignees', 'documents'].map((table) =>
      env.DB.prepare(`DELETE FROM ${table} WHERE document = ?1`).bind(lost),
    ),
    // As if an earlier version had cut the text into more chunks.
    env.DB.prepare('UPDATE vectors SET chunk = chunk + 4000 WHERE chunk % 8192 > 3'),
  ])
  expect(await post()).toMatchObject({ done: true, documents: 2, left: { vectors: 2 } })
  expect(await countVectors()).toBe(1)
  await runMaintenance({ index, vectors: d1Vectors(index), now: () => NOW, log, embedder })
  const { chunks } = (await env.DB.prepare('SELECT chunks FROM corpus').first<{ chunks: number }>())!
  expect(await countVectors()).toBe(chunks)
})

test('a second rebuild gives the same rows', async () => {
  await put(Object.values(LINES))
  const before = await derived()
  await post()
  await post()
  expect(await derived()).toEqual(before)
})

test('a dry run of a rebuild counts the work and changes nothing', async () => {
  await put(Object.values(LINES))
  await env.DB.prepare('UPDATE corpus SET length = 0').run()
  const before = await derived()
  const all = Object.keys(LINES).length
  const answer = {
    dry_run: true,
    done: false,
    documents: all,
    left: { words: all, edges: all, vectors: 0, index: all },
  }
  expect(await post('?dry_run=true')).toEqual(answer)
  expect(await derived()).toEqual(before)
  await post()
})

test('a rebuild that stopped half way is finished by a maintenance run, or by a call that resumes it', async () => {
  await put([...Object.values(LINES), BOOK])
  const before = await derived()
  await beginRebuild(index)
  await runMaintenance({ index, vectors: d1Vectors(index), now: () => NOW, log: { info: () => {}, error: () => {} } })
  expect(await derived()).toEqual(before)
  await beginRebuild(index)
  expect(await post('?resume=true')).toMatchObject({ done: true })
  expect(await derived()).toEqual(before)
  await env.DB.prepare("UPDATE chunks SET terms = 'nonsense'").run()
  const nonsense = await derived()
  expect(await post('?resume=true')).toMatchObject({ done: true })
  expect(await derived()).toEqual(nonsense)
  await post()
})

test('a row that cannot be made blocks no other row, and only delays the end of the rebuild', async () => {
  await put(Object.values(LINES))
  await env.DB.exec(
    `CREATE TRIGGER poison BEFORE INSERT ON chunks WHEN NEW.type = 'doc' BEGIN SELECT raise(ABORT, 'poisoned'); END`,
  )
  expect(await post()).toMatchObject({ done: false, left: { words: 1, edges: 0 } })
  await env.DB.exec('DROP TRIGGER poison')
  await env.DB.prepare('DELETE FROM retries').run()
  expect(await post('?resume=true')).toMatchObject({ done: true, left: { words: 0 } })
})

test.each([
  ['?dry_run=yes', /^dry_run: /],
  ['?everything=true', /^everything: /],
])('the query %s is refused', async (query, message) => {
  expect(await post(query)).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringMatching(message) as string,
  })
})
