/** The first release of commits and pull requests, and the filter on it. */
import { beforeAll, expect, test } from 'vitest'
import { ask, guest, hits, put } from '../../support/search-world.ts'
import type { Line } from '../../support/search-world.ts'

const sha = (letter: string) => letter.repeat(40)
const SINCE = '2000-01-01'

const commit = (letter: string, message: string, more: object = {}): Line => ({
  type: 'commit',
  commit_sha: sha(letter),
  message,
  commit_date: '2026-05-01T00:00:00Z',
  ...more,
})

const release = (tag: string, at: string, released: readonly string[], more: object = {}): Line => ({
  type: 'release',
  tag_name: tag,
  body: `notes of ${tag}`,
  created_at: at,
  updated_at: at,
  released,
  ...more,
})

const pull = (number: number, title: string, more: object = {}): Line => ({
  type: 'pull_request',
  number,
  title,
  body: 'okapi',
  state: 'closed',
  merged: true,
  ...more,
})

beforeAll(async () => {
  await put([
    commit('a', 'Feed the okapi (#7)'),
    commit('b', 'Merge pull request #8 from acme/okapi-fence'),
    commit('c', 'Groom the okapi'),
    {
      type: 'diff',
      commit_sha: sha('d'),
      file_path: 'src/okapi.ts',
      message: 'Weigh the okapi (#9)',
      body: '+okapi.weight',
      updated_at: '2026-05-01T00:00:00Z',
    },
    pull(7, 'Feed the okapi'),
    pull(8, 'A fence for the okapi'),
    pull(9, 'Weigh the okapi'),
    pull(10, 'An okapi in no release', { merged: false }),
    release('v1.0.0', '2026-06-01T00:00:00Z', [sha('a')]),
    release('v1.1.0', '2026-07-01T00:00:00Z', [sha('b'), sha('d')], { previous_tag: 'v1.0.0', commit_count: 2 }),
    commit('a', 'Feed the okapi elsewhere', { repo: 'acme/fork' }),
    commit('e', 'Sell the okapi', { repo: 'secret/zoo' }),
    release('v9.0.0', '2026-08-01T00:00:00Z', [sha('e')], { repo: 'secret/zoo' }),
  ])
})

const rowsOf = async (args: Line) =>
  new Map(
    (await ask({ repo: 'acme/widget', top_k: 20, ...args })).results.map((row) => [hits({ results: [row] })[0], row]),
  )

test('commits and merged pull requests show the release that first contains them', async () => {
  for (const call of [{ query: 'okapi' }, { since: SINCE }]) {
    const rows = await rowsOf(call)
    const tags = [...rows].map(([name, row]) => [name, row.first_release?.tag])
    expect(Object.fromEntries(tags)).toMatchObject({
      'commit:aaaaaaa': 'v1.0.0',
      'commit:bbbbbbb': 'v1.1.0',
      'commit:ddddddd': 'v1.1.0',
      'pull_request#7': 'v1.0.0',
      'pull_request#8': 'v1.1.0',
      'pull_request#9': 'v1.1.0',
    })
    expect(rows.get('commit:ccccccc')).not.toHaveProperty('first_release')
    expect(rows.get('pull_request#10')).not.toHaveProperty('first_release')
    expect(rows.get('commit:aaaaaaa')?.first_release).toEqual({ tag: 'v1.0.0', at: '2026-06-01T00:00:00Z' })
  }
})

test('a commit with the same sha in another repository is not in the release', async () => {
  const [row] = (await ask({ query: 'okapi elsewhere', repo: 'acme/fork' })).results
  expect(row).not.toHaveProperty('first_release')
})

test('a fetched commit shows its first release', async () => {
  const [row] = (await ask({ query: sha('b') })).results
  const [fetched] = (await ask({ vector_ids: [row?.vector_id] })).results
  expect(fetched?.first_release).toEqual({ tag: 'v1.1.0', at: '2026-07-01T00:00:00Z' })
})

test.each([
  ['v1.0.0', ['commit:aaaaaaa', 'pull_request#7']],
  ['v1.1.0', ['commit:bbbbbbb', 'commit:ddddddd', 'pull_request#8', 'pull_request#9']],
])('release: %s selects what was first released in it, in a search and in a list', async (tag, expected) => {
  expect([...(await rowsOf({ query: 'okapi', release: tag })).keys()].toSorted()).toEqual(expected)
  expect([...(await rowsOf({ since: SINCE, release: tag })).keys()].toSorted()).toEqual(expected)
})

test('release selects diffs where these are rows', async () => {
  expect([...(await rowsOf({ query: 'okapi', release: 'v1.1.0', group: 'none' })).keys()]).toContain(
    'diff:ddddddd src/okapi.ts',
  )
})

test('an unknown tag is unmatched, and similar visible tags are suggested', async () => {
  const answer = await ask({ query: 'okapi', release: 'v1.0.1' })
  expect(answer).toMatchObject({ count: 0, filters_unmatched: ['release'] })
  expect(answer.suggestions?.['release']).toContain('v1.0.0')
  const hidden = await ask({ query: 'okapi', release: 'v9.0.0' }, guest)
  expect(hidden).toMatchObject({ count: 0, filters_unmatched: ['release'] })
  expect(hidden.suggestions?.['release'] ?? []).not.toContain('v9.0.0')
  expect(await ask({ query: 'okapi', release: 'v9.0.0' })).toMatchObject({
    count: 1,
    results: [{ repo: 'secret/zoo' }],
  })
})

test('a release of more commits than fit in a match selects its rows all the same', async () => {
  const ids = Array.from({ length: 350 }, (_, at) => (0x1000 + at).toString(16).repeat(10))
  await put([
    ...ids.map((id, at) => ({
      ...commit('0', at === 349 ? 'the last aardvark' : `aardvark ${at}`),
      commit_sha: id,
      repo: 'acme/big',
    })),
    commit('f', 'aardvark aardvark aardvark of no release', { repo: 'acme/big' }),
    release('v2', '2026-07-01T00:00:00Z', ids, { repo: 'acme/big' }),
  ])
  const answer = await ask({ query: 'last aardvark', release: 'v2', repo: 'acme/big', top_k: 50 })
  expect(answer.results[0]?.commit_sha).toBe(ids[349])
  expect(answer.results.some((row) => row.commit_sha === sha('f'))).toBe(false)
  expect((await ask({ release: 'v2', repo: 'acme/big', since: SINCE, top_k: 50 })).count).toBe(50)
})

test('a removed release is the first release of nothing', async () => {
  await put([
    commit('3', 'A wombat', { repo: 'acme/gone' }),
    release('v3', '2026-07-01T00:00:00Z', [sha('3')], { repo: 'acme/gone' }),
  ])
  expect((await ask({ query: 'wombat', repo: 'acme/gone' })).results[0]?.first_release?.tag).toBe('v3')
  await put([{ type: 'release', repo: 'acme/gone', tag_name: 'v3', deleted: true }])
  expect((await ask({ query: 'wombat', repo: 'acme/gone' })).results[0]).not.toHaveProperty('first_release')
  expect((await ask({ query: 'wombat', repo: 'acme/gone', release: 'v3' })).count).toBe(0)
})
