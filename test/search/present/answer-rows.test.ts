/** The rows of answers: every field of every type in a fetch, and the cut ones of lists. */
import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { ask, put } from '../../support/search-world.ts'
import type { Line } from '../../support/search-world.ts'

const TIMES = { created_at: '2026-01-02T03:04:05Z', updated_at: '2026-02-03T04:05:06Z' }
const SHA = '0123456789abcdef0123456789abcdef01234567'
const PARENT = 'fedcba9876543210fedcba9876543210fedcba98'

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
    type: 'commit',
    commit_sha: SHA,
    message: 'Subject\n\nMore of it',
    author: 'Cy',
    commit_author: 'Cy',
    commit_date: '2026-01-01T00:00:00Z',
    parents: [PARENT],
    files: [
      { path: 'src/ü.ts', status: 'modified' },
      { path: 'a.lock', status: 'added' },
    ],
  },
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
  const { results } = await env.DB.prepare('SELECT vector_id, type FROM documents').all()
  for (const { vector_id: id, type } of results) ids[String(type)] = String(id)
})

test('a row of every type comes back with all its fields', async () => {
  const names = EVERY.map((line) => String(line['type']))
  const { results, ...answer } = await ask({ vector_ids: names.map((name) => ids[name]) })
  expect(answer).toEqual({
    count: EVERY.length,
    mode: 'fetch',
    requested: EVERY.length,
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
      title: '0123456 Subject',
      commit_sha: SHA,
      message: 'Subject\n\nMore of it',
      author: 'Cy',
      commit_author: 'Cy',
      commit_date: '2026-01-01T00:00:00Z',
      parents: [PARENT],
      file_count: 2,
      files: [
        { path: 'src/ü.ts', status: 'modified', vector_id: expect.stringMatching(/^c:/) },
        { path: 'a.lock', status: 'added' },
      ],
      url: `${github}/commit/${SHA}`,
    },
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
    // The body of a commit is made of its message and its files.
    const body = String(EVERY[at]?.['body'] ?? 'Subject\n\nMore of it\n\nmodified src/ü.ts\nadded a.lock')
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
