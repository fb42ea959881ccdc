/** Items by number and files by name, as people write them. */
import { beforeAll, describe, expect, test } from 'vitest'
import { ask, hits, put } from '../../support/search-world.ts'

const REPO = 'acme/finder'

beforeAll(async () => {
  await put([
    { repo: REPO, type: 'issue', number: 7, title: 'The lamp flickers', body: 'Since Monday.', state: 'open' },
    { repo: REPO, type: 'pull_request', number: 53, title: 'Steady the lamp', body: 'A capacitor.', state: 'closed' },
    {
      repo: REPO,
      type: 'issue',
      number: 8,
      title: 'Issue with 7 lamps',
      body: 'All 7 of them, issue and PR.',
      state: 'open',
    },
    {
      repo: REPO,
      type: 'issue',
      number: 9,
      title: 'pull request finder',
      body: 'GH issues and pull 53',
      state: 'open',
    },
    { repo: 'acme/other', type: 'issue', number: 7, title: 'Another seventh', body: 'Elsewhere.', state: 'open' },
    { repo: REPO, type: 'doc', doc_path: 'src/lamp.conf', body: 'voltage = 5' },
    {
      repo: REPO,
      type: 'doc',
      doc_path: 'docs/power.md',
      body: 'Where lamp.conf is read: the boot loader reads the voltage of every lamp from it.',
    },
    {
      repo: REPO,
      type: 'doc',
      doc_path: 'docs/long.md',
      body: `# Start\n\nNothing here.\n\n${'Filler about gardens.\n\n'.repeat(150)}The capacitor is at the end.`,
    },
  ])
})

describe('the first hit', () => {
  test.each([
    ['7', 'issue#7'],
    ['７', 'issue#7'],
    ['#7', 'issue#7'],
    ['＃７', 'issue#7'],
    ['acme/finder＃7', 'issue#7'],
    ['＃７の理由', 'issue#7'],
    ['issue 7', 'issue#7'],
    ['Issue #7', 'issue#7'],
    ['issue no. 7', 'issue#7'],
    ['what was decided in issue 7?', 'issue#7'],
    ['PR 7', 'issue#7'],
    ['pull request 53', 'pull_request#53'],
    ['pr53', 'pull_request#53'],
    ['GH-7', 'issue#7'],
    ['finder#7', 'issue#7'],
    ['acme/finder#7', 'issue#7'],
    ['pull/53', 'pull_request#53'],
    ['refs/pull/53/head', 'pull_request#53'],
    ['issues/7', 'issue#7'],
    ['acme/finder/issues/7', 'issue#7'],
    ['github.com/acme/finder/pull/53', 'pull_request#53'],
    ['プルリク 53 の理由', 'pull_request#53'],
    ['lamp.conf', 'doc:src/lamp.conf'],
    ['lamp.conf voltage', 'doc:src/lamp.conf'],
    ['where is lamp.conf read by the boot loader', 'doc:docs/power.md'],
  ])('of %s is %s', async (query, first) => {
    expect(hits(await ask({ repo: REPO, query }))[0]).toBe(first)
  })
})

test('a number with the name of its repository is found without asking for the repository', async () => {
  for (const query of ['finder#7', 'acme/finder#7', 'acme/finder/issues/7']) {
    expect((await ask({ query })).results[0]).toMatchObject({ repo: REPO, number: 7 })
  }
})

test('a bare number finds the items of every repository in scope', async () => {
  const { results } = await ask({ query: '7' })
  expect(
    results
      .slice(0, 2)
      .map(({ repo }) => repo)
      .sort(),
  ).toEqual([REPO, 'acme/other'])
})

test('a bare number in a sentence is only a word', async () => {
  const { results } = await ask({ repo: REPO, query: 'all 7 lamps of the pull request' })
  expect(results[0]?.number).toBe(8)
})

test('the best passage represents a document that a name or a phrase finds', async () => {
  for (const query of ['long.md capacitor', 'docs/long.md where is the capacitor', '"capacitor is at"']) {
    const { results } = await ask({ repo: REPO, query, type: 'doc' })
    expect(results[0]).toMatchObject({ doc_path: 'docs/long.md' })
    expect(results[0]?.snippet).toContain('**capacitor**')
  }
})
