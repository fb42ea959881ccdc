import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { d1Vectors } from '../../src/index/vectors/d1-vectors.ts'
import { runMaintenance } from '../../src/ingest/maintenance-run.ts'
import { allDocuments, brokenInvariants, clearIndex, index, NOW, put } from '../support/index-world.ts'
import { LINES, removalOf } from '../support/lines.ts'

beforeEach(clearIndex)
afterEach(async () => expect(await brokenInvariants()).toEqual([]))

const logged: string[] = []
const log = { info: () => {}, error: (event: string) => void logged.push(event) }
const run = (nowMs = NOW) => runMaintenance({ index, vectors: d1Vectors(index), now: () => nowMs, log })
const everyWord = async () =>
  (await env.DB.prepare('SELECT term, doc, cnt FROM word_frequencies ORDER BY term').all()).results

/** Makes the words of every document pending and deletes them. */
async function ageWords(): Promise<void> {
  await env.DB.batch([
    env.DB.prepare('DELETE FROM words WHERE rowid IN (SELECT chunk FROM chunks)'),
    env.DB.prepare('DELETE FROM chunks'),
    env.DB.prepare('UPDATE corpus SET chunks = 0, length = 0'),
    env.DB.prepare('UPDATE documents SET words_version = 0'),
  ])
}

test('a maintenance run does nothing when no work is pending', async () => {
  await put(Object.values(LINES))
  expect(await run()).toEqual({ processed: 0, retried: 0, purged: 0, fetched: 0 })
})

test('a maintenance run makes the same words again from the stored rows alone', async () => {
  await put([...Object.values(LINES), { ...LINES.doc, doc_path: 'long.md', body: 'many words here. '.repeat(5_000) }])
  const before = await everyWord()
  await ageWords()
  expect(await run()).toMatchObject({ processed: Object.keys(LINES).length + 1 })
  expect(await everyWord()).toEqual(before)
})

test('a maintenance run makes the same edges again from the stored rows alone', async () => {
  await put([
    { ...LINES.issue, body: 'see #12 and a/b#3' },
    { ...LINES.wiki_doc, body: '[[Home]]' },
    LINES.pull_request,
  ])
  const edges = async () => (await env.DB.prepare('SELECT * FROM edges ORDER BY edge').all()).results
  const before = await edges()
  expect(before).toHaveLength(3)
  await env.DB.batch([
    env.DB.prepare('DELETE FROM edges'),
    env.DB.prepare('UPDATE documents SET anchor = NULL, edges_version = 0'),
  ])
  expect(await run()).toMatchObject({ processed: 3, retried: 0 })
  expect(await edges()).toEqual(before)
  expect(await run()).toMatchObject({ processed: 0 })
})

test('a maintenance run purges removed documents with their segments and labels', async () => {
  await put(Object.values(LINES))
  await put(Object.values(LINES).map(removalOf))
  expect(await run()).toMatchObject({ purged: Object.keys(LINES).length })
  const counts = await env.DB.prepare(
    `SELECT (SELECT count(*) FROM documents) + (SELECT count(*) FROM segments) + (SELECT count(*) FROM labels) AS rows`,
  ).first()
  expect(counts).toEqual({ rows: 0 })
  await put([LINES.issue])
  expect(await allDocuments()).toHaveLength(1)
})

test('a row whose words cannot be made is retried later and blocks no other row', async () => {
  await put([LINES.issue, LINES.doc, LINES.release])
  await ageWords()
  await env.DB.exec(
    `CREATE TRIGGER poison BEFORE INSERT ON chunks WHEN NEW.type = 'doc' BEGIN SELECT raise(ABORT, 'poisoned'); END`,
  )
  expect(await run()).toMatchObject({ processed: 2, retried: 1 })
  expect(logged).toEqual(['words_retried_later'])
  expect(await run()).toMatchObject({ processed: 0, retried: 0 })
  expect(await env.DB.prepare('SELECT kind, attempts, due_at - ?1 AS wait FROM retries').bind(NOW).first()).toEqual({
    kind: 'words',
    attempts: 1,
    wait: 60_000,
  })
  await env.DB.exec('DROP TRIGGER poison')
  expect(await run(NOW + 60_000)).toMatchObject({ processed: 1 })
  expect((await env.DB.prepare('SELECT * FROM retries').all()).results).toEqual([])
})
