import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { SURFACES } from '../../../src/base/vocabulary.ts'
import { consoleLog } from '../../../src/base/log.ts'
import { d1Vectors } from '../../../src/index/vectors/d1-vectors.ts'
import { ADMIN_CONTRACTS } from '../../../src/contracts/admin/index.ts'
import { ADMIN_ROUTES } from '../../../src/http/admin/admin-routes.ts'
import { testApp } from '../../support/app.ts'
import { allDocuments, clearIndex, index, NOW } from '../../support/index-world.ts'
import { LINES, toNdjson } from '../../support/lines.ts'

beforeEach(clearIndex)

async function call(method: string, target: string, body?: string) {
  const url = new URL(target, 'http://127.0.0.1')
  const route = ADMIN_ROUTES.find((one) => one.method === method && one.path === url.pathname)!
  const result = await route.handle(
    { url, parameters: {}, body: new TextEncoder().encode(body).buffer as ArrayBuffer },
    {
      index,
      vectors: d1Vectors(index),
      ingest: testApp(env.DB).app.ingest,
      log: consoleLog,
      now: () => NOW,
      runMaintenance: async () => ({ processed: 3, retried: 2, purged: 1, fetched: 4 }),
      version: '1.2.3',
      schemaVersion: 1,
    },
  )
  return result.ok ? result.value : result.failure
}

describe('POST /admin/import', () => {
  test('POST /admin/import puts a page and moves its cursor', async () => {
    const cursor = 'repo=acme/widgets&source=git&position=%7B%22head%22%3A1%7D&done=3&total=9'
    expect(await call('POST', `/admin/import?${cursor}`, toNdjson([LINES.doc]))).toEqual({
      written: 1,
      unchanged: 0,
      stale: 0,
      removed: 0,
    })
    expect(await call('GET', '/admin/status')).toEqual({
      version: '1.2.3',
      schema: 1,
      github: { auth: 'none', webhook: 'off', api_url: 'https://api.github.com' },
      repositories: [
        {
          repo: 'acme/widgets',
          private: true,
          configured: false,
          surfaces: SURFACES.map((surface) => ({
            surface,
            state: 'off',
            rows: surface === 'doc' ? 1 : 0,
            pending: 0,
            requests: 0,
          })),
          documents: { doc: 1 },
          cursors: [{ source: 'git', position: '{"head":1}', done: 3, total: 9, moved_at: '2026-11-30T12:00:00Z' }],
          pending: 0,
        },
      ],
    })
  })

  test('an empty page moves the cursor, and makes the repository known without a document', async () => {
    await call('POST', '/admin/import?repo=a/b&source=git&position=x', '')
    expect(await call('GET', '/admin/status')).toMatchObject({ repositories: [{ repo: 'a/b', documents: {} }] })
  })

  test.each([
    ['?repo=a/b', /^source: /],
    ['?source=git&position=x', /^repo: /],
    ['?repo=ab&source=git&position=x', /^repo: /],
    ['?repo=a/b&source=git', /^position: /],
    [`?repo=a/b&source=git&position=${'x'.repeat(4001)}`, /^position: /],
    ['?repo=a/b&source=&position=x', /^source: /],
    ['?done=1', /^repo: /],
    ['?repo=a/b&source=git&position=x&done=-1', /^done: /],
    ['?repo=a/b&source=git&position=x&total=many', /^total: /],
    ['?dry_run=true', /^dry_run: /],
  ])('%s is refused and nothing is put', async (query, message) => {
    expect(await call('POST', `/admin/import${query}`, toNdjson([LINES.doc]))).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(message) as string,
    })
    expect(await allDocuments()).toEqual([])
  })

  test('a broken line refuses its page whole, naming line and field', async () => {
    const page = toNdjson([LINES.doc, { ...LINES.issue, number: 'eleven' }])
    expect(await call('POST', '/admin/import', page)).toMatchObject({ line: 2, field: 'number' })
    expect(await allDocuments()).toEqual([])
  })
})

describe('GET /admin/documents', () => {
  test('GET /admin/documents lists the paths of a type, a page at a time', async () => {
    const lines = Array.from({ length: 1_002 }, (_, at) => ({
      ...LINES.doc,
      doc_path: `d/${String(at).padStart(4, '0')}.md`,
    }))
    await call('POST', '/admin/import', toNdjson(lines))
    const first = (await call('GET', '/admin/documents?repo=ACME/widgets&type=doc')) as {
      documents: object[]
      next: string
    }
    expect(first.documents).toHaveLength(1_000)
    expect(first.next).toBe('d/0999.md')
    expect(await call('GET', `/admin/documents?repo=acme/widgets&type=doc&after=${first.next}`)).toEqual({
      documents: [{ path: 'd/1000.md' }, { path: 'd/1001.md' }],
    })
  })

  test.each(['', '?repo=a/b', '?repo=a/b&type=all', '?type=doc'])(
    'GET /admin/documents refuses the query %j',
    async (query) => {
      expect(await call('GET', `/admin/documents${query}`)).toMatchObject({ code: 'VALIDATION_ERROR' })
    },
  )
})

test('POST /admin/maintenance answers with the counts of one run', async () => {
  expect(await call('POST', '/admin/maintenance')).toEqual({ settled: 3, put_off: 2, purged: 1, fetched: 4 })
})

test.each(ADMIN_ROUTES)('$method $path refuses an unknown parameter by its name', async ({ method, path }) => {
  expect(await call(method, `${path}?colour=red`)).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringMatching(/^colour: /) as string,
  })
})

test('every admin route has its contract in the list that the documentation is made of', () => {
  const names = (routes: readonly { readonly method: string; readonly path: string }[]): string[] =>
    routes.map(({ method, path }) => `${method} ${path}`).sort()
  expect(names(ADMIN_ROUTES)).toEqual(names(ADMIN_CONTRACTS))
})
