/** Rows about one entity are one result: their order, their times and the size of the answer. */
import { beforeAll, expect, test } from 'vitest'
import { ask, hits, owner, put, watched } from '../../support/search-world.ts'
import type { Line } from '../../support/search-world.ts'

const sha = (letter: string) => letter.repeat(40)

beforeAll(async () => {
  await put([
    {
      type: 'pull_request',
      number: 5,
      title: 'Add quokka support',
      body: 'Closes #4',
      updated_at: '2026-01-05T00:00:00Z',
      created_at: '2026-03-01T00:00:00Z',
    },
    {
      type: 'issue',
      number: 4,
      title: 'We want quokka support',
      updated_at: '2026-01-04T00:00:00Z',
      created_at: '2026-02-01T00:00:00Z',
    },
    {
      type: 'pr_review',
      review_id: 50,
      number: 5,
      review_state: 'approved',
      body: 'quokka looks good',
      updated_at: '2026-01-06T00:00:00Z',
    },
    {
      type: 'pr_review_comment',
      comment_id: 51,
      number: 5,
      file_path: 'src/quokka.ts',
      body: 'quokka naming',
      updated_at: '2026-01-07T00:00:00Z',
    },
    { type: 'issue_comment', comment_id: 52, number: 5, body: 'a quokka fan here', updated_at: '2026-01-08T00:00:00Z' },
    { type: 'doc', doc_path: 'src/quokka.ts', body: 'export const quokka = 1', updated_at: '2026-01-01T00:00:00Z' },
    {
      type: 'diff',
      commit_sha: sha('a'),
      file_path: 'src/quokka.ts',
      body: '@@ -0,0 +1 @@\n+export const quokka = 1',
      updated_at: '2026-01-01T00:00:00Z',
    },
    {
      type: 'diff',
      commit_sha: sha('a'),
      file_path: 'src/other.ts',
      body: '@@ -0,0 +1 @@\n+import { quokka } from "./quokka"',
      updated_at: '2026-01-01T00:00:00Z',
    },
    {
      type: 'diff',
      repo: 'acme/fork',
      commit_sha: sha('a'),
      file_path: 'src/quokka.ts',
      body: '@@ -0,0 +1 @@\n+export const quokka = 1',
      updated_at: '2026-01-02T00:00:00Z',
    },
    { type: 'release', tag_name: 'v1', body: 'quokka', updated_at: '2026-01-09T00:00:00Z' },
    { type: 'release', tag_name: 'v2', body: 'quokka', updated_at: '2026-01-10T00:00:00Z' },
  ])
})

async function groupsOf(group: string): Promise<string[]> {
  const { results } = await ask({ query: 'quokka', top_k: 20, group })
  const kinds = new Map([
    ['doc', 'file'],
    ['diff', 'file'],
    ['issue', 'issue'],
    ['release', 'release'],
    ['commit', 'commit'],
  ])
  const groups = results.map((row) => {
    const name = row.number ?? row.file_path ?? row.doc_path ?? row.tag_name ?? row.commit_sha?.slice(0, 2)
    return `${row.repo} ${kinds.get(row.type) ?? 'thread'} ${name} x${row.same_entity?.count ?? row.files?.length ?? 1}`
  })
  return groups.toSorted()
}

test('rows of one thread are one result, and so are the files of one commit', async () => {
  expect(await groupsOf('auto')).toEqual([
    'acme/fork commit aa x1',
    'acme/widget commit aa x2',
    'acme/widget file src/quokka.ts x1',
    'acme/widget issue 4 x1',
    'acme/widget release v1 x1',
    'acme/widget release v2 x1',
    'acme/widget thread 5 x4',
  ])
})

test('with group: file rows of one file are one result, two files of a commit are two', async () => {
  expect(await groupsOf('file')).toEqual([
    'acme/fork file src/quokka.ts x1',
    'acme/widget file src/other.ts x1',
    'acme/widget file src/quokka.ts x2',
    'acme/widget issue 4 x1',
    'acme/widget release v1 x1',
    'acme/widget release v2 x1',
    'acme/widget thread 5 x4',
  ])
})

test('with group: none every row is a result', async () => {
  const rows = await groupsOf('none')
  expect(rows).toHaveLength(11)
  expect(rows.every((row) => row.endsWith(' x1'))).toBe(true)
})

test('the other rows of an entity have an id and an address, in order of rank', async () => {
  const { results } = await ask({ query: 'quokka', top_k: 20, group: 'file', detail: 'full' })
  const thread = results.find((row) => row.same_entity?.count === 4)
  const others = thread?.same_entity?.others ?? []
  expect(others).toHaveLength(3)
  const scores = others.map(({ score }) => score ?? 0)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(await ask({ vector_ids: others.map(({ vector_id: id }) => id) })).toMatchObject({ count: 3, not_found: [] })
  const file = results.find(({ same_entity: entity }) => entity?.count === 2)
  expect([file?.commit_sha, file?.same_entity?.others[0]?.commit_sha]).toContain(sha('a'))
})

test('top_k counts entities, not rows', async () => {
  const { results, count } = await ask({ query: 'quokka', top_k: 3 })
  expect(count).toBe(3)
  expect(results).toHaveLength(3)
})

test('scores do not increase from row to row', async () => {
  for (const query of ['quokka', '#5 quokka support', 'src/quokka.ts export', '"looks good" quokka']) {
    const { results } = await ask({ query })
    const scores = results.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  }
})

test('a query with an order by time shows its best candidates by time', async () => {
  const updated = await ask({ query: 'quokka', sort: 'updated_desc' })
  const times = updated.results.map((row) => row.updated_at ?? row.created_at)
  expect(updated.sort).toBe('updated_desc')
  expect(times).toEqual(times.toSorted().toReversed())
  expect(hits(updated)[0]).toBe('release:v2')
  const created = await ask({ query: 'quokka support', sort: 'created_desc', type: 'issue' })
  expect(hits(created)).toEqual(['issue#4'])
  const both = await ask({ query: 'quokka support', sort: 'created_desc', until: '2026-04-01', since: '2026-02-01' })
  expect(hits(both)).toEqual(['pull_request#5', 'issue#4'])
})

test('in an order by time the newest row of a thread represents it', async () => {
  const thread = (rows: string[]) => rows.filter((name) => /comment|review|pull_request/.test(name))
  expect(thread(hits(await ask({ query: 'quokka', sort: 'updated_desc' })))).toEqual(['issue_comment:52'])
  expect(thread(hits(await ask({ query: 'quokka', sort: 'created_desc' })))).toEqual(['pull_request#5'])
  const { results } = await ask({ query: 'quokka', sort: 'updated_desc', detail: 'full' })
  expect(results.find((row) => row.comment_id === 52)?.same_entity?.count).toBe(4)
})

test('a body with the word in every chunk takes no place from other entities', async () => {
  await put([
    {
      type: 'doc',
      doc_path: 'all.md',
      body: Array.from({ length: 3_000 }, (_, at) => `wombat line ${at} of the wombat list`).join('\n\n'),
    },
    ...Array.from({ length: 12 }, (_, at) => ({
      type: 'issue',
      number: 600 + at,
      title: `Something ${at}`,
      body: `${'other words '.repeat(60)} wombat`,
    })),
  ])
  const { index, trips } = watched()
  const answer = await ask({ query: 'wombat', top_k: 10 }, owner, index)
  expect(trips).toHaveLength(3)
  expect(answer.count).toBe(10)
  expect(hits(answer).filter((name) => name === 'doc:all.md')).toHaveLength(1)
})

test('an answer is trimmed to its size: first other rows of entities, then snippets, then rows', async () => {
  const wide: Line[] = Array.from({ length: 50 }, (_, at) => ({
    type: 'issue',
    repo: 'acme/wide',
    number: 1 + at,
    title: `numbat ${'界'.repeat(250)}`,
    body: `numbat ${'"\\'.repeat(200)}`,
    labels: Array.from({ length: 12 }, (_, label) => `label ${label} ${'z'.repeat(30)}`),
  }))
  const comments: Line[] = Array.from({ length: 200 }, (_, at) => ({
    type: 'issue_comment',
    repo: 'acme/wide',
    comment_id: 1 + at,
    number: 1 + (at % 50),
    body: 'numbat '.repeat(3),
    url: `https://github.com/acme/wide/issues/1#${'q'.repeat(120)}`,
  }))
  await put([...wide, ...comments])
  const sizes: number[] = []
  for (const topK of [5, 12, 30, 50]) {
    const answer = await ask({ query: 'numbat', repo: 'acme/wide', top_k: topK, detail: 'full' })
    const size = JSON.stringify(answer).length
    sizes.push(size)
    expect(size).toBeLessThanOrEqual(40_000)
    const withOthers = answer.results.filter((row) => (row.same_entity?.others.length ?? 0) > 0).length
    const withSnippet = answer.results.filter((row) => row.snippet !== undefined).length
    if (withSnippet < answer.count) expect(withOthers).toBe(0)
    if (answer.count < topK) expect(withSnippet).toBe(0)
    expect(answer.truncated ?? false).toBe(
      answer.count < topK ||
        withSnippet < answer.count ||
        withOthers < answer.results.filter((row) => row.same_entity).length,
    )
    expect(answer.count).toBe(answer.results.length)
  }
  expect(Math.max(...sizes)).toBeGreaterThan(30_000)
})
