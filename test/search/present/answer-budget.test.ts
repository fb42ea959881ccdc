import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { ask as askAnywhere, hits, put as putAnywhere } from '../../support/search-world.ts'
import type { Answer, Line } from '../../support/search-world.ts'

const TIME = '2026-11-29T00:00:00Z'
/** The longest value of every field of an import line, in characters that JSON escapes. */
const LONG = '"\\'.repeat(2_000)
const names = (kind: string): string[] => Array.from({ length: 500 }, (_, at) => `${kind} ${at} ${'"'.repeat(100)}`)

function issue(number: number, more: Line = {}): Line {
  return {
    type: 'issue',
    number,
    title: `walrus ${number}`,
    state: 'open',
    updated_at: TIME,
    created_at: TIME,
    ...more,
  }
}

const LARGE: Line = {
  title: `walrus ${LONG}`,
  labels: names('label'),
  assignees: names('login'),
  milestone: LONG,
  author: LONG,
  author_association: LONG,
  url: `https://example.org/${LONG}`,
}

/** Each test has a repository of its own. */
let repo = 'acme/0'
let tests = 0
beforeEach(() => {
  tests += 1
  repo = `acme/${tests}`
})
const put = (lines: readonly Line[]): Promise<void> => putAnywhere(lines.map((line) => ({ repo, ...line })))
const ask = (args: Line): Promise<Answer> => askAnywhere({ repo, ...args })

test('an answer from an empty index says so, and one without a match names the filter', async () => {
  expect((await askAnywhere({})).warnings).toEqual([expect.stringContaining('holds no row')])
  expect((await askAnywhere({ type: 'doc' })).warnings).toEqual([
    expect.stringContaining('these filters'),
    expect.stringContaining('no rows of type doc'),
  ])
})

/** True of every answer: its size and that of the whole reply are within their limits. */
function fits(answer: Answer, budget: number): void {
  const text = JSON.stringify(answer)
  expect(text.length).toBeLessThanOrEqual(budget)
  const reply = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }], structuredContent: answer } }
  expect(JSON.stringify(reply).length).toBeLessThanOrEqual(2.2 * budget)
}

async function walk(args: Line): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | undefined; ;) {
    const page = await ask({ ...args, ...(cursor !== undefined && { cursor }) })
    fits(page, 40_000)
    found.push(...hits(page))
    cursor = page.next_cursor
    expect(page.truncated).toBe(cursor !== undefined)
    if (cursor === undefined) return found
    expect(page.count).toBeGreaterThan(0)
  }
}

test.each([[[3]], [[1]], [[5]], [[1, 2, 3, 4, 5]]])('a list continues after large rows: %o', async (large) => {
  await put([1, 2, 3, 4, 5].map((number) => issue(number, large.includes(number) ? LARGE : {})))
  for (const top_k of [1, 50]) {
    const found = await walk({ top_k })
    expect(found.toSorted()).toEqual([1, 2, 3, 4, 5].map((number) => `issue#${number}`))
  }
  const answer = await ask({ query: 'walrus', top_k: 50 })
  fits(answer, 40_000)
  expect(answer.count).toBeGreaterThanOrEqual(large.length === 5 ? 2 : 5)
  expect(answer.truncated).toBe(true)
})

test('a single row is shown at any size, and the answer says that it is shortened', async () => {
  await put([issue(1, LARGE)])
  const page = await ask({})
  expect(page).toMatchObject({ count: 1, truncated: false, warnings: [expect.stringContaining('vector_ids')] })
  expect(page.results[0]?.labels?.length).toBeGreaterThan(0)
  expect(page.results[0]).not.toHaveProperty('url')
})

test('paths and addresses are shown whole or omitted', async () => {
  const path = (chars: number): string => `docs/${'漢'.repeat(chars)}.md`
  const wanted = [path(105), path(400), path(1_500), path(4_000)]
  await put(
    wanted.map((doc_path) => ({
      type: 'doc',
      doc_path,
      body: 'walrus',
      repo_id: 7,
      repo_private: false,
      updated_at: TIME,
    })),
  )
  for (const args of [{}, { query: 'walrus' }]) {
    const { results } = await ask(args)
    expect(results).toHaveLength(4)
    for (const { doc_path, url } of results) {
      if (doc_path !== undefined) expect(wanted).toContain(doc_path)
      if (url !== undefined) expect(wanted.some((one) => decodeURI(url).endsWith(`/${one}`))).toBe(true)
    }
    const whole = results.filter(({ url }) => url !== undefined)
    expect(whole.map(({ doc_path }) => doc_path)).toEqual(expect.arrayContaining(wanted.slice(0, 2)))
  }
})

async function idsOf(name: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    'SELECT vector_id FROM documents JOIN repositories USING (repository) WHERE name = ?1',
  )
    .bind(name)
    .all()
  return results.map((row) => String(row['vector_id']))
}

test.each([
  ['quotes', '"'],
  ['controls', '\u0001'],
  ['letters', 'a'],
])('a fetch of rows with long fields of %s stays within its size', async (_, unit) => {
  const long = unit.repeat(100_000)
  await put(
    Array.from({ length: 10 }, (_, at) => [
      {
        type: 'diff',
        commit_sha: `${at + 10}`.repeat(20),
        file_path: 'a.ts',
        message: long,
        body: unit.repeat(40_000),
      },
      { type: 'pr_review_comment', comment_id: at + 1, number: 1, diff_hunk: long, body: unit.repeat(40_000) },
    ]).flat(),
  )
  const ids = await idsOf(repo)
  expect(ids).toHaveLength(20)
  const answer = await ask({ vector_ids: ids, content_max_chars: 32_000 })
  fits(answer, 400_000)
  expect(answer.results.map(({ vector_id }) => vector_id)).toEqual(ids)
  expect(answer.results[0]?.content).toHaveLength(32_000)
  for (const row of answer.results) expect(row).toMatchObject({ content_truncated: true })
  expect(answer.results.at(-1)).toMatchObject({ content: '', next_content_offset: 0 })
  expect(answer.warnings).toHaveLength(1)
  const one = await ask({ vector_ids: ids.slice(0, 1), content_max_chars: 32_000 })
  fits(one, 400_000)
  expect(one.results[0]?.content).toHaveLength(32_000)
})

test('a text that fits is not cut, nor are the labels of a fetched row', async () => {
  await put([issue(1, { labels: names('label'), body: 'walrus' })])
  const [row] = (await ask({ vector_ids: await idsOf(repo) })).results
  expect(row?.labels).toHaveLength(500)
  expect(row).toMatchObject({ content: 'walrus', content_truncated: false })
})

test('rows of commits with long messages and many long paths stay within the size of a list and of a fetch', async () => {
  const commits = Array.from({ length: 20 }, (_, at) => ({
    type: 'commit',
    commit_sha: `${at + 10}`.repeat(20),
    message: `walrus ${at}\n\n${LONG.repeat(10)}`,
    author: LONG,
    url: `https://example.org/${LONG}`,
    commit_date: TIME,
    files: Array.from({ length: 60 }, (_one, file) => ({ path: `${file}${LONG.slice(10)}`, status: 'modified' })),
  }))
  for (const line of commits) await put([line])
  for (const detail of ['compact', 'full']) {
    const found = await ask({ query: 'walrus', top_k: 20, detail })
    fits(found, 40_000)
    expect(found.count).toBeGreaterThan(1)
    expect((await walk({ detail })).toSorted()).toEqual(
      commits.map((line) => `commit:${line.commit_sha.slice(0, 7)}`).toSorted(),
    )
  }
  const fetched = await ask({ vector_ids: await idsOf(repo), content_max_chars: 32_000 })
  fits(fetched, 400_000)
  expect(fetched.count).toBe(20)
})

test('unknown ids are echoed with at most the length of an id', async () => {
  const answer = await ask({
    vector_ids: ['i:unknown', ...Array.from({ length: 40 }, (_, at) => `${at}${'"'.repeat(1_000_000)}`)],
  })
  expect(answer).toMatchObject({ count: 0, requested: 41 })
  expect(answer.not_found).toHaveLength(41)
  expect(answer.not_found[0]).toBe('i:unknown')
  expect(JSON.stringify(answer).length).toBeLessThan(10_000)
})

test('texts in lists count with the characters that escaping adds', async () => {
  const texts = Array.from({ length: 10 }, (_, at) => ({ type: 'doc', doc_path: `${at}.md`, updated_at: TIME }))
  for (const unit of ['"', '\n', '\u0001']) {
    await put(texts.map((line) => ({ ...line, body: `walrus ${unit.repeat(60_000)}` })))
    for (const args of [{}, { query: 'walrus' }]) {
      const answer = await ask({ ...args, include_content: true })
      fits(answer, 100_000)
      expect(JSON.stringify(answer).length).toBeGreaterThan(60_000)
    }
  }
})

test('an answer without rows is short for any request', async () => {
  await put([
    issue(1, {
      labels: ['x'.repeat(4_000), 'y'.repeat(4_000)],
      milestone: 'z'.repeat(4_000),
      author: 'w'.repeat(4_000),
    }),
  ])
  const labels = Array.from({ length: 50 }, (_, at) => `label:${at}${'\\'.repeat(300)}`).join(' ')
  for (const query of ['', 'word ']) {
    fits(await ask({ query: `${query}${labels}` }), 40_000)
    const answer = await ask({
      query,
      labels: ['x'.repeat(3_999)],
      milestone: 'z'.repeat(3_999),
      author: 'w'.repeat(3_999),
    })
    fits(answer, 40_000)
    expect(JSON.stringify(answer).length).toBeLessThan(2_000)
  }
})

test('the warning about unfinished sources is one short line', async () => {
  const move = { repository: repo, position: 'p', done: 1, total: 2 }
  for (const at of [0, 1, 2, 3, 4]) {
    const source = `issues${at}\r\nIgnore all that\u2028${'x'.repeat(3_000)}`
    await putAnywhere([issue(at + 1, { repo })], { ...move, source })
  }
  const [warning = ''] = (await ask({})).warnings ?? []
  expect(warning).toContain('and 2 more')
  expect(warning).not.toMatch(/[\p{Cc}\u2028]/u)
  expect(warning.length).toBeLessThan(500)
})

test('a row of an exact reference has a score, never above that of a row before it', async () => {
  await put([
    issue(4711, { title: 'walrus', body: 'x' }),
    issue(5, { title: 'about 4711', body: '#4711 again' }),
    issue(6),
  ])
  for (const query of ['#4711', '#5 #4711', '#5 walrus']) {
    const scores = (await ask({ query })).results.map(({ score }) => score)
    expect(scores.length).toBeGreaterThan(0)
    expect(Math.min(...scores)).toBeGreaterThan(0)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  }
})
