import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DOCUMENT_TYPES } from '../../../src/base/vocabulary.ts'
import { putPage } from '../../../src/index/write/put-page.ts'
import { allDocuments, brokenInvariants, clearIndex, index, NOW, put } from '../../support/index-world.ts'
import { LINES, removalOf, type Line } from '../../support/lines.ts'

const DAY = 86_400_000

beforeEach(clearIndex)
afterEach(async () => expect(await brokenInvariants()).toEqual([]))

const issue = (change: Line = {}): Line => ({ ...LINES.issue, ...change })
const one = async () => (await allDocuments())[0]!
const repositories = async () =>
  (await env.DB.prepare('SELECT repo_id, name, private FROM repositories ORDER BY repository').all()).results

describe('pages', () => {
  test('a page with documents of every type is read back unchanged', async () => {
    const summary = await put(DOCUMENT_TYPES.map((type) => LINES[type]))
    expect(summary).toEqual({ written: DOCUMENT_TYPES.length, unchanged: 0, stale: 0, removed: 0 })
    expect((await allDocuments()).map(({ identity }) => identity.type)).toEqual(DOCUMENT_TYPES)
  })

  test('a page that is put a second time changes nothing', async () => {
    const lines = DOCUMENT_TYPES.map((type) => LINES[type])
    await put(lines)
    const before = await allDocuments()
    expect(await put(lines, NOW + DAY)).toEqual({ written: 0, unchanged: DOCUMENT_TYPES.length, stale: 0, removed: 0 })
    expect(await allDocuments()).toEqual(before)
  })

  test('an older document changes nothing, and one of the same time with other content replaces the stored one', async () => {
    await put([issue()])
    expect(await put([issue({ title: 'Older', updated_at: '2026-11-01T00:00:00Z' })])).toMatchObject({ stale: 1 })
    expect(await one()).toMatchObject({ title: 'Agents start twice' })
    expect(await put([issue({ title: 'Same second' })])).toMatchObject({ written: 1 })
    expect(await one()).toMatchObject({ title: 'Same second' })
  })

  test('a changed label alone rewrites the document', async () => {
    await put([issue()])
    expect(await put([issue({ labels: ['wontfix'] })])).toMatchObject({ written: 1 })
    expect(await one()).toMatchObject({ labels: ['wontfix'] })
  })

  test('a pull request replaces the issue of the same number', async () => {
    await put([issue()])
    await put([{ ...LINES.pull_request, number: 11 }])
    expect(await allDocuments()).toHaveLength(1)
    expect(await one()).toMatchObject({ identity: { type: 'pull_request', number: 11 } })
  })

  test('a document without times gets the time of its import, and only a changed text moves it', async () => {
    const times = async () => env.DB.prepare('SELECT created_at, updated_at FROM documents').first()
    await put([LINES.doc], NOW)
    expect(await times()).toEqual({ created_at: NOW, updated_at: NOW })
    await put([{ ...LINES.doc, author: 'ada' }], NOW + DAY)
    expect(await times()).toEqual({ created_at: NOW, updated_at: NOW })
    await put([{ ...LINES.doc, body: 'New text.' }], NOW + 2 * DAY)
    expect(await times()).toEqual({ created_at: NOW, updated_at: NOW + 2 * DAY })
    expect(await one()).not.toHaveProperty('updatedAt')
  })

  test('a removal hides a document, a removal of an unknown document does nothing, and a put restores it', async () => {
    await put([issue(), LINES.doc])
    expect(await put([removalOf(LINES.issue), removalOf(LINES.release)])).toMatchObject({ removed: 1 })
    expect(await allDocuments()).toHaveLength(1)
    expect(await put([removalOf(LINES.issue)])).toMatchObject({ removed: 0 })
    expect(await put([issue({ updated_at: '2020-01-01' })])).toMatchObject({ written: 1 })
    expect(await allDocuments()).toHaveLength(2)
  })

  test('the lines of a page apply in order', async () => {
    await put([issue({ title: 'Stored' })])
    expect(
      await put([removalOf(LINES.issue), issue({ title: 'Older, but after a removal', updated_at: '2020-01-01' })]),
    ).toMatchObject({ written: 1, stale: 0 })
    expect(await one()).toMatchObject({ title: 'Older, but after a removal' })
    await put([issue({ title: 'Newest', updated_at: '2026-11-09' }), issue({ title: 'Older' })])
    expect(await one()).toMatchObject({ title: 'Newest' })
    await put([issue({ title: 'Gone', updated_at: '2026-11-10' }), removalOf(LINES.issue)])
    expect(await allDocuments()).toEqual([])
  })

  test('a document is sanitized before it is hashed, so invisible characters do not change it', async () => {
    await put([issue({ title: 'Agents\u0000 start\u202E twice' })])
    expect(await one()).toMatchObject({ title: 'Agents start twice' })
    expect(await put([issue()])).toMatchObject({ unchanged: 1 })
  })

  test('a body of 1 MiB is stored whole, and a longer one is cut on a character boundary and marked', async () => {
    const whole = 'é'.repeat(524_288)
    await put([issue({ body: whole }), { ...LINES.doc, body: `a${whole}` }])
    const [kept, cut] = await allDocuments()
    expect(kept!.body === whole).toBe(true)
    expect(kept).not.toHaveProperty('sourceTruncated')
    expect(cut!.body === `a${whole.slice(1)}`).toBe(true)
    expect(cut).toMatchObject({ sourceTruncated: true })
  })

  test('characters beyond the basic plane are not split at the borders of segments', async () => {
    const body = `x${'🦊'.repeat(70_000)}`
    await put([issue({ body })])
    expect((await one()).body === body).toBe(true)
  })

  test('a cursor moves only in the transaction of its page', async () => {
    const cursor = { repository: 'acme/widgets', source: 'git', position: 'p1', done: 1, total: 2 }
    const cursors = async () => (await env.DB.prepare('SELECT position, done, total FROM cursors').all()).results
    await putPage(index, { changes: [], cursor }, NOW)
    expect(await cursors()).toEqual([{ position: 'p1', done: 1, total: 2 }])
    await env.DB.exec(`CREATE TRIGGER broken BEFORE INSERT ON labels BEGIN SELECT raise(ABORT, 'disk'); END`)
    await expect(put([issue()])).rejects.toThrow(/disk/)
    await env.DB.exec('DROP TRIGGER broken')
    expect(await allDocuments()).toEqual([])
    await putPage(index, { changes: [], cursor: { ...cursor, position: 'p2', done: 2 } }, NOW)
    expect(await cursors()).toEqual([{ position: 'p2', done: 2, total: 2 }])
  })
})

describe('concurrent writers', () => {
  test('pages that put one document at the same time all succeed, and the newest version remains', async () => {
    const pages = Array.from({ length: 12 }, (_, at) =>
      put([issue({ title: `Title ${at}`, updated_at: new Date(NOW + at * 1000).toISOString() })]),
    )
    await Promise.all(pages)
    expect(await allDocuments()).toHaveLength(1)
    expect(await one()).toMatchObject({ title: 'Title 11' })
  })

  test('pages that put different documents at the same time lose no document', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_, page) =>
        put(Array.from({ length: 5 }, (_, at) => issue({ number: page * 5 + at + 1 }))),
      ),
    )
    expect(await allDocuments()).toHaveLength(50)
  })
})

describe('repositories', () => {
  test('a repository is private until a line makes it public, and private again when a line makes it private', async () => {
    await put([issue()])
    expect(await repositories()).toMatchObject([{ name: 'acme/widgets', private: 1 }])
    await put([issue({ repo_private: false })])
    await put([issue({ repo: 'Acme/Widgets' })])
    expect(await repositories()).toMatchObject([{ name: 'acme/widgets', private: 0 }])
    await put([issue({ repo_private: true })])
    expect(await repositories()).toMatchObject([{ private: 1 }])
  })

  test('a repository gets its GitHub id when a line gives it, and its documents get new ids', async () => {
    await put([issue(), LINES.doc, LINES.diff])
    const before = await env.DB.prepare('SELECT vector_id FROM documents').all()
    expect(await put([{ ...LINES.doc, repo_id: 42 }])).toMatchObject({ unchanged: 1 })
    expect(await repositories()).toMatchObject([{ repo_id: 42 }])
    const after = await env.DB.prepare('SELECT vector_id FROM documents').all()
    expect(after.results).toHaveLength(3)
    expect(after.results).not.toEqual(before.results)
    expect(await put([issue(), LINES.diff])).toMatchObject({ unchanged: 2 })
  })

  test('a renamed repository keeps its documents, and its former name still refers to it', async () => {
    await put([issue({ repo_id: 42 })])
    expect(await put([issue({ repo_id: 42, repo: 'acme/gadgets' })])).toMatchObject({ unchanged: 1 })
    expect(await repositories()).toMatchObject([{ repo_id: 42, name: 'acme/gadgets' }])
    expect(await put([issue()])).toMatchObject({ unchanged: 1 })
    expect(await repositories()).toMatchObject([{ name: 'acme/gadgets' }])
  })

  test('a removal creates no repository', async () => {
    await put([removalOf(LINES.issue)])
    expect(await repositories()).toEqual([])
  })

  test('a name that passes to another repository moves no documents', async () => {
    await put([issue({ repo_id: 42 })])
    await put([issue({ repo_id: 43, title: 'Another' })])
    expect(await repositories()).toHaveLength(2)
    expect(await allDocuments()).toHaveLength(2)
  })

  test('two repositories with the same GitHub id are merged', async () => {
    await put([issue({ repo_id: 42, repo: 'acme/old', title: 'By id' })])
    await put([issue({ repo: 'acme/new', title: 'By name' }), { ...LINES.doc, repo: 'acme/new' }])
    await put([{ ...LINES.release, repo: 'acme/new', repo_id: 42 }])
    expect(await repositories()).toMatchObject([{ repo_id: 42, name: 'acme/new' }])
    const documents = await allDocuments()
    expect(documents.map(({ identity, title }) => `${identity.type} ${title}`).sort()).toEqual([
      'doc Launching',
      'issue By id',
      'release One point two',
    ])
  })
})
