/** Filters of a word search are part of the statement, exact at their edges, and named where they select nothing. */
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { ask, hits, owner, put, refusal, watched } from '../../support/search-world.ts'
import type { Line } from '../../support/search-world.ts'

const DAY = '2026-05-05'

beforeAll(async () => {
  const crowd = Array.from({ length: 400 }, (_, at): Line => ({
    type: 'issue',
    number: 1_000 + at,
    title: `Crowded needle needle needle ${at}`,
    state: 'open',
    labels: ['common'],
    updated_at: '2026-10-10T00:00:00Z',
    created_at: '2026-10-10T00:00:00Z',
    author: 'crowd',
    milestone: 'V2',
  }))
  for (let at = 0; at < crowd.length; at += 100) await put(crowd.slice(at, at + 100))
  await put([
    {
      type: 'pull_request',
      number: 1,
      title: 'A lonely needle',
      body: 'in a long text '.repeat(40),
      state: 'closed',
      merged: true,
      labels: ['Rare: one, two', 'common'],
      assignees: ['Grace'],
      author: 'Ada',
      milestone: 'v2',
      updated_at: '2019-03-03T23:59:59Z',
      created_at: '2018-01-01T00:00:00Z',
    },
    {
      type: 'pull_request',
      number: 2,
      title: 'Closed needle',
      state: 'closed',
      updated_at: `${DAY}T00:00:00Z`,
      created_at: '2026-10-11T00:00:00Z',
    },
    {
      type: 'issue',
      number: 3,
      title: 'Noon needle',
      state: 'open',
      updated_at: `${DAY}T12:00:00.500Z`,
      created_at: '2026-10-12T00:00:00Z',
    },
    {
      type: 'issue',
      number: 4,
      title: 'Midnight needle',
      state: 'open',
      updated_at: '2026-05-06T00:00:00Z',
      created_at: '2026-10-13T00:00:00Z',
    },
    { type: 'doc', doc_path: 'docs/deep/needle.md', body: 'text', updated_at: '2020-01-01T00:00:00Z' },
    { type: 'doc', doc_path: 'Docs/needle.md', body: 'needle', updated_at: '2020-01-01T00:00:00Z' },
    { type: 'wiki_doc', wiki_path: 'docs', body: 'needle', updated_at: '2020-01-01T00:00:00Z' },
    {
      type: 'pr_review_comment',
      comment_id: 9,
      number: 2,
      file_path: 'docs/deep/code.ts',
      body: 'a needle here',
      updated_at: '2020-01-01T00:00:00Z',
    },
    {
      type: 'doc',
      repo: 'acme/other',
      doc_path: 'docs/deep/needle.md',
      body: 'other needle',
      updated_at: '2020-01-01T00:00:00Z',
    },
  ])
})

async function found(filters: Line): Promise<string[]> {
  return hits(await ask({ query: 'needle', top_k: 50, ...filters })).toSorted()
}

describe('a filter finds its rows among many others', () => {
  test.each<[string, Line, string[]]>([
    ['a rare label', { labels: ['rare: ONE, two'] }, ['pull_request#1']],
    ['two labels', { labels: ['common', 'Rare: one, two'] }, ['pull_request#1']],
    ['half a label', { labels: ['Rare: one'] }, []],
    ['merged', { query: 'is:merged needle' }, ['pull_request#1']],
    ['state', { state: 'closed' }, ['pull_request#1', 'pull_request#2']],
    ['assignee', { assignee: 'grace' }, ['pull_request#1']],
    ['author', { author: 'ADA' }, ['pull_request#1']],
    ['an exact milestone', { milestone: 'v2' }, ['pull_request#1']],
    ['an old window', { until: '2019-12-31' }, ['pull_request#1']],
    ['the edge of a window', { since: DAY, until: `${DAY}T12:00:00Z` }, ['pull_request#2']],
    ['the other edge', { since: `${DAY}T12:00:00Z`, until: '2026-05-06' }, ['issue#3']],
    ['an offset', { since: '2026-05-06T09:00:00+09:00', until: '2026-05-06T09:00:01+0900' }, ['issue#4']],
    ['creation', { sort: 'created_desc', since: '2026-10-11', until: '2026-10-13' }, ['issue#3', 'pull_request#2']],
    ['an empty window', { since: DAY, until: DAY }, []],
    [
      'a folder',
      { path_prefix: './docs/deep/', repo: 'acme/widget' },
      ['doc:docs/deep/needle.md', 'pr_review_comment:9'],
    ],
    ['a file', { path_prefix: 'Docs/needle.md' }, ['doc:Docs/needle.md']],
    ['any path', { path_prefix: '/', repo: 'acme/other' }, ['doc:docs/deep/needle.md']],
    ['a type', { type: 'wiki_doc' }, ['wiki_doc:docs']],
  ])('a filter by %s finds its rows among many others', async (_, filters, expected) => {
    expect(await found(filters)).toEqual(expected)
  })
})

test('a search and a scan with the same filters select the same rows', async () => {
  for (const filters of [
    { labels: ['Rare: one, two'] },
    { state: 'closed' },
    { path_prefix: 'docs' },
    { path_prefix: 'docs/deep', type: 'doc' },
    { milestone: 'v2', since: '2019-03-03T23:59:59Z', until: '2019-03-04' },
    { author: 'ada', repo: 'ACME/widget' },
    { type: 'doc', repo: 'https://github.com/acme/other' },
  ]) {
    const listed = hits(await ask({ since: '2000-01-01', top_k: 50, ...filters })).toSorted()
    const searched = await ask({ query: 'needle', top_k: 50, ...filters })
    const all =
      searched.results.length + searched.results.reduce((sum, row) => sum + (row.same_entity?.others.length ?? 0), 0)
    expect(all, JSON.stringify(filters)).toBe(listed.length)
  }
})

test('a parameter wins over a qualifier, and a warning says so', async () => {
  const answer = await ask({ query: 'author:crowd needle', author: 'ada' })
  expect(hits(answer)).toEqual(['pull_request#1'])
  expect(answer.warnings).toEqual([expect.stringContaining('author')])
  expect(answer).not.toHaveProperty('resolved')
})

test('a query of qualifiers alone lists all rows that they select', async () => {
  const answer = await ask({ query: 'is:pr is:closed label:"rare: one, two"' })
  expect(answer).toMatchObject({ mode: 'scan', since: '1970-01-01T00:00:00Z', count: 1 })
  expect(answer.resolved).toEqual({ type: 'pull_request', state: 'closed', labels: ['rare: one, two'] })
  expect(hits(answer)).toEqual(['pull_request#1'])
})

test('a repository is found by full name in any letter case, address, bare name and former name', async () => {
  expect(await ask({ query: 'needle', repo: 'Acme/OTHER' })).toMatchObject({
    count: 1,
    resolved: { repo: 'acme/other' },
  })
  expect(await ask({ query: 'needle', repo: 'acme/other' })).not.toHaveProperty('resolved')
  expect(await ask({ query: 'needle', repo: 'other' })).toMatchObject({ count: 1, resolved: { repo: 'acme/other' } })
  expect(await ask({ query: 'repo:github.com/acme/other/pulls needle' })).toMatchObject({
    count: 1,
    resolved: { repo: 'acme/other' },
  })
  await put([{ type: 'doc', repo: 'else/other', repo_id: 77, doc_path: 'x.md', body: 'needle' }])
  expect(await ask({ query: 'needle', repo: 'other' })).toMatchObject({
    count: 0,
    filters_unmatched: ['repo'],
    suggestions: { repo: expect.arrayContaining(['acme/other', 'else/other']) },
  })
  await put([{ type: 'doc', repo: 'else/renamed', repo_id: 77, doc_path: 'y.md', body: 'needle' }])
  expect(await ask({ query: 'needle', repo: 'else/other' })).toMatchObject({
    count: 2,
    resolved: { repo: 'else/renamed' },
  })
  expect(await ask({ query: 'needle', repo: 'other' })).toMatchObject({ count: 1, resolved: { repo: 'acme/other' } })
  expect(await refusal({ query: 'needle', repo: 'not a name' })).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringMatching(/^repo/),
  })
})

test('each filter that alone selects nothing is named', async () => {
  const answer = await ask({
    query: 'needle',
    labels: ['comon'],
    type: 'release',
    state: 'open',
    milestone: 'V2',
    author: 'nobody',
  })
  expect(answer.count).toBe(0)
  expect(answer.filters_unmatched.toSorted()).toEqual(['author', 'labels', 'type'])
  expect(answer.suggestions).toEqual({ labels: ['common'] })
  expect(await ask({ query: 'needle', labels: ['common'], author: 'ada', state: 'open' })).toMatchObject({
    count: 0,
    filters_unmatched: [],
  })
  expect(await ask({ query: 'needle', milestone: 'V3' })).toMatchObject({
    filters_unmatched: ['milestone'],
    suggestions: { milestone: ['V2', 'v2'] },
  })
  expect(await ask({ query: 'needle', path_prefix: 'nowhere', since: '2040-01-01' })).toMatchObject({
    filters_unmatched: ['path_prefix', 'since'],
  })
})

test('a newer time of an unchanged text counts in every mode', async () => {
  const line = { type: 'issue', number: 900, title: 'Sleepy marmot', state: 'open' }
  await put([{ ...line, updated_at: '2021-01-01T00:00:00Z' }])
  await put([{ ...line, updated_at: '2026-11-30T10:00:00Z' }])
  const window = { since: '2026-11-30T09:00:00Z', repo: 'acme/widget' }
  expect(hits(await ask(window))).toEqual(['issue#900'])
  expect(hits(await ask({ query: 'marmot', ...window }))).toEqual(['issue#900'])
  expect(hits(await ask({ query: 'marmot', until: '2026-11-30T09:00:00Z' }))).toEqual([])
})

test('an answer reports how far a source was read that was not read to its end', async () => {
  const cursor = { repository: 'acme/other', source: 'commits', position: 'p', done: 5, total: 9 }
  await put([], cursor)
  for (const args of [{}, { query: 'needle' }, { query: 'needle', repo: 'acme/other' }, { repo: 'other' }]) {
    expect((await ask(args)).warnings, JSON.stringify(args)).toContainEqual(
      expect.stringMatching(/^Not read to the end, .*acme\/other commits: 5 of 9/),
    )
  }
  expect(await ask({ query: 'needle', repo: 'acme/widget' })).not.toHaveProperty('warnings')
  await put([], { ...cursor, done: 9 })
  expect(await ask({ query: 'needle' })).not.toHaveProperty('warnings')
})

test('a refusal names the wrong argument', async () => {
  for (const [args, name] of [
    [{ top_k: 2.5 }, 'top_k'],
    [{ top_k: 51 }, 'top_k'],
    [{ since: 'yesterday' }, 'since'],
    [{ until: '2026-02-30' }, 'until'],
    [{ query: 'x', cursor: 'abc' }, 'cursor'],
    [{ nonsense: 1 }, 'nonsense'],
  ] as const) {
    expect(await refusal(args)).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining(name) })
  }
})

test('rows read by a filtered search or scan do not grow with other rows', async () => {
  const { index, rowsRead } = watched()
  await ask({ query: 'needle', labels: ['rare: one, two'] }, owner, index)
  expect(rowsRead()).toBeLessThan(40)
  for (const args of [
    { labels: ['rare: one, two'] },
    { assignee: 'grace' },
    { milestone: 'v2' },
    { author: 'ada' },
    { type: 'wiki_doc' },
  ]) {
    const listed = watched()
    expect((await ask({ ...args, since: '2000-01-01' }, owner, listed.index)).count).toBe(1)
    expect(listed.rowsRead(), JSON.stringify(args)).toBeLessThan(40)
  }
  const { results } = await env.DB.prepare('SELECT count(*) AS n FROM documents').all()
  expect(Number(results[0]?.['n'])).toBeGreaterThan(400)
})
