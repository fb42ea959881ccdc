import { beforeAll, expect, test } from 'vitest'
import { toTime } from '../../src/base/time.ts'
import { ask, hits, owner, put, refusal, watched } from '../support/search-world.ts'
import type { Answer, Line } from '../support/search-world.ts'

const SAME_SECOND = '2026-11-20T10:00:00Z'

beforeAll(async () => {
  await put([
    issue(1, '2026-11-29T10:00:00Z', { labels: ['bug'], created_at: '2026-01-01T00:00:00Z' }),
    issue(2, '2026-11-28T10:00:00Z', { labels: ['good first issue', 'area: cli, docs'], state: 'closed' }),
    { type: 'release', tag_name: 'v1.0', title: 'One', updated_at: '2026-11-27T00:00:00Z' },
    { type: 'doc', doc_path: 'docs/cli.md', updated_at: '2026-11-26T00:00:00Z' },
    { type: 'doc', repo: 'acme/other', doc_path: 'docs/api.md', updated_at: '2026-11-25T00:00:00Z' },
    ...Array.from({ length: 23 }, (_, at) => issue(100 + at, SAME_SECOND, { milestone: 'burst' })),
    issue(7, '2020-02-02T02:02:02Z', { labels: ['rare'], author: 'Ada', assignees: ['Grace'], milestone: 'V1' }),
    issue(8, '2019-01-01T00:00:00Z', { milestone: 'v1', created_at: '2026-11-29T11:00:00Z' }),
  ])
})

function issue(number: number, time: string, more: Line = {}): Line {
  return { type: 'issue', number, title: `Issue ${number}`, state: 'open', updated_at: time, created_at: time, ...more }
}

/** The rows of all pages; fails if a row is on two of them. */
async function walk(args: Line): Promise<string[]> {
  const found: string[] = []
  let page: Answer = await ask(args)
  found.push(...hits(page))
  while (page.next_cursor !== undefined) {
    expect(page.truncated).toBe(true)
    page = await ask({ ...args, cursor: page.next_cursor })
    found.push(...hits(page))
  }
  expect(page.truncated).toBe(false)
  return found
}

test('a scan without parameters lists the last seven days, newest first', async () => {
  const answer = await ask({})
  expect(hits(answer)).toEqual(['issue#1', 'issue#2', 'release:v1.0', 'doc:docs/cli.md', 'doc:docs/api.md'])
  expect(answer).toMatchObject({
    count: 5,
    mode: 'scan',
    sort: 'updated_desc',
    since: '2026-11-23T12:00:00Z',
    truncated: false,
    filters_unmatched: [],
  })
  expect(answer).not.toHaveProperty('next_cursor')
  expect(answer).not.toHaveProperty('until')
})

test('a blank query is a scan', async () => {
  expect(hits(await ask({ query: ' \n ' }))).toEqual(hits(await ask({})))
})

test('the default since of a scan is seven days before until', async () => {
  const answer = await ask({ until: '2026-11-27T00:00:00Z' })
  expect(answer).toMatchObject({ since: '2026-11-20T00:00:00Z', until: '2026-11-27T00:00:00Z' })
  expect(hits(answer).slice(0, 2)).toEqual(['doc:docs/cli.md', 'doc:docs/api.md'])
})

test('a window includes since and excludes until', async () => {
  const window = { since: '2026-11-26T00:00:00Z', until: '2026-11-28T10:00:00Z' }
  expect(hits(await ask(window))).toEqual(['release:v1.0', 'doc:docs/cli.md'])
  expect(hits(await ask({ since: '2026-11-28T19:00:00+0900', until: '2026-11-28T10:00:01Z' }))).toEqual(['issue#2'])
  expect(hits(await ask({ since: '2020-02-02', until: '2020-02-03' }))).toEqual(['issue#7'])
})

test('created_desc sorts and selects by time of creation', async () => {
  const answer = await ask({ sort: 'created_desc', since: '2026-01-01', type: 'issue', top_k: 2 })
  expect(hits(answer)).toEqual(['issue#8', 'issue#2'])
  expect(hits(await ask({ sort: 'created_desc', since: '2025-12-31', until: '2026-01-02' }))).toEqual(['issue#1'])
})

test('a scan by relevance warns and sorts by time of update', async () => {
  const answer = await ask({ sort: 'relevance' })
  expect(answer.sort).toBe('updated_desc')
  expect(answer.warnings).toEqual([expect.stringContaining('relevance')])
})

test('rows with equal times are on exactly one page each', async () => {
  const found = await walk({ since: '2026-11-20', until: '2026-11-21', top_k: 4 })
  expect(found).toHaveLength(23)
  expect(new Set(found).size).toBe(23)
  expect(await walk({ since: '2019-01-01', top_k: 7 })).toHaveLength(30)
  expect(await walk({ milestone: 'burst', since: '2019-01-01', top_k: 10 })).toHaveLength(23)
})

test('a last page that is full has no next_cursor', async () => {
  expect(await ask({ top_k: 5 })).toMatchObject({ count: 5, truncated: false })
})

test('a cursor keeps the default since and is bound to its filters', async () => {
  const args = { type: 'issue', top_k: 1 }
  const first = await ask(args)
  const cursor = first.next_cursor
  expect(await ask({ ...args, cursor })).toMatchObject({ since: first.since, results: [{ number: 2 }] })
  expect(await ask({ ...args, top_k: 50, cursor })).toMatchObject({ count: 1 })
  const others = [
    { type: 'doc' },
    { ...args, repo: 'acme/widget' },
    { ...args, since: '2020-01-01' },
    { ...args, state: 'open' },
  ]
  for (const other of [...others, { ...args, sort: 'created_desc' }, { ...args, query: 'words' }]) {
    expect(await refusal({ ...other, cursor })).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/^cursor/),
    })
  }
  for (const broken of ['x', 'bm90IGpzb24', `${cursor}x`, Buffer.from('["a",1,2]').toString('base64url')]) {
    expect(await refusal({ ...args, cursor: broken })).toMatchObject({ code: 'VALIDATION_ERROR' })
  }
})

test('a cursor with edited fields is refused or continues the scan, and is never an internal error', async () => {
  const args = { type: 'issue', top_k: 1 }
  const { next_cursor: cursor = '' } = await ask(args)
  const fields = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
  const edited = (at: number, value: unknown): string =>
    Buffer.from(JSON.stringify(fields.with(at, value))).toString('base64url')
  const impossible = [9e15, -9e15, 8_640_000_000_000_001, 1.5, '0', null, 1e300]
  const bad = [
    ...[1, 2].flatMap((at) => impossible.map((value) => edited(at, value))),
    edited(3, 'x'.repeat(10_000)),
    edited(3, 7),
  ]
  for (const one of bad) {
    expect(await refusal({ ...args, cursor: one })).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/^cursor/),
    })
  }
  for (const time of [8.64e15, -8.64e15, 0]) {
    for (const at of [1, 2]) expect((await ask({ ...args, cursor: edited(at, time) })).mode).toBe('scan')
  }
})

test('a row must have all labels, which are whole names in any letter case', async () => {
  const since = '2019-01-01'
  expect(hits(await ask({ since, labels: ['BUG'] }))).toEqual(['issue#1'])
  expect(hits(await ask({ since, labels: ['Area: CLI, docs', 'good first issue'] }))).toEqual(['issue#2'])
  expect(hits(await ask({ since, labels: ['area: cli'] }))).toEqual([])
  expect(hits(await ask({ since, labels: ['bug', 'good first issue'] }))).toEqual([])
})

test('milestones are compared exactly, logins without letter case', async () => {
  const since = '2019-01-01'
  expect(hits(await ask({ since, milestone: 'v1' }))).toEqual(['issue#8'])
  expect(hits(await ask({ since, author: 'ada' }))).toEqual(['issue#7'])
  expect(hits(await ask({ since, assignee: 'GRACE' }))).toEqual(['issue#7'])
})

test('state, type and path filter the list', async () => {
  expect(hits(await ask({ state: 'closed' }))).toEqual(['issue#2'])
  expect(hits(await ask({ type: 'release' }))).toEqual(['release:v1.0'])
  expect(hits(await ask({ path_prefix: 'docs' }))).toEqual(['doc:docs/cli.md', 'doc:docs/api.md'])
  expect(hits(await ask({ path_prefix: '/docs/cli.md' }))).toEqual(['doc:docs/cli.md'])
  expect(hits(await ask({ path_prefix: 'doc' }))).toEqual([])
  expect(hits(await ask({ path_prefix: 'docs', repo: 'acme/other' }))).toEqual(['doc:docs/api.md'])
})

test('an empty page with the default since names a since that would show a row', async () => {
  const { count, warnings } = await ask({ labels: ['rare'] })
  expect(count).toBe(0)
  expect(warnings).toEqual([expect.stringContaining('since 2020-02-02T02:02:02Z')])
  expect(hits(await ask({ labels: ['rare'], since: '2020-02-02T02:02:02Z' }))).toEqual(['issue#7'])
  expect(await ask({ labels: ['rare'], since: '2026-01-01' })).not.toHaveProperty('warnings')
})

test('filters that select no row are named, and similar values suggested', async () => {
  const answer = await ask({ labels: ['rar'], author: 'adda', repo: 'widgets', type: 'wiki_doc', milestone: 'V1' })
  expect(answer.filters_unmatched.toSorted()).toEqual(['author', 'labels', 'repo', 'type'])
  expect(answer.suggestions).toEqual({ labels: ['rare'], author: ['Ada'], repo: ['acme/widget'] })
  expect(await ask({ labels: ['bug'], author: 'ada' })).toMatchObject({ count: 0, filters_unmatched: [] })
  expect(await ask({ since: '2030-01-01' })).toMatchObject({ count: 0, filters_unmatched: ['since'] })
  expect(await ask({ until: '2001-01-01' })).toMatchObject({ count: 0, filters_unmatched: ['until'] })
})

test('rows that do not fit in an answer are on the next page', async () => {
  const long = Array.from({ length: 45 }, (_, at) =>
    issue(500 + at, '2021-05-05T00:00:00Z', { repo: 'acme/long', title: 'é"'.repeat(600), milestone: 'x'.repeat(900) }),
  )
  await put(long)
  const args = { repo: 'acme/long', since: '2021-01-01', top_k: 50 }
  const first = await ask(args)
  expect(JSON.stringify(first).length).toBeLessThanOrEqual(40_000)
  expect(first.count).toBeGreaterThan(5)
  expect(first).toMatchObject({ truncated: true, next_cursor: expect.any(String) })
  expect(new Set(await walk(args)).size).toBe(45)
})

test('a page takes at most two round trips, an empty one three', async () => {
  for (const [args, most] of [
    [{}, 1],
    [{ labels: ['rare'], since: '2019-01-01' }, 2],
    [{ labels: ['none'] }, 3],
  ] as const) {
    const { index, trips } = watched()
    await ask(args, owner, index)
    expect(trips.length).toBeLessThanOrEqual(most)
  }
})

test('times in a scan are printed in UTC', async () => {
  const [row] = (await ask({ top_k: 1 })).results
  expect(row).toMatchObject({ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-11-29T10:00:00Z' })
  expect(toTime(Date.parse(row?.updated_at ?? ''))).toBe(row?.updated_at)
})
