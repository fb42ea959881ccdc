/** An answer without rows reports what the index does not hold, apart from what does not match. */
import { beforeAll, expect, test } from 'vitest'
import { ask, guest, hits, put, watched, type Line } from '../../support/search-world.ts'

const AT = '2026-11-29T00:00:00Z'

beforeAll(async () => {
  await put([
    { type: 'doc', doc_path: 'docs/agent.md', body: 'the agent sleeps', updated_at: AT },
    { type: 'diff', commit_sha: 'a'.repeat(40), file_path: 'src/agent.ts', message: 'agent', updated_at: AT },
    { type: 'issue', repo: 'acme/tracker', number: 1, title: 'Agent', state: 'open', updated_at: AT },
    { type: 'pr_review', repo: 'secret/lab', number: 1, review_id: 5, body: 'agent', updated_at: AT },
  ])
})

const FILE = 'npm run import -- --documents FILE'

test.each<[Line, string[]]>([
  [{ type: 'issue', repo: 'acme/widget' }, ['acme/widget has no rows of type issue', 'other repositories have', FILE]],
  [{ query: 'agent is:pr', repo: 'widget' }, ['acme/widget has no rows of type pull_request', FILE]],
  [{ type: 'pull_request' }, ['The index has no rows of type pull_request', FILE]],
  [{ type: 'pr_review' }, ['The index has no rows of type pr_review that you may see', FILE]],
  [{ type: 'release', repo: 'acme/widget' }, ['no rows of type release', 'tags']],
  [{ type: 'wiki_doc' }, ['no rows of type wiki_doc', '--wiki']],
  [{ type: 'doc', repo: 'acme/tracker' }, ['acme/tracker has no rows of type doc', 'checkout']],
  [{ query: 'agent is:open', repo: 'acme/widget' }, ['no rows of type issue or pull_request', FILE]],
  [{ labels: ['bug'], repo: 'acme/widget' }, ['no rows of type issue or pull_request', FILE]],
  [{ query: 'agent no:assignee repo:acme/widget' }, ['no rows of type issue or pull_request', FILE]],
])('the answer to %o names the missing type', async (call, parts) => {
  for (const args of [call, { query: 'agent', ...call }]) {
    const { count, warnings = [] } = await ask({ since: '2000-01-01', ...args }, guest)
    expect(count).toBe(0)
    expect(warnings).toHaveLength(1)
    for (const part of parts) expect(warnings[0]).toContain(part)
  }
})

test('no type is reported as missing where the index has rows of it', async () => {
  for (const call of [
    { type: 'issue', since: '2000-01-01', author: 'nobody' },
    { query: 'zebra', type: 'doc' },
    { query: 'zebra' },
    { query: 'agent', state: 'closed' },
    { query: 'agent', repo: 'acme/none', type: 'issue' },
  ]) {
    expect(await ask(call, guest), JSON.stringify(call)).not.toHaveProperty('warnings')
  }
})

test('a repository that waits to be read is reported, unlike one that does not exist', async () => {
  const cursor = { repository: 'acme/waiting', source: 'git', position: 'p', done: 0, total: 120 }
  await put([], cursor)
  const open = { repo: 'acme/opened', repo_private: false }
  await put([
    { type: 'doc', doc_path: 'a.md', ...open },
    { type: 'doc', doc_path: 'a.md', repo: 'acme/opened', deleted: true },
  ])
  for (const args of [{ since: '2000-01-01' }, { query: 'agent' }, { query: 'agent', type: 'issue' }]) {
    const waiting = await ask({ ...args, repo: 'Acme/Waiting' })
    expect(waiting).toMatchObject({ count: 0, resolved: { repo: 'acme/waiting' } })
    expect(waiting).not.toHaveProperty('suggestions')
    expect(waiting.warnings).toEqual([
      expect.stringMatching(/acme\/waiting .*waits to be read/),
      expect.stringContaining('acme/waiting git: 0 of 120'),
    ])
    expect((await ask({ ...args, repo: 'acme/opened' }, guest)).warnings).toEqual([
      expect.stringMatching(/acme\/opened .*waits to be read/),
    ])
    const absent = await ask({ ...args, repo: 'acme/wating' })
    expect(absent).toMatchObject({ count: 0, filters_unmatched: expect.arrayContaining(['repo']) })
    expect(absent).not.toHaveProperty('warnings')
    expect(absent.suggestions?.['repo']).toContain('acme/waiting')
    // An imported repository is private until a line says otherwise.
    const [hidden, missing] = [watched(), watched()]
    const one = await ask({ ...args, repo: 'acme/waiting' }, guest, hidden.index)
    const other = await ask({ ...args, repo: 'acme/missing' }, guest, missing.index)
    expect(one).toEqual(other)
    expect(hidden.trips).toEqual(missing.trips)
  }
  await put([{ type: 'doc', repo: 'acme/waiting', doc_path: 'b.md', body: 'an agent' }], { ...cursor, done: 5 })
  const reading = await ask({ query: 'agent', repo: 'acme/waiting' })
  expect(hits(reading)).toEqual(['doc:b.md'])
  expect(reading.warnings).toEqual([expect.stringContaining('5 of 120')])
})
