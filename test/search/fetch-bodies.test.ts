import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { ask, guest, index, owner, put, refusal, watched } from '../support/search-world.ts'
import type { Line, Row } from '../support/search-world.ts'
import { runs } from '../support/runs.ts'

const TIMES = { created_at: '2026-01-02T03:04:05Z', updated_at: '2026-02-03T04:05:06Z' }
const SHA = '0123456789abcdef0123456789abcdef01234567'
const LONG = Array.from({ length: 9_000 }, (_, at) => `${at} 🦊é`).join('\n')

/** One row of each type, with every field of its type. */
const EVERY: readonly Line[] = [
  {
    type: 'issue',
    number: 1,
    title: 'An issue',
    state: 'open',
    labels: ['Bug', 'a, b'],
    milestone: 'M',
    assignees: ['Ada', 'Bob'],
    author: 'Cy',
    author_association: 'MEMBER',
    url: 'https://github.com/acme/widget/issues/1',
    body: 'text of an issue',
  },
  {
    type: 'pull_request',
    number: 2,
    title: 'A pull',
    state: 'closed',
    merged: true,
    draft: false,
    body: 'text of a pull',
  },
  { type: 'release', tag_name: 'v1.2', title: 'Spring', prerelease: true, body: 'notes' },
  { type: 'doc', doc_path: 'docs/a b.md', body: '# A b' },
  { type: 'wiki_doc', wiki_path: 'Home-Page', body: 'wiki text' },
  {
    type: 'diff',
    commit_sha: SHA,
    file_path: 'src/ü.ts',
    file_status: 'modified',
    message: 'Subject\n\nMore of it',
    commit_date: '2026-01-01T00:00:00Z',
    commit_author: 'Cy',
    body: '@@ -1 +1 @@\n-a\n+b',
  },
  { type: 'issue_comment', comment_id: 11, number: 1, author: 'Dee', author_association: 'NONE', body: 'a comment' },
  { type: 'pr_review', review_id: 12, number: 2, review_state: 'approved', body: '' },
  {
    type: 'pr_review_comment',
    comment_id: 13,
    number: 2,
    file_path: 'src/ü.ts',
    line: 7,
    diff_hunk: '@@ -1 +1 @@\n+b',
    commit_sha: SHA,
    author: 'Ed',
    body: 'on a line',
  },
]

const ids: Record<string, string> = {}

beforeAll(async () => {
  await put(EVERY.map((line) => ({ repo: 'acme/widget', ...TIMES, ...line, repo_id: 99 })))
  await put([
    { type: 'doc', doc_path: 'long.md', body: LONG, repo_id: 99 },
    { type: 'doc', doc_path: 'exact.md', body: 'x'.repeat(8_000), repo_id: 99 },
    { type: 'doc', doc_path: 'cut.md', body: 'short', source_truncated: true, repo_id: 99 },
    { type: 'doc', doc_path: 'cap.md', body: 'y'.repeat(1_048_576), repo_id: 99 },
    { type: 'doc', doc_path: 'below.md', body: 'y'.repeat(1_048_500), repo_id: 99 },
    { type: 'doc', doc_path: 'wide.md', body: '語'.repeat(349_525), repo_id: 99 },
    { type: 'doc', repo: 'secret/lab', doc_path: 'private.md', body: 'hidden text' },
    { type: 'doc', doc_path: 'gone.md', body: 'was here', repo_id: 99 },
  ])
  const { results } = await env.DB.prepare('SELECT vector_id, coalesce(path, type) AS name, type FROM documents').all()
  for (const { vector_id: id, name, type } of results) ids[type === 'doc' ? String(name) : String(type)] = String(id)
  await put([{ type: 'doc', doc_path: 'gone.md', repo_id: 99, deleted: true }])
})

async function read(name: string, window: Line = {}): Promise<Row> {
  const { results } = await ask({ vector_ids: [ids[name]], ...window })
  expect(results).toHaveLength(1)
  return results[0] as Row
}

test('a row of every type comes back with all its fields', async () => {
  const names = EVERY.map((line) => String(line['doc_path'] ?? line['type']))
  const { results, ...answer } = await ask({ vector_ids: names.map((name) => ids[name]) })
  expect(answer).toEqual({
    count: 9,
    mode: 'fetch',
    requested: 9,
    content_source: 'index',
    content_max_chars: 8_000,
    not_found: [],
  })
  const github = 'https://github.com/acme/widget'
  const expected = [
    {
      title: 'An issue',
      state: 'open',
      labels: ['Bug', 'a, b'],
      milestone: 'M',
      assignees: ['Ada', 'Bob'],
      author: 'Cy',
      author_association: 'MEMBER',
      trusted: true,
      url: `${github}/issues/1`,
      number: 1,
    },
    { title: 'A pull', state: 'closed', merged: true, draft: false, url: `${github}/pull/2`, number: 2 },
    { title: 'Spring', tag_name: 'v1.2', prerelease: true, url: `${github}/releases/tag/v1.2` },
    { title: 'docs/a b.md', doc_path: 'docs/a b.md', url: `${github}/blob/HEAD/docs/a%20b.md` },
    { title: 'Home-Page', wiki_path: 'Home-Page', url: `${github}/wiki/Home-Page` },
    {
      title: '0123456 src/ü.ts',
      commit_sha: SHA,
      file_path: 'src/ü.ts',
      file_status: 'modified',
      message: 'Subject\n\nMore of it',
      commit_date: '2026-01-01T00:00:00Z',
      commit_author: 'Cy',
      url: expect.stringMatching(`^${github}/commit/${SHA}#diff-[0-9a-f]{64}$`),
    },
    {
      title: 'Dee on #1',
      comment_id: 11,
      number: 1,
      author: 'Dee',
      author_association: 'NONE',
      url: `${github}/issues/1#issuecomment-11`,
    },
    {
      title: 'someone on #2',
      review_id: 12,
      review_state: 'approved',
      number: 2,
      url: `${github}/pull/2#pullrequestreview-12`,
    },
    {
      title: 'Ed on #2',
      comment_id: 13,
      file_path: 'src/ü.ts',
      line: 7,
      diff_hunk: '@@ -1 +1 @@\n+b',
      commit_sha: SHA,
      number: 2,
      author: 'Ed',
      url: `${github}/pull/2#discussion_r13`,
    },
  ]
  for (const [at, row] of results.entries()) {
    const body = String(EVERY[at]?.['body'])
    expect(row).toEqual({
      vector_id: ids[names[at] ?? ''],
      type: EVERY[at]?.['type'],
      repo: 'acme/widget',
      ...TIMES,
      ...expected[at],
      content: body,
      content_offset: 0,
      content_chars: body.length,
      content_total_chars: body.length,
      content_truncated: false,
    })
  }
})

test('a list shows the subject of a commit and cuts long fields', async () => {
  const listed = await ask({ type: 'diff', since: '2000-01-01', group: 'none' })
  expect(listed.results[0]).toMatchObject({ title: '0123456 src/ü.ts', message: 'Subject' })
  const searched = await ask({ query: 'subject', type: 'diff', group: 'none' })
  expect(searched.results[0]).toMatchObject({ message: 'Subject', commit_author: 'Cy' })
  await put([
    {
      type: 'issue',
      number: 77,
      repo_id: 99,
      title: `Long ${'🦊'.repeat(2_000)}`,
      labels: ['l'.repeat(900)],
      body: 'x',
    },
  ])
  const [row] = (await ask({ query: 'long', type: 'issue' })).results
  expect(row?.title).toHaveLength(1_000)
  expect(row?.title?.isWellFormed()).toBe(true)
  expect(row?.labels?.[0]).toHaveLength(200)
  const whole = await ask({ vector_ids: [row?.vector_id] })
  expect(whole.results[0]?.title).toHaveLength(4_005)
})

test('rows are in the order of the ids; empty and repeated ids are dropped, filters ignored', async () => {
  const given = [` ${ids['release']} `, '', ids['issue'], '  ', ids['release'], ids['diff']]
  const answer = await ask({ vector_ids: given, repo: 'no/such', query: 'x', since: '2040-01-01', cursor: 'junk' })
  expect(answer).toMatchObject({ requested: 3, count: 3, not_found: [] })
  expect(answer.results.map(({ type }) => type)).toEqual(['release', 'issue', 'diff'])
})

test('a fetch of empty ids returns no row', async () => {
  expect(await ask({ vector_ids: ['', ' '] })).toMatchObject({ mode: 'fetch', count: 0, requested: 0, not_found: [] })
  expect(await ask({ vector_ids: [] })).toMatchObject({ mode: 'scan' })
})

test('a fetch of more than 50 ids is refused', async () => {
  const many = Array.from({ length: 51 }, () => 'i:x')
  expect(await refusal({ vector_ids: many })).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining('vector_ids'),
  })
  expect(await ask({ vector_ids: many.slice(1).map((id, at) => id + at) })).toMatchObject({ requested: 50 })
})

test('unknown, removed and hidden ids are reported alike as not found, and the other rows come', async () => {
  const given = ['i:unknown', ids['gone.md'], ids['private.md'], ids['issue'], "'; DROP TABLE documents; --"]
  const answer = await ask({ vector_ids: given }, guest)
  expect(answer.not_found).toEqual([given[0], given[1], given[2], given[4]])
  expect(answer.count).toBe(1)
  expect(await ask({ vector_ids: [ids['private.md']] }, owner)).toMatchObject({ count: 1, not_found: [] })
  const { results } = await env.DB.prepare("SELECT repo_id FROM repositories WHERE name = 'secret/lab'").all()
  const member = { user: 'member', privateRepositories: [Number(results[0]?.['repo_id'])] }
  expect(await ask({ vector_ids: [ids['private.md']] }, member)).toMatchObject({ count: 1 })
})

test('a body can be read to its end, window by window', async () => {
  const sizes = fc.oneof(fc.integer({ min: 997, max: 32_000 }), fc.constant(31_999), fc.constant(32_000))
  await fc.assert(
    fc.asyncProperty(sizes, async (size) => {
      let walked = ''
      let offset: number | undefined = 0
      while (offset !== undefined) {
        const row: Row = await read('long.md', { content_offset: offset, content_max_chars: size })
        expect(row.content).toBe(LONG.slice(row.content_offset, row.content_offset + row.content_chars))
        expect(row.content.isWellFormed()).toBe(true)
        expect(row.content_truncated).toBe(row.next_content_offset !== undefined)
        walked += row.content
        offset = row.next_content_offset
      }
      expect(walked).toBe(LONG)
    }),
    { numRuns: runs(6) },
  )
})

test('a window never splits a surrogate pair, and windows of one unit still reach the end', async () => {
  const fox = LONG.indexOf('🦊')
  expect(await read('long.md', { content_offset: fox + 1, content_max_chars: 3 })).toMatchObject({
    content_offset: fox,
    content: '🦊é',
  })
  expect(await read('long.md', { content_offset: fox - 1, content_max_chars: 2 })).toMatchObject({ content: ' ' })
  expect(await read('long.md', { content_offset: fox, content_max_chars: 1 })).toMatchObject({
    content: '🦊',
    next_content_offset: fox + 2,
  })
})

test('an offset after the end returns an empty text', async () => {
  const row = await read('issue', { content_offset: 10_000 })
  expect(row).toMatchObject({
    content: '',
    content_chars: 0,
    content_offset: 16,
    content_total_chars: 16,
    content_truncated: false,
  })
  expect(row).not.toHaveProperty('next_content_offset')
})

test('content_truncated is true for bodies that are cut, and only for those', async () => {
  expect(await read('exact.md')).toMatchObject({ content_chars: 8_000, content_truncated: false })
  expect(await read('exact.md', { content_max_chars: 7_999 })).toMatchObject({
    content_truncated: true,
    next_content_offset: 7_999,
  })
  const cut = await read('cut.md')
  expect(cut).toMatchObject({ content: 'short', content_truncated: true })
  expect(cut).not.toHaveProperty('next_content_offset')
  for (const name of ['cap.md', 'wide.md']) {
    const { content_total_chars: total } = await read(name)
    const end = await read(name, { content_offset: total - 10 })
    expect(end, name).toMatchObject({ content_chars: 10, content_truncated: true })
    expect(end).not.toHaveProperty('next_content_offset')
  }
  expect(await read('below.md', { content_offset: 1_048_490 })).toMatchObject({
    content_chars: 10,
    content_truncated: false,
  })
})

test('bodies that do not fit in the answer come empty, with the offset at which they continue', async () => {
  await put(
    Array.from({ length: 20 }, (_, at) => ({
      type: 'doc',
      doc_path: `big/${at}.md`,
      body: '"'.repeat(32_000),
      repo_id: 99,
    })),
  )
  const { results: rows } = await env.DB.prepare("SELECT vector_id FROM documents WHERE path LIKE 'big/%'").all()
  const answer = await ask({ vector_ids: rows.map((row) => row['vector_id']), content_max_chars: 32_000 })
  expect(JSON.stringify(answer).length).toBeLessThanOrEqual(400_000)
  expect(answer.count).toBe(20)
  const empty = answer.results.filter(({ content }) => content === '')
  expect(empty.length).toBeGreaterThan(10)
  for (const row of empty)
    expect(row).toMatchObject({ content_truncated: true, next_content_offset: 0, content_total_chars: 32_000 })
})

test('a fetch is one round trip that reads no more than the windows need', async () => {
  const { index: seen, trips, rowsRead } = watched()
  await ask(
    { vector_ids: [ids['cap.md'], ids['long.md']], content_offset: 40_000, content_max_chars: 100 },
    owner,
    seen,
  )
  expect(trips).toHaveLength(1)
  expect(rowsRead()).toBeLessThan(100)
})

test('a failed read is an error and not "not found"', async () => {
  const broken = {
    database: {
      ...index.database,
      prepare: env.DB.prepare.bind(env.DB),
      batch: () => Promise.reject(new Error('D1_ERROR: SELECT secret')),
    } as unknown as D1Database,
  }
  for (const args of [{ vector_ids: [ids['issue']] }, {}, { query: 'issue' }]) {
    const failure = await refusal(args, owner, broken)
    expect(failure.code).toBe('UNAVAILABLE')
    expect(JSON.stringify(failure)).not.toMatch(/D1|SELECT|secret/)
  }
})
