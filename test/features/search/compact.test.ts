/** Compact answers say everything once and are short after the first rows; full ones show every field. */
import { beforeAll, expect, test } from 'vitest'
import { ask, put } from '../../support/search-world.ts'
import type { Line, Row } from '../../support/search-world.ts'

const AT = '2026-11-20T00:00:00Z'
const sha = (at: number) => (at + 16).toString(16).repeat(20)

const BODY = 'The axolotl regrows a lost leg within weeks. '.repeat(12)

beforeAll(async () => {
  const commits = Array.from({ length: 6 }, (_, at): Line[] => [
    {
      type: 'commit',
      commit_sha: sha(at),
      message: `Regrow the axolotl ${at}\n\n${BODY}`,
      author: 'Ada',
      commit_author: 'Ada',
      commit_date: AT,
      files: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ path: `src/${name}${at}.ts`, status: 'modified' })),
    },
    ...['a', 'b', 'c', 'd'].map((name) => ({
      type: 'diff',
      commit_sha: sha(at),
      file_path: `src/${name}${at}.ts`,
      file_status: 'modified',
      message: `Regrow the axolotl ${at}`,
      commit_date: AT,
      commit_author: 'Ada',
      author: 'Ada',
      created_at: AT,
      updated_at: AT,
      body: `@@ -1 +1 @@\n+axolotl.regrow('leg ${name}${at}')`,
    })),
  ]).flat()
  await put([
    ...commits,
    {
      type: 'issue',
      number: 1,
      title: 'The newt',
      body: `A newt is no salamander. ${BODY}`,
      state: 'open',
      author: 'Bo',
      labels: ['animal'],
      created_at: AT,
      updated_at: AT,
    },
    ...Array.from({ length: 6 }, (_, at) => ({
      type: 'issue_comment',
      comment_id: 10 + at,
      number: 1,
      author: 'Cy',
      body: `newt comment ${at}`,
      created_at: AT,
      updated_at: '2026-11-21T00:00:00Z',
    })),
    { type: 'commit', commit_sha: 'f'.repeat(40), message: 'Say kiwi once', author: 'Di', commit_date: AT },
  ])
})

const ALWAYS = ['vector_id', 'type', 'repo', 'title', 'created_at', 'commit_sha', 'score']

test('the first three rows are rich, later ones short, and every row has what names it', async () => {
  const { results } = await ask({ query: 'axolotl regrow leg', top_k: 6 })
  expect(results).toHaveLength(6)
  for (const row of results) expect(Object.keys(row)).toEqual(expect.arrayContaining(ALWAYS))
  const [rich, short] = [results.slice(0, 3), results.slice(3)]
  for (const row of rich) {
    expect(row.message?.length).toBeLessThanOrEqual(300)
    expect(row.message).toMatch(/^Regrow the axolotl \d\n\nThe axolotl regrows/)
    expect(row.files).toHaveLength(3)
    expect(row.file_count).toBe(5)
    expect(row.snippet?.length).toBeLessThanOrEqual(240)
  }
  for (const row of short) {
    expect(row.message).toBeUndefined()
    expect(row.files).toHaveLength(1)
    expect(row.snippet?.length).toBeLessThanOrEqual(120)
    expect(row.snippet).toContain('**')
    expect(JSON.stringify(row).length).toBeLessThan(500)
  }
})

test('a later row far below the best is only named, in an order by time it is not', async () => {
  const filler = 'Other words about ferns and moss. '.repeat(20)
  const issues = [1, 2, 3, 4].map((number) => ({
    type: 'issue',
    number: 100 + number,
    title: `Quagga stripes ${number}`,
    body: 'Quagga stripes fade in the sun: quagga, stripes.',
  }))
  await put([
    ...issues,
    { type: 'issue', number: 110, title: 'Ferns', body: `${filler} A quagga passes. ${filler}` },
    { type: 'issue_comment', number: 110, comment_id: 1, body: `${filler} Another quagga passes. ${filler}` },
  ])
  const { results } = await ask({ query: 'quagga stripes fade', group: 'none' })
  const far = results.find(({ type, number }) => type === 'issue' && number === 110)
  expect(results.indexOf(far!)).toBeGreaterThan(2)
  expect(far).toMatchObject({ title: 'Ferns', score: expect.any(Number) })
  expect(far).not.toHaveProperty('snippet')
  expect(results.find(({ type }) => type === 'issue_comment')).toHaveProperty('snippet')
  expect(results.find(({ number }) => number === 104)).toHaveProperty('snippet')
  const byTime = await ask({ query: 'quagga stripes fade', group: 'none', sort: 'updated_desc' })
  expect(byTime.results.find(({ type, number }) => type === 'issue' && number === 110)).toHaveProperty('snippet')
})

const OMITTED = [
  'dense_score',
  'sparse_score',
  'dense_rank',
  'sparse_rank',
  'rerank_score',
  'updated_at',
  'commit_date',
  'commit_author',
]

test('compact rows omit scores, ranks and what another field says', async () => {
  const compact = await ask({ query: 'axolotl regrow leg' })
  for (const row of compact.results) for (const name of OMITTED) expect(row).not.toHaveProperty(name)
  for (const name of ['fusion', 'dense_candidates', 'sparse_candidates', 'rerank_requested']) {
    expect(compact).not.toHaveProperty(name)
  }
  const full = await ask({ query: 'axolotl regrow leg', detail: 'full', type: 'commit' })
  expect(full).toMatchObject({ fusion: 'rrf', dense_candidates: 0, rerank_requested: true, rerank_applied: false })
  expect(full.sparse_candidates).toBeGreaterThan(6)
  for (const row of full.results) {
    expect(row).toMatchObject({
      updated_at: AT,
      commit_date: AT,
      commit_author: 'Ada',
      sparse_rank: expect.any(Number),
    })
    expect(row.files).toHaveLength(5)
    expect(row.message).toContain(BODY.trim())
  }
})

test('times and authors that differ stay', async () => {
  const rows = (await ask({ query: 'newt comment', type: 'issue_comment', group: 'none', top_k: 3 })).results
  for (const row of rows) expect(row).toMatchObject({ created_at: AT, updated_at: '2026-11-21T00:00:00Z' })
})

test('at most three other rows of an entity are named, by their titles', async () => {
  const [thread] = (await ask({ query: 'newt comment' })).results
  expect(thread?.same_entity?.count).toBe(7)
  expect(thread?.same_entity?.others).toHaveLength(3)
  for (const other of thread?.same_entity?.others ?? []) {
    expect(Object.keys(other)).toEqual(['vector_id', 'type', 'title'])
    expect(other.title).toMatch(/^(Cy on #1|The newt)$/)
  }
  const [full] = (await ask({ query: 'newt comment', detail: 'full' })).results
  expect(full?.same_entity?.others).toHaveLength(6)
  expect(full?.same_entity?.others[0]).toMatchObject({ updated_at: expect.any(String), score: expect.any(Number) })
})

test('a message that says no more than the title is omitted', async () => {
  const [row] = (await ask({ query: 'kiwi' })).results
  expect(row?.title).toBe('fffffff Say kiwi once')
  expect(row).not.toHaveProperty('message')
  const [full] = (await ask({ query: 'kiwi', detail: 'full' })).results
  expect(full).toMatchObject({ message: 'Say kiwi once', snippet: 'Say **kiwi** once' })
})

test('a list is compact too: rich rows first, and the author in every row', async () => {
  const { results } = await ask({ since: '2026-11-01', type: 'commit', top_k: 10 })
  expect(results.length).toBeGreaterThan(5)
  const withMessage = (rows: readonly Row[]) => rows.filter((row) => row.message !== undefined).length
  expect(withMessage(results.slice(3))).toBe(0)
  for (const row of results) {
    expect(row.author).toMatch(/^(Ada|Di)$/)
    expect(row).not.toHaveProperty('commit_date')
  }
})

test('fetched rows are full with either detail', async () => {
  const [found] = (await ask({ query: 'axolotl' })).results
  for (const detail of ['compact', 'full']) {
    const [row] = (await ask({ vector_ids: [found?.vector_id], detail })).results
    expect(row).toMatchObject({ updated_at: AT, commit_date: AT, commit_author: 'Ada', file_count: 5 })
    expect(row?.message).toContain(BODY.trim())
  }
})
