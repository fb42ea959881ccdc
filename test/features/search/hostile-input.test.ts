/** Any input gets an answer or a refusal that names the parameter, and never a message of the database. */
import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../../src/access/viewer.ts'
import { attempt, index, owner, put } from '../../support/search-world.ts'
import type { Line } from '../../support/search-world.ts'
import { runs } from '../../support/runs.ts'

beforeAll(async () => {
  await put([
    { type: 'issue', number: 1, title: 'Plain "quoted" title', body: 'x AND y OR z NOT w NEAR(a b)', labels: ['bug'] },
    { type: 'doc', doc_path: 'a/b c.md', body: '検索 🎉 C++ v1.2.3' },
  ])
})

const SQL_WORDS = /fts5|sqlite|d1_error|no such column|syntax error|unterminated|MATCH|SELECT|malformed/

const member: Viewer = { user: 'member', privateRepositories: Array.from({ length: 2_000 }, (_, at) => at) }

async function isHarmless(args: Line, viewer = owner): Promise<void> {
  const result = await attempt(args, viewer, index)
  if (result.ok) {
    expect(result.value.mode).toMatch(/^(search|scan|fetch)$/)
    expect(JSON.stringify(result.value).length).toBeLessThanOrEqual(40_000)
  } else {
    expect(result.failure.code).toBe('VALIDATION_ERROR')
    expect(result.failure.message).not.toMatch(SQL_WORDS)
  }
}

const PARTS = [
  '"',
  "'",
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '*',
  '^',
  ':',
  '-',
  '+',
  '.',
  ',',
  '/',
  '\\',
  '#',
  '@',
  '|',
  '&',
  '%',
  '_',
  '<',
  '>',
  '!',
  '?',
  '=',
  '~',
  '`',
  ';',
  ' ',
  '\t',
  '\n',
  '\0',
  '\u200b',
  '\u202e',
  '\ufeff',
  '\u00ad',
  '\ud800',
  '\udc00',
  '\u{e0041}',
  'AND',
  'OR',
  'NOT',
  'NEAR',
  'NEAR(',
  'rank',
  'rowid',
  'words',
  'k:',
  'f:',
  '{k f}:',
  'f:r1',
  'k : "x"',
  '--',
  '/*',
  '*/',
  "'; DROP TABLE documents; --",
  'repo:',
  'repo:a/b',
  'is:',
  'is:open',
  'is:constructor',
  'label:"',
  'label:"a b"',
  'path:',
  'path:src',
  'type:diff',
  'type:__proto__',
  'milestone:""',
  '#1',
  '#99999999999999999999',
  'a/b#1',
  'deadbeef',
  '0'.repeat(40),
  'v1.2.3',
  '1..2',
  'C++',
  'C#',
  '.NET',
  'node.js',
  'a.b.c.d',
  'https://github.com/a/b/pull/1',
  'https://github.com/%ff/%00',
  'src/a b/ü.ts',
  'camelCaseWord',
  'snake_case',
  '検索',
  'ﾊﾝｶｸ',
  '한국어',
  'ภาษา',
  '🎉',
  '👩‍👩‍👧',
  'é',
  'e\u0301',
  'İ',
  'ß',
  '①',
  '㍿',
  '＂',
  '＿',
  '＋',
]

const hostile = fc.oneof(
  fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }).map((parts) => parts.join(' ')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 }).map((units) => String.fromCharCode(...units)),
)

test('documents of hostile text are stored and found', async () => {
  const texts = fc.sample(hostile, { numRuns: 80, seed: 42 })
  await put(
    texts.map((body, at) => ({ type: 'issue', number: 100 + at, title: texts[texts.length - 1 - at] || 'x', body })),
  )
  for (const query of texts) await isHarmless({ query })
  const found = await attempt({ query: 'camelCaseWord snake_case 検索 node.js' }, owner, index)
  const rows = found.ok && found.value.mode === 'search' ? found.value.results : []
  expect(rows.length).toBeGreaterThan(3)
  for (const { snippet = '' } of rows) {
    expect(snippet.length).toBeLessThanOrEqual(240)
    expect(snippet.isWellFormed()).toBe(true)
  }
  const ids = rows.map((row) => row.vector_id)
  const bodies = await attempt({ vector_ids: ids }, owner, index)
  expect(bodies.ok && bodies.value.count).toBe(ids.length)
})

test('any query gets an answer or a refusal', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, (query) => isHarmless({ query })),
    { numRuns: runs(250) },
  )
})

test('any text in any other parameter gets an answer or a refusal', async () => {
  const names = ['repo', 'author', 'assignee', 'milestone', 'path_prefix', 'cursor', 'since', 'until'] as const
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), hostile, fc.boolean(), async (name, text, withQuery) => {
      await isHarmless({ [name]: text, ...(withQuery && { query: 'plain' }) })
      await isHarmless({ labels: [text, 'bug'], ...(withQuery && { query: text }) })
      await isHarmless({ vector_ids: [text, 'x'] })
    }),
    { numRuns: runs(80) },
  )
})

test.each(PARTS)('a query of 16,384 characters of %j gets an answer or a refusal', async (part) => {
  await isHarmless({ query: `${part} `.repeat(16_384).slice(0, 16_384) })
  await isHarmless({ query: part.repeat(16_384).slice(0, 16_384) })
})

test('a query of 16,384 characters of different words gets an answer or a refusal', async () => {
  const words = Array.from({ length: 4_000 }, (_, at) => at.toString(36)).join(' ')
  await isHarmless({ query: words.slice(0, 16_384) })
  await isHarmless({ query: words.replaceAll(' ', '/').slice(0, 16_384) })
  await isHarmless({ query: words.replaceAll(' ', '" "').slice(0, 16_384) })
  expect((await attempt({ query: 'a'.repeat(16_385) }, owner, index)).ok).toBe(false)
})

test('a query of thousands of qualifiers gets an answer or a refusal', async () => {
  const many = (name: string) => Array.from({ length: 2_000 }, (_, at) => `${name}:${at.toString(36)}`).join(' ')
  for (const name of ['label', 'author', 'repo', 'path', 'milestone', 'assignee']) {
    await isHarmless({ query: many(name).slice(0, 16_384) })
    await isHarmless({ query: `plain ${many(name)}`.slice(0, 16_384) })
  }
})

test('a request with fifty labels, all filters and a window gets an answer or a refusal', async () => {
  const labels = Array.from({ length: 50 }, (_, at) => `label ${at} "`)
  const filters = {
    labels,
    repo: 'a/b',
    author: 'a',
    assignee: 'b',
    milestone: 'c',
    path_prefix: 'd',
    type: 'diff',
    state: 'open',
  }
  for (const sort of ['updated_desc', 'created_desc']) {
    await isHarmless({ ...filters, sort, since: '1970-01-02', until: '2026-11-29T23:59:59.999Z' })
    await isHarmless({ ...filters, repo: 'bare', sort, since: '1970-01-02' }, member)
    await isHarmless(
      { ...filters, repo: 'bare', query: 'a/b#1 c/d#2 e/f#3 g/h#4 i/j#5', sort, since: '1970-01-02' },
      member,
    )
    await isHarmless({
      ...filters,
      sort,
      since: '1970-01-02',
      query: '#1 "a b" deadbeef c/d v1.2.3 https://github.com/a/b/pull/9 x.ts is:merged',
    })
  }
})
