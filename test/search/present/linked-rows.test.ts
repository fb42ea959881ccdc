import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { brokenInvariants, clearIndex } from '../../support/index-world.ts'
import { runs } from '../../support/runs.ts'
import { ask, guest, nameOf, owner, put, watched, type Answer, type Line } from '../../support/search-world.ts'

beforeEach(clearIndex)

const wiki = (wiki_path: string, body: string, more: Line = {}): Line => ({
  type: 'wiki_doc',
  wiki_path,
  body,
  ...more,
})
const issue = (number: number, body: string, more: Line = {}): Line => ({
  type: 'issue',
  number,
  title: `Issue ${number}`,
  state: 'open',
  body,
  ...more,
})

/** `1 closes pull_request#12 < issue#11`: hop, kind, row, result from which it was reached. */
function graph({ results, graph_results: rows = [] }: Answer): string[] {
  const names = new Map(results.map((row) => [row.vector_id, nameOf(row)]))
  return rows.map((row) => `${row.graph_hop} ${row.graph_kind} ${nameOf(row)} < ${names.get(row.graph_from)}`)
}

test('pages are linked in both directions, in any order of arrival', async () => {
  await put([wiki('Zebra-Page', 'stripes: [[Launch Guide]] and [more](./Deep-Dive#top), see decision-structure')])
  await put([wiki('Launch-Guide', 'how to launch'), wiki('Deep-Dive', 'details'), wiki('decision-structure', 'why')])
  expect(graph(await ask({ query: 'stripes', graph_expand: true }))).toEqual([
    '1 wiki_link wiki_doc:Deep-Dive < wiki_doc:Zebra-Page',
    '1 wiki_link wiki_doc:Launch-Guide < wiki_doc:Zebra-Page',
    '1 slug wiki_doc:decision-structure < wiki_doc:Zebra-Page',
  ])
  expect(graph(await ask({ query: 'launch', top_k: 1, graph_expand: true }))).toEqual([
    '1 wiki_backlink wiki_doc:Zebra-Page < wiki_doc:Launch-Guide',
  ])
})

test('the word Home is not a link to the page Home', async () => {
  await put([wiki('Home', 'welcome'), wiki('Zebra', 'stripes at Home, at home'), wiki('Other', '[[Home]] tapir')])
  expect(graph(await ask({ query: 'stripes', graph_expand: true }))).toEqual([])
  expect(graph(await ask({ query: 'tapir', graph_expand: true }))).toEqual([
    '1 wiki_link wiki_doc:Home < wiki_doc:Other',
  ])
})

test('links lead from an issue to the pull request that closes it, from a commit to its pull request, from a page to files', async () => {
  const sha = '9f1c2d3e4b5a69788776655443322110ffeeddcc'
  await put([
    issue(11, 'zebra stripes fade'),
    { type: 'pull_request', number: 12, title: 'Paint', state: 'closed', merged: true, body: 'Fixes #11' },
    { type: 'diff', commit_sha: sha, file_path: 'src/paint.ts', message: 'Paint again (#12)', body: '+paint' },
    { type: 'doc', doc_path: 'docs/a.md', body: '[paint](guides/paint.md) okapi' },
    { type: 'doc', doc_path: 'docs/guides/paint.md', body: 'brushes' },
  ])
  expect(graph(await ask({ query: 'stripes fade', top_k: 1, graph_expand: true, graph_hops: 2 }))).toEqual([
    '1 closed_by pull_request#12 < issue#11',
    '2 commit commit:9f1c2d3 < issue#11',
  ])
  expect(graph(await ask({ query: 'okapi', graph_expand: true }))).toEqual([
    '1 link doc:docs/guides/paint.md < doc:docs/a.md',
  ])
})

test('links into other repositories lead only to and through rows that the viewer may see', async () => {
  await put([
    issue(1, 'zebra, see acme/other#2 and secret/lab#3 and https://github.com/secret/lab/issues/3'),
    issue(2, 'other', { repo: 'acme/other' }),
    issue(3, 'hidden, see acme/widget#4', { repo: 'secret/lab' }),
    issue(4, 'behind'),
  ])
  const call = { query: 'zebra', top_k: 5, graph_expand: true, graph_hops: 2 }
  expect(graph(await ask(call))).toEqual([
    '1 mention issue#2 < issue#1',
    '1 mention issue#3 < issue#1',
    '2 mention issue#4 < issue#1',
  ])
  const seen = await ask(call, guest)
  expect(graph(seen)).toEqual(['1 mention issue#2 < issue#1'])
  await put([{ type: 'issue', number: 3, repo: 'secret/lab', deleted: true }])
  expect(graph(await ask(call, guest))).toEqual(graph(seen))
})

test('links from hidden rows take no place from visible ones', async () => {
  await put([issue(1, 'zebra')])
  await put(Array.from({ length: 100 }, (_, at) => issue(at + 1, 'acme/widget#1', { repo: 'secret/lab' })))
  await put([issue(2, 'see #1')])
  const call = { query: 'zebra', graph_expand: true }
  expect(graph(await ask(call, guest))).toEqual(['1 mentioned_by issue#2 < issue#1'])
})

test('filters apply to linked rows, not to rows between them and the seed', async () => {
  await put([issue(1, 'zebra #2'), issue(2, '#3', { state: 'closed' }), issue(3, 'end'), wiki('Zebra-A', 'x')])
  expect(graph(await ask({ query: 'zebra', type: 'issue', state: 'open', graph_expand: true, graph_hops: 2 }))).toEqual(
    ['2 mention issue#3 < issue#1'],
  )
})

test('filters apply to linked rows before the limits', async () => {
  const sha = '9f1c2d3e4b5a69788776655443322110ffeeddcc'
  const file = (at: number, folder: string): Line => ({
    type: 'diff',
    commit_sha: sha,
    file_path: `${folder}/f${at}.ts`,
    message: 'many',
    body: '+okapi',
  })
  await put([
    issue(1, 'zebra', { labels: ['rare'] }),
    ...Array.from({ length: 100 }, (_, at) => issue(at + 2, 'see #1')),
    issue(300, 'see #1', { labels: ['rare'] }),
    { type: 'doc', doc_path: 'lib/a.md', body: `quagga https://github.com/acme/widget/commit/${sha}` },
    ...Array.from({ length: 20 }, (_, at) => file(at, 'src')),
    file(99, 'lib'),
  ])
  const rare = { query: 'zebra', labels: ['rare'], graph_expand: true }
  expect(graph(await ask(rare))).toEqual(['1 mentioned_by issue#300 < issue#1'])
  expect(graph(await ask({ ...rare, graph_hops: 2 }))).toEqual(['1 mentioned_by issue#300 < issue#1'])
  expect(graph(await ask({ query: 'quagga', path_prefix: 'lib', graph_expand: true }))).toEqual([
    '1 link commit:9f1c2d3 < doc:lib/a.md',
  ])
})

test('a statement with every filter at once stays within the number of parameters', async () => {
  const all = {
    type: 'issue',
    state: 'open',
    labels: ['rare', 'old'],
    milestone: 'one',
    assignee: 'ada',
    author: 'bo',
    since: '2020-01-01',
    until: '2030-01-01',
    repo: 'acme/widget',
  }
  const onFiles = { path_prefix: 'src/deep', file_status: 'added', release: 'v1' }
  const fields = { labels: ['rare', 'old'], milestone: 'one', assignees: ['ada'], author: 'bo' }
  await put([issue(1, 'zebra #2', fields), issue(2, 'two', fields), issue(3, '#1', { ...fields, author: 'cy' })])
  const call = { query: 'zebra', ...all, graph_expand: true, graph_hops: 2 }
  expect(graph(await ask(call, guest))).toEqual(['1 mention issue#2 < issue#1'])
  for (const group of ['auto', 'none']) {
    const every = { ...all, ...onFiles, labels: Array.from({ length: 50 }, (_, at) => `label ${at}`), group }
    expect((await ask({ ...call, ...every, type: 'diff' }, guest)).count).toBe(0)
    expect((await ask({ ...every, type: 'diff' }, guest)).count).toBe(0)
    expect((await ask({ ...every, type: 'diff', sort: 'created_desc' }, guest)).count).toBe(0)
  }
  const { type: _type, labels: _labels, ...some } = { ...all, ...onFiles }
  await put([
    {
      type: 'commit',
      commit_sha: 'c'.repeat(40),
      message: 'zebra crossing',
      author: 'bo',
      commit_date: '2026-01-01',
      files: [{ path: 'src/deep/a.ts', status: 'added' }],
    },
  ])
  const { state: _s, milestone: _m, assignee: _a, release: _r, ...passing } = some
  expect(graph(await ask({ ...passing, query: 'zebra', graph_expand: true, graph_hops: 2 }, guest))).toEqual([])
  expect((await ask({ ...passing, query: 'zebra', graph_expand: true, graph_hops: 2 }, guest)).count).toBe(1)
})

test('a removed page has no links; a rewritten one has its new links', async () => {
  await put([issue(1, 'zebra #2'), issue(2, 'two'), issue(3, 'three')])
  await put([issue(1, 'zebra #3')])
  const call = { query: 'zebra', graph_expand: true }
  expect(graph(await ask(call))).toEqual(['1 mention issue#3 < issue#1'])
  await put([{ type: 'issue', number: 3, deleted: true }])
  expect(graph(await ask(call))).toEqual([])
  expect(await brokenInvariants()).toEqual([])
})

test('links of 50 seeds are read up to the limit without a further round trip', async () => {
  const seeds = Array.from({ length: 50 }, (_, at) => issue(at + 1, `zebra ${'x'.repeat(at)} #${at + 2} #${at + 101}`))
  const linked = Array.from({ length: 50 }, (_, at) => issue(at + 101, 'quagga'))
  await put([...seeds, ...linked])
  const recording = watched()
  const answer = await ask({ query: 'zebra', top_k: 50, graph_expand: true, graph_hops: 2 }, owner, recording.index)
  expect(answer.results).toHaveLength(50)
  expect(recording.trips.length).toBeLessThanOrEqual(3)
  const results = new Set(answer.results.map((row) => row.vector_id))
  expect(answer.graph_results).toHaveLength(30)
  for (const row of answer.graph_results ?? []) {
    expect(results.has(row.vector_id)).toBe(false)
    expect(row).not.toHaveProperty('score')
  }
  expect((await ask({ query: 'zebra', top_k: 3, graph_expand: true, graph_hops: 2 })).graph_results).toHaveLength(6)
})

test('reading links of a hub costs the same with any number of links to it', async () => {
  const cost = async (call: Line) => {
    const recording = watched()
    await ask({ query: 'zebra', ...call }, owner, recording.index)
    return recording.rowsRead()
  }
  await put([
    issue(1, 'zebra'),
    ...Array.from({ length: 300 }, (_, at) => issue(at + 2, `#1 ${'#1000 '.repeat(at % 2)}`)),
  ])
  const graphOnly = async () => (await cost({ graph_expand: true, graph_hops: 2 })) - (await cost({}))
  const before = await graphOnly()
  await put(Array.from({ length: 600 }, (_, at) => issue(at + 400, 'still #1')))
  expect(await graphOnly()).toBeLessThanOrEqual(before + 50)
  expect(before).toBeLessThan(6_000)
})

test('graph_results exist exactly if the request asks for them', async () => {
  await put([issue(1, 'zebra')])
  expect(await ask({ query: 'zebra' })).not.toHaveProperty('graph_results')
  expect(await ask({ query: 'nowhere', graph_expand: true })).toMatchObject({ results: [], graph_results: [] })
})

const THINGS = 7
/** For each page the pages that it links to; page 0 is the seed. */
const links = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: THINGS - 1 }), { maxLength: 3 }), {
  minLength: THINGS,
  maxLength: THINGS,
})

test('random links lead to the same rows as a breadth-first walk', async () => {
  await fc.assert(
    fc.asyncProperty(
      links,
      fc.shuffledSubarray([...Array(THINGS).keys()], { minLength: THINGS }),
      fc.constantFrom(1, 2),
      async (to, order, hops) => {
        await clearIndex()
        const lines = to.map((targets, at) =>
          issue(at + 1, `${at === 0 ? 'zebra' : ''} ${targets.map((other) => `#${other + 1}`).join(' ')}`),
        )
        // Pages arrive one by one, in any order.
        for (const at of order) await put([lines[at]!])
        const reached = new Map<number, number>()
        let edge = new Set([0])
        for (let hop = 1; hop <= hops; hop += 1) {
          const next = new Set<number>()
          for (const [from, targets] of to.entries()) {
            for (const target of targets) {
              if (edge.has(from)) next.add(target)
              if (edge.has(target)) next.add(from)
            }
          }
          for (const one of next) if (one !== 0 && !reached.has(one)) reached.set(one, hop)
          edge = next
        }
        const answer = await ask({ query: 'zebra', graph_expand: true, graph_hops: hops })
        const found = (answer.graph_results ?? []).map(({ number, graph_hop }) => `${number} ${graph_hop}`)
        expect(found.sort()).toEqual([...reached].map(([at, hop]) => `${at + 1} ${hop}`).sort())
      },
    ),
    { numRuns: runs(25) },
  )
})

test('rows of an older index without edges and anchors are not found by links', async () => {
  await put([issue(1, 'zebra #2'), issue(2, 'two')])
  await env.DB.batch([
    env.DB.prepare('DELETE FROM edges'),
    env.DB.prepare('UPDATE documents SET anchor = NULL, edges_version = 0'),
  ])
  expect(graph(await ask({ query: 'zebra', graph_expand: true }))).toEqual([])
})
