/** An author is found by any name that people know: login, display name, parts of the e-mail address. */
import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { runMaintenance } from '../../../src/ingest/maintenance-run.ts'
import { d1Vectors } from '../../../src/index/vectors/d1-vectors.ts'
import { ask, guest, hits, index, NOW, put } from '../../support/search-world.ts'
import type { Line } from '../../support/search-world.ts'

const diff = (sha: string, more: Line): Line => ({
  type: 'diff',
  commit_sha: sha.repeat(40),
  file_path: `src/${sha}.ts`,
  message: 'Tune the kettle',
  body: '@@ -1 +1 @@\n-cold\n+warm\n',
  updated_at: '2026-11-29T00:00:00Z',
  ...more,
})

beforeAll(async () => {
  await put([
    diff('a', {
      author: 'Ren Ishikawa',
      commit_author: 'Ren Ishikawa',
      author_email: '12345+ren@users.noreply.github.com',
    }),
    diff('b', { author: 'Ada Lovelace', author_email: 'countess@Example.org' }),
    diff('c', { author: 'octocat', commit_author: 'Mona Octo' }),
    diff('d', { author: 'José Núñez'.normalize('NFD'), author_email: 'jose+git@example.org' }),
    { type: 'issue', number: 1, title: 'Kettle', state: 'open', author: 'ren', updated_at: '2026-11-29T00:00:00Z' },
    { type: 'issue', number: 2, title: 'Kettle', state: 'open', author: 'ada', updated_at: '2026-11-29T00:00:00Z' },
    diff('e', { repo: 'secret/lab', author: 'Mallory Hidden', author_email: 'mal@example.org' }),
  ])
})

test.each<[string, string[]]>([
  ['ren', ['commit:aaaaaaa', 'issue#1']],
  ['REN', ['commit:aaaaaaa', 'issue#1']],
  ['Ren Ishikawa', ['commit:aaaaaaa']],
  ['12345+ren', ['commit:aaaaaaa']],
  ['countess', ['commit:bbbbbbb']],
  ['countess@example.org', ['commit:bbbbbbb']],
  ['ada lovelace', ['commit:bbbbbbb']],
  ['ada', ['issue#2']],
  ['mona octo', ['commit:ccccccc']],
  ['octocat', ['commit:ccccccc']],
  ['José Núñez'.normalize('NFC'), ['commit:ddddddd']],
  ['jose+git', ['commit:ddddddd']],
])('the author %s is found by a search, a list and a qualifier', async (author, expected) => {
  expect(hits(await ask({ author, query: 'kettle' }, guest)).toSorted()).toEqual(expected)
  expect(hits(await ask({ author }, guest)).toSorted()).toEqual(expected)
  expect(hits(await ask({ query: `kettle author:"${author}"` }, guest)).toSorted()).toEqual(expected)
})

test.each<[string, string[] | undefined]>([
  ['Lovelace', ['Ada Lovelace']],
  ['lovelce', ['Ada Lovelace']],
  ['ishikawa', ['Ren Ishikawa']],
  ['contess', ['Ada Lovelace']],
  ['mallory', undefined],
  ['example.org', undefined],
])('for the unknown author %s %o are suggested', async (author, expected) => {
  for (const call of [{ author }, { author, query: 'kettle' }]) {
    const answer = await ask(call, guest)
    expect(answer).toMatchObject({ count: 0, filters_unmatched: ['author'] })
    expect(answer.suggestions?.['author']).toEqual(expected)
  }
})

test('no answer shows an e-mail address', async () => {
  const listed = await ask({ top_k: 50 })
  const fetched = await ask({ vector_ids: listed.results.map((row) => row.vector_id) })
  expect(fetched.count).toBe(listed.count)
  for (const answer of [listed, fetched, await ask({ query: 'kettle', top_k: 50 })]) {
    expect(JSON.stringify(answer)).not.toMatch(/@example|noreply|author_email/i)
  }
})

test('the names of an author leave the index with the last of the rows', async () => {
  const line = diff('f', { author: 'Passing Guest', author_email: 'guest@example.org' })
  const countNames = () =>
    env.DB.prepare("SELECT count(*) AS n FROM author_names WHERE name_key LIKE '%guest%'").first<number>('n')
  await put([line, { ...line, file_path: 'src/g.ts' }])
  const purge = () =>
    runMaintenance({ index, vectors: d1Vectors(index), now: () => NOW, log: { info() {}, error() {} } })
  const remove = (path: string) =>
    put([{ type: 'diff', commit_sha: 'f'.repeat(40), file_path: path, deleted: true }]).then(purge)
  expect(await countNames()).toBeGreaterThan(2)
  await remove('src/f.ts')
  expect(hits(await ask({ author: 'guest' }))).toEqual(['commit:fffffff'])
  await remove('src/g.ts')
  expect(await countNames()).toBe(0)
})
