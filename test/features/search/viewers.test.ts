/** Two viewers of one index: no part of an answer depends on rows that its viewer may not see. */
import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../../src/access/viewer.ts'
import { readOpaque, writeOpaque } from '../../../src/base/opaque-token.ts'
import { ask, guest, hits, owner, put, watched } from '../../support/search-world.ts'
import type { Line } from '../../support/search-world.ts'

const LATELY = '2026-11-29T00:00:00Z'

const PUBLIC: readonly Line[] = [
  {
    type: 'issue',
    number: 1,
    title: 'Rocket engine',
    state: 'open',
    labels: ['bug'],
    author: 'ada',
    updated_at: LATELY,
  },
  {
    type: 'issue',
    number: 2,
    title: 'Rocket fuel',
    state: 'closed',
    labels: ['docs'],
    author: 'bob',
    updated_at: '2026-11-28T00:00:00Z',
  },
  { type: 'doc', doc_path: 'docs/rocket.md', body: 'How rockets fly', updated_at: LATELY },
]

const SECRET: readonly Line[] = [
  {
    type: 'issue',
    repo: 'secret/lab',
    number: 1,
    title: 'Rocket warp drive',
    body: 'unobtanium, after acme/widget#1',
    state: 'open',
    updated_at: '2026-11-30T00:00:00Z',
    labels: ['classified'],
    author: 'mallory',
    assignees: ['trent'],
    milestone: 'launch',
  },
  { type: 'doc', repo: 'secret/lab', doc_path: 'vault/rocket.md', body: 'rockets in the vault', updated_at: LATELY },
  { type: 'release', repo: 'secret/lab', tag_name: 'v9.9.9', body: 'rocket', updated_at: '2001-01-01T00:00:00Z' },
  { type: 'doc', repo: 'secret/widget', doc_path: 'docs/rocket.md', body: 'another rocket', updated_at: LATELY },
]

/** Calls of every mode that would find the hidden rows. */
const CALLS: readonly Line[] = [
  {},
  { top_k: 1 },
  { repo: 'secret/lab' },
  { repo: 'lab' },
  { repo: 'widget' },
  { repo: 'https://github.com/secret/lab/issues/1' },
  { repo: 'secret/lba', labels: ['classifed'], author: 'malory', assignee: 'trnt', milestone: 'lanch' },
  { labels: ['classified'] },
  { author: 'mallory' },
  { assignee: 'trent', since: '2000-01-01' },
  { milestone: 'launch' },
  { type: 'release' },
  { type: 'release', since: '2000-01-01' },
  { path_prefix: 'vault' },
  { until: '2002-01-01' },
  { until: '2001-02-01', since: '2000-01-01' },
  { sort: 'created_desc', since: '2000-01-01' },
  { query: 'rocket' },
  { query: 'rocket', sort: 'updated_desc' },
  { query: 'unobtanium' },
  { query: 'rocket', repo: 'secret/lab' },
  { query: 'rocket', repo: 'lab' },
  { query: 'rocket', graph_expand: true, graph_hops: 2 },
  { query: 'repo:secret/lab rocket' },
  { query: 'repo:widget rocket' },
  { query: 'secret/lab#1' },
  { query: '#1' },
  { query: 'v9.9.9' },
  { query: 'https://github.com/secret/lab/issues/1' },
  { query: 'vault/rocket.md' },
  { query: '"warp drive"' },
  {
    query: 'warp',
    labels: ['classified'],
    author: 'mallory',
    type: 'release',
    since: '2000-01-01',
    until: '2002-01-01',
  },
  { query: 'zzz', repo: 'secret/lab', milestone: 'launch', assignee: 'trent', path_prefix: 'vault' },
]

let ids: string[] = []

/** The answers of a viewer without their scores: frequencies are counted over all rows. */
async function answersTo(viewer: Viewer): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const call of [...CALLS, { vector_ids: [...ids, 'i:none'] }]) {
    const answer = await ask(call, viewer)
    answers.push({
      call,
      answer: JSON.parse(JSON.stringify(answer, (key, value) => (key.endsWith('score') ? undefined : value))),
    })
  }
  return answers
}

let before: unknown[] = []

beforeAll(async () => {
  await put(PUBLIC)
  before = await answersTo(guest)
  await put(SECRET, { repository: 'secret/lab', source: 'commits', position: 'x', done: 3, total: 40 })
  const { results } = await env.DB.prepare(
    'SELECT vector_id FROM documents JOIN repositories USING (repository) WHERE private = 1',
  ).all<{ vector_id: string }>()
  ids = results.map(({ vector_id: id }) => id)
})

test('a guest gets the same answers whether or not hidden rows exist', async () => {
  const after = await answersTo(guest)
  const fetched = after.pop() as { answer: unknown }
  before.pop()
  expect(after).toEqual(before)
  expect(fetched.answer).toMatchObject({ count: 0, not_found: [...ids, 'i:none'] })
})

test('the owner sees private rows in every mode', async () => {
  expect((await ask({ repo: 'secret/lab' })).count).toBe(2)
  expect(hits(await ask({ query: 'unobtanium' }))).toEqual(['issue#1'])
  expect((await ask({ query: 'rocket' })).results.map(({ repo }) => repo)).toContain('secret/lab')
  expect(await ask({ vector_ids: ids })).toMatchObject({ count: 4, not_found: [] })
  expect((await ask({ query: 'zzz', labels: ['classifed'] })).suggestions).toEqual({ labels: ['classified'] })
  expect((await ask({})).warnings).toEqual([expect.stringContaining('secret/lab commits: 3 of 40')])
  expect(await ask({ repo: 'lab' })).toMatchObject({ resolved: { repo: 'secret/lab' } })
  expect(await ask({ query: 'zzz', repo: 'widget' })).toMatchObject({ count: 0, filters_unmatched: ['repo'] })
})

test('a viewer with a list of repositories sees exactly these private ones', async () => {
  const { results } = await env.DB.prepare("SELECT repo_id FROM repositories WHERE name = 'secret/lab'").all()
  const member: Viewer = { user: 'member', privateRepositories: [Number(results[0]?.['repo_id']), 12_345] }
  expect((await ask({ repo: 'secret/lab' }, member)).count).toBe(2)
  expect((await ask({ query: 'unobtanium' }, member)).count).toBe(1)
  expect(await ask({ repo: 'secret/widget', since: '2000-01-01' }, member)).toMatchObject({
    count: 0,
    filters_unmatched: ['repo'],
  })
  expect((await ask({ query: 'rocket', top_k: 50 }, member)).results.map(({ repo }) => repo)).not.toContain(
    'secret/widget',
  )
  expect(await ask({ vector_ids: ids }, member)).toMatchObject({ count: 3 })
  expect(hits(await ask({ repo: 'widget' }, member))).toHaveLength(3)
})

test('a hidden and an absent repository run the same statements', async () => {
  const named = (repo: string): readonly Line[] => [
    { repo },
    { repo, sort: 'created_desc', labels: ['bug'], since: '2000-01-01' },
    { query: 'rocket', repo },
    { query: `rocket ${repo}#1` },
    { query: `repo:${repo} rocket`, labels: ['bug'] },
  ]
  const absent = named('absent/one')
  for (const [at, call] of named('secret/lab').entries()) {
    const [hidden, missing] = [watched(), watched()]
    await ask(call, guest, hidden.index)
    await ask(absent[at] ?? {}, guest, missing.index)
    expect(hidden.trips.length).toBeGreaterThan(0)
    expect(hidden.trips).toEqual(missing.trips)
  }
  const [hidden, missing] = [watched(), watched()]
  await ask({ vector_ids: [ids[0]] }, guest, hidden.index)
  await ask({ vector_ids: ['i:none'] }, guest, missing.index)
  expect(hidden.trips).toEqual(missing.trips)
})

test('rows of many hidden repositories stay hidden', async () => {
  const many = Array.from({ length: 70 }, (_, at) => ({
    type: 'doc',
    repo: `secret/r${at}`,
    doc_path: 'a.md',
    body: 'rocket',
    updated_at: LATELY,
  }))
  await put(many)
  const answer = await ask({ query: 'rocket', top_k: 50, detail: 'full' }, guest)
  expect([...new Set(answer.results.map(({ repo }) => repo))]).toEqual(['acme/widget'])
  expect(answer.sparse_candidates).toBe(3)
  expect((await ask({ query: 'rocket', top_k: 50 }, owner)).count).toBe(50)
  expect(hits(await ask({ top_k: 50 }, guest))).toHaveLength(3)
})

test('a viewer of few private repositories among many public and hidden ones sees exactly those', async () => {
  const pages = Array.from({ length: 3 }, (_, page) =>
    Array.from({ length: 100 }, (_, at) => ({
      type: 'doc',
      repo: `open/r${page}-${at}`,
      doc_path: 'b.md',
      body: 'rocket',
    })),
  )
  for (const page of pages) await put(page)
  const answer = await ask({ query: 'rocket', top_k: 50 }, guest)
  expect(answer.count).toBe(50)
  expect(answer.results.some(({ repo }) => repo.startsWith('secret/'))).toBe(false)
})

test('a repository that becomes private is hidden at once', async () => {
  expect((await ask({ query: 'engine' }, guest)).count).toBe(1)
  await put([{ ...PUBLIC[0], repo_private: true }])
  expect(await ask({ query: 'engine', detail: 'full' }, guest)).toMatchObject({
    count: 0,
    sparse_candidates: 0,
  })
  expect(await ask({ since: '2000-01-01', repo: 'acme/widget' }, guest)).toMatchObject({
    count: 0,
    filters_unmatched: ['repo'],
  })
  expect((await ask({ query: 'engine' }, owner)).count).toBe(1)
})

test('a cursor that names a hidden row is the same as one that names no row', async () => {
  const at = '2026-03-01T00:00:00Z'
  const issue = (repo: string, number: number): Line => ({
    type: 'issue',
    repo,
    number,
    title: 'tapir',
    created_at: at,
    updated_at: at,
  })
  await put([issue('secret/tapirs', 1), issue('acme/tapirs', 1), issue('acme/tapirs', 2)])
  const scan = { since: '2026-02-28', until: '2026-03-02', top_k: 1 }
  const [hidden] = (await ask({ ...scan, repo: 'secret/tapirs' })).results
  const { next_cursor: cursor = '' } = await ask(scan, guest)
  const withId = (id: string | undefined) =>
    ask({ ...scan, cursor: writeOpaque([...(readOpaque(cursor) ?? []).slice(0, 3), id]) }, guest)
  expect(await withId(hidden?.vector_id)).toEqual(await withId(`i:${'A'.repeat(43)}`))
})
