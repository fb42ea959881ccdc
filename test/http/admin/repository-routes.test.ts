import { beforeEach, describe, expect, test } from 'vitest'
import { putConfiguredName } from '../../../src/index/ingestion/configured-names.ts'
import { takeLease } from '../../../src/index/ingestion/leases.ts'
import { listSurfaceReads } from '../../../src/index/ingestion/surface-reads.ts'
import { runMaintenance } from '../../../src/ingest/maintenance-run.ts'
import { d1Vectors } from '../../../src/index/vectors/d1-vectors.ts'
import { testApp } from '../../support/app.ts'
import { githubSettings } from '../../support/github/github-test-settings.ts'
import { allDocuments, brokenInvariants, clearIndex, index, put } from '../../support/index-world.ts'
import { addRepository, read, REPO_ID } from '../../support/ingest-pages.ts'
import { LINES, type Line } from '../../support/lines.ts'

const TOKEN = 'secret-of-the-operator'

beforeEach(clearIndex)

function call(method: string, path: string, repositories = '') {
  const github = githubSettings(repositories === '' ? {} : { GITHUB_REPOSITORIES: repositories })
  const app = testApp(index.database, { settings: { adminToken: TOKEN, github } })
  return app.fetch(path, { method, headers: { authorization: `Bearer ${TOKEN}` } })
}

async function json(method: string, path: string, repositories?: string) {
  const response = await call(method, path, repositories)
  return { status: response.status, ...(await response.json<object>()) }
}

const other: Line = { ...LINES.doc, repo: 'acme/other' }

describe('GET /admin/export', () => {
  test('the lines of an export are those of the page schema, in one order', async () => {
    await put([other, LINES.doc, { ...LINES.issue, repo_id: REPO_ID, repo_private: true }])
    const response = await call('GET', '/admin/export')
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    const lines = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
    expect(lines.map(({ repo, type }) => [repo, type])).toEqual([
      ['acme/other', 'doc'],
      ['acme/widgets', 'issue'],
      ['acme/widgets', 'doc'],
    ])
    expect(lines[1]).toEqual({ ...LINES.issue, repo_id: REPO_ID, repo_private: true })
  })

  test('an export of one repository has its lines alone, in any letter case of its name', async () => {
    await put([other, LINES.doc])
    const lines = (await (await call('GET', '/admin/export?repo=ACME/Other')).text()).trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as Line)['repo'])).toEqual(['acme/other'])
    expect(await json('GET', '/admin/export?repo=acme/none')).toMatchObject({
      status: 'ERROR',
      error: { code: 'NOT_FOUND' },
    })
    expect((await call('GET', '/admin/export?repos=a/b')).status).toBe(400)
    expect((await call('GET', '/admin/export?repo=a')).status).toBe(400)
  })

  test('the export of an empty index is empty', async () => {
    expect(await (await call('GET', '/admin/export')).text()).toBe('')
  })

  test('an export of thousands of documents has each of them once', async () => {
    for (let page = 0; page < 12; page += 1) {
      await put(Array.from({ length: 500 }, (_, at) => ({ ...LINES.doc, doc_path: `d/${page * 500 + at}.md` })))
    }
    const lines = (await (await call('GET', '/admin/export')).text()).trimEnd().split('\n')
    expect(new Set(lines).size).toBe(6_000)
  })
})

describe('DELETE /admin/repos/{owner}/{name}', () => {
  test('a repository goes with all its rows, and the others stay', async () => {
    await put([other, LINES.doc, LINES.issue])
    expect(await json('DELETE', '/admin/repos/acme/widgets?dry_run')).toEqual({
      repo: 'acme/widgets',
      documents: 2,
      removed: 0,
      done: false,
      status: 200,
    })
    expect(await allDocuments()).toHaveLength(3)
    expect(await json('DELETE', '/admin/repos/Acme/Widgets')).toMatchObject({ documents: 2, removed: 2, done: true })
    expect((await allDocuments()).map(({ repository }) => repository.name)).toEqual(['acme/other'])
    await runMaintenance({ index, vectors: d1Vectors(index), now: Date.now, log: { info() {}, error() {} } })
    expect(await brokenInvariants()).toEqual([])
    expect((await call('DELETE', '/admin/repos/acme/widgets')).status).toBe(404)
  })

  test('a repository that was dropped can be imported again', async () => {
    await put([LINES.doc, LINES.issue])
    await call('DELETE', '/admin/repos/acme/widgets')
    await put([LINES.doc, LINES.issue])
    expect(await allDocuments()).toHaveLength(2)
    expect(await brokenInvariants()).toEqual([])
  })

  test('a configured repository is kept, under whichever name the setting knows it', async () => {
    await addRepository()
    await read([LINES.doc])
    expect((await call('DELETE', '/admin/repos/acme/widgets', 'acme/widgets')).status).toBe(409)
    await putConfiguredName(index, { name: 'acme/gadgets', repoId: REPO_ID }, 0)
    expect((await call('DELETE', '/admin/repos/acme/widgets?dry_run=true', 'acme/gadgets')).status).toBe(409)
    expect((await call('DELETE', '/admin/repos/acme/widgets', 'acme/else')).status).toBe(200)
  })

  test('a parameter of the path is unknown in the query', async () => {
    await put([LINES.doc])
    expect((await call('DELETE', '/admin/repos/acme/widgets?owner=x')).status).toBe(400)
    expect((await call('DELETE', '/admin/repos/acme/widgets?dry-run=true')).status).toBe(400)
    expect(await allDocuments()).toHaveLength(1)
  })
})

describe('POST /admin/backfill', () => {
  const move = { repoId: REPO_ID, walk: 'poll', position: { at: 1 }, ended: true, requests: 1 } as const

  test('cursors are forgotten, of one surface or of all, and no document goes', async () => {
    await addRepository()
    await read([LINES.doc], undefined, { surface: { ...move, surface: 'doc' } })
    await read([], undefined, { surface: { ...move, surface: 'issue' } })
    expect(await json('POST', '/admin/backfill?repo=acme/widgets&surface=doc', 'acme/widgets')).toMatchObject({
      repo: 'acme/widgets',
      reset: ['doc'],
    })
    expect((await listSurfaceReads(index)).map(({ position, state }) => [position, state])).toEqual([
      [undefined, 'reading'],
      [{ at: 1 }, 'current'],
    ])
    const all = await json('POST', '/admin/backfill?repo=acme/widgets', 'acme/widgets')
    expect((all as unknown as { reset: string[] }).reset).toHaveLength(9)
    expect((await listSurfaceReads(index)).every(({ position, isUnread }) => position === undefined && isUnread)).toBe(
      true,
    )
    expect(await allDocuments()).toHaveLength(1)
  })

  test('an unknown repository, a wrong surface and a run under way are refused', async () => {
    await addRepository()
    expect((await call('POST', '/admin/backfill?repo=acme/none', 'acme/widgets')).status).toBe(404)
    expect((await call('POST', '/admin/backfill', 'acme/widgets')).status).toBe(400)
    expect((await call('POST', '/admin/backfill?repo=acme/widgets&surface=commit', 'acme/widgets')).status).toBe(400)
    await takeLease(index, { name: 'run', holder: 'other' }, Date.now())
    expect(await json('POST', '/admin/backfill?repo=acme/widgets', 'acme/widgets')).toMatchObject({
      error: { code: 'BUSY' },
    })
  })
})
