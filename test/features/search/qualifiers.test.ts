/** Qualifiers as people type them select the same rows in a search, in a list and by vectors. */
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { d1Vectors } from '../../../src/index/vectors/d1-vectors.ts'
import { runMaintenance } from '../../../src/ingest/maintenance-run.ts'
import { httpEmbedder } from '../../../src/models/embedder/http.ts'
import { HASHED_DIMENSIONS } from '../../support/hashed-embedder.ts'
import { ask, guest, hits, index, NOW, owner, put, refusal, searchWith, watched } from '../../support/search-world.ts'
import type { Line } from '../../support/search-world.ts'

const EMBEDDER = httpEmbedder({
  url: inject('embedderUrl'),
  model: 'hashed',
  dimensions: HASHED_DIMENSIONS,
  weight: 0.2,
  key: 'test-key',
  fetch: (url, init) => fetch(url, init),
})

const thread = (number: number, more: Line): Line => ({
  type: 'issue',
  number,
  title: `Agent queue ${number}`,
  body: 'the agent stalls',
  state: 'open',
  created_at: '2026-10-01T10:00:00Z',
  updated_at: '2026-11-01T10:00:00Z',
  ...more,
})

beforeAll(async () => {
  await put([
    thread(1, { labels: ['bug'], author: 'ada', assignees: ['bob'], milestone: 'v1' }),
    thread(2, { state: 'closed', labels: ['bug', 'wontfix'], author: 'bob' }),
    thread(3, { type: 'pull_request', state: 'closed', merged: true, author: 'ada', milestone: 'V1' }),
    thread(4, { type: 'pull_request', draft: true, labels: ['docs'] }),
    thread(5, { created_at: '2026-10-02T00:00:00Z', updated_at: '2026-11-02T00:00:00Z', assignees: ['ada'] }),
    thread(6, { created_at: '2026-10-02T23:59:59.999Z', updated_at: '2026-11-03T00:00:00Z' }),
    thread(7, { repo: 'acme/other', created_at: '2026-10-03T00:00:00Z', updated_at: '2026-11-04T00:00:00Z' }),
    thread(8, { repo: 'zeta/widget', state: 'closed', updated_at: '2026-11-05T00:00:00Z' }),
    thread(9, { repo: 'secret/lab', labels: ['bug'] }),
    { type: 'doc', doc_path: 'docs/queue.md', body: 'agent queue', updated_at: '2026-11-06T00:00:00Z' },
    { type: 'doc', doc_path: 'vendor/queue.md', body: 'agent queue', updated_at: '2026-11-06T00:00:00Z' },
  ])
  const crowd = Array.from({ length: 220 }, (_, at) =>
    thread(1_000 + at, { repo: 'crowd/all', labels: ['common'], state: 'closed', body: 'walrus walrus walrus' }),
  )
  await put(crowd.slice(0, 110))
  await put(crowd.slice(110))
  await put([thread(10, { repo: 'crowd/all', body: `a walrus once. ${'Nothing else is here. '.repeat(20)}` })])
  await runMaintenance({
    index,
    vectors: d1Vectors(index),
    now: () => NOW,
    log: { info() {}, error() {} },
    embedder: EMBEDDER,
  })
})

const ALL = ['issue#1', 'issue#2', 'pull_request#3', 'pull_request#4', 'issue#5', 'issue#6', 'issue#7', 'issue#8']
const DOCS = ['doc:docs/queue.md', 'doc:vendor/queue.md']
const without = (...names: string[]): string[] => [...ALL, ...DOCS].filter((name) => !names.includes(name))

/** Qualifiers, the rows that they select for a guest outside of `crowd/all`, and what the answer echoes. */
const CASES: readonly (readonly [string, readonly string[], Line])[] = [
  ['state:closed', ['issue#2', 'pull_request#3', 'issue#8'], { state: 'closed' }],
  ['State:Open repo:widget.git is:issue', [], { state: 'open', repo: 'widget.git', type: 'issue' }],
  ['state:open repo:acme/widget.git is:issue', ['issue#1', 'issue#5', 'issue#6'], { repo: 'acme/widget' }],
  ['state:merged', ['pull_request#3'], { merged: 'true' }],
  ['is:draft', ['pull_request#4'], { draft: 'true' }],
  ['-is:draft is:pr', ['pull_request#3'], { '-draft': ['true'] }],
  ['no:label', ['pull_request#3', 'issue#5', 'issue#6', 'issue#7', 'issue#8'], { no: ['label'] }],
  ['no:label no:milestone no:assignee', ['issue#6', 'issue#7', 'issue#8'], { no: ['label', 'milestone', 'assignee'] }],
  ['-no:label', ['issue#1', 'issue#2', 'pull_request#4'], { '-no': ['label'] }],
  ['-no:milestone -no:label', ['issue#1'], { '-no': ['milestone', 'label'] }],
  ['label:bug -label:wontfix', ['issue#1'], { labels: ['bug'], '-labels': ['wontfix'] }],
  ['-label:BUG -label:docs', without('issue#1', 'issue#2', 'pull_request#4'), { '-labels': ['BUG', 'docs'] }],
  ['-author:ada -is:issue', ['pull_request#4', ...DOCS], { '-author': ['ada'], '-type': ['issue'] }],
  ['-assignee:bob is:issue author:ada', [], { '-assignee': ['bob'] }],
  ['-milestone:v1 author:ada', ['pull_request#3'], { '-milestone': ['v1'] }],
  ['-type:doc -state:open', ['issue#2', 'pull_request#3', 'issue#8'], { '-type': ['doc'], '-state': ['open'] }],
  ['type:doc -path:vendor', ['doc:docs/queue.md'], { '-path_prefix': ['vendor'] }],
  ['created:2026-10-02 ', ['issue#5', 'issue#6'], { created: '2026-10-02' }],
  ['created:>2026-10-02 is:issue', ['issue#7'], { created: '>2026-10-02' }],
  ['created:>=2026-10-02T23:59:59Z is:issue', ['issue#6', 'issue#7'], { created: '>=2026-10-02T23:59:59Z' }],
  ['-created:<2026-10-02 is:issue', ['issue#5', 'issue#6', 'issue#7'], { created: 'not <2026-10-02' }],
  ['updated:2026-11-02..2026-11-03', ['issue#5', 'issue#6'], { updated: '2026-11-02..2026-11-03' }],
  ['updated:>2026-11-01 created:<2026-10-02', ['issue#8'], { updated: '>2026-11-01', created: '<2026-10-02' }],
  ['sort:created updated:>2026-11-02', ['issue#6', 'issue#7', 'issue#8', ...DOCS], { sort: 'created_desc' }],
  ['user:ZETA', ['issue#8'], { user: 'zeta' }],
  ['org:acme is:issue -label:bug', ['issue#5', 'issue#6', 'issue#7'], { org: 'acme' }],
  ['-repo:acme/widget', ['issue#7', 'issue#8'], { '-repo': ['acme/widget'] }],
  ['-repo:widget', ['issue#7'], { '-repo': ['widget'] }],
  ['-user:acme -org:secret', ['issue#8'], { '-user': ['acme', 'crowd'], '-org': ['secret'] }],
  ['user:acme -repo:acme/widget', ['issue#7'], { user: 'acme', '-repo': ['acme/widget'] }],
  ['user:secret', [], { user: 'secret' }],
]

describe('the qualifiers', () => {
  test.each(CASES)('the qualifiers %s select their rows and are echoed', async (qualifiers, expected, echoed) => {
    const typed = `${qualifiers} -user:crowd`
    const listed = await ask({ query: typed, top_k: 50 }, guest)
    expect(listed.mode).toBe('scan')
    expect(hits(listed).toSorted()).toEqual([...expected].toSorted())
    const searched = await ask({ query: `agent ${typed} queue`, top_k: 50 }, guest)
    expect(hits(searched).toSorted()).toEqual([...expected].toSorted())
    const near = await searchWith(
      { index, embedder: EMBEDDER },
      { query: `agent queue ${typed}`, fusion: 'dense_only', top_k: 50 },
      guest,
    )
    expect(hits(near).toSorted()).toEqual([...expected].toSorted())
    if (expected.length === 0) return
    for (const answer of [listed, searched, near]) {
      expect(answer.resolved).toMatchObject(echoed)
      expect(answer).not.toHaveProperty('warnings')
    }
  })
})

test('an exclusion is part of the query and not a filter over the best candidates', async () => {
  for (const query of [
    'walrus -label:common',
    'walrus -state:closed',
    'walrus no:label',
    'walrus created:2026-10-01 -label:common',
  ]) {
    expect(hits(await ask({ query, repo: 'crowd/all', top_k: 1 })), query).toEqual(['issue#10'])
    const near = await searchWith({ index, embedder: EMBEDDER }, { query, fusion: 'dense_only', top_k: 1 })
    expect(hits(near).slice(0, 1), query).toEqual(['issue#10'])
  }
})

test('a parameter wins over a qualifier of its kind, and a warning names it', async () => {
  for (const [query, args, expected, name] of [
    ['agent state:closed', { state: 'open', labels: ['bug'] }, ['issue#1'], 'state'],
    [
      'agent created:>2026-10-02',
      { sort: 'created_desc', since: '2026-10-02', until: '2026-10-03' },
      ['issue#5', 'issue#6'],
      'created',
    ],
    [
      'agent updated:<2020-01-01',
      { until: '2026-11-02', state: 'closed', repo: 'acme/widget' },
      ['issue#2', 'pull_request#3'],
      'updated',
    ],
    ['agent user:zeta', { repo: 'acme/other' }, ['issue#7'], 'user'],
    ['agent is:draft sort:created', { sort: 'updated_desc' }, ['pull_request#4'], 'sort'],
  ] as const) {
    const answer = await ask({ query, ...args }, guest)
    expect(hits(answer).toSorted(), query).toEqual(expected)
    expect(answer.warnings, query).toEqual([expect.stringContaining(name)])
    expect(answer.resolved ?? {}, query).not.toHaveProperty(name)
  }
})

test('a qualifier and a parameter may each give one end of a window', async () => {
  const answer = await ask({ query: 'agent updated:>=2026-11-02', until: '2026-11-04' }, guest)
  expect(hits(answer).toSorted()).toEqual(['issue#5', 'issue#6'])
  expect(answer.resolved).toEqual({ updated: '>=2026-11-02' })
  expect(answer).not.toHaveProperty('warnings')
})

test('a dropped qualifier is named in a warning and is no word of the question', async () => {
  const answer = await ask({ query: 'in:title agent sort:reactions created:soon' }, guest)
  expect(answer.count).toBeGreaterThan(3)
  expect(answer.warnings).toEqual(
    ['in:title', 'sort:reactions', 'created:soon'].map((name) => expect.stringContaining(name)),
  )
  expect(answer).not.toHaveProperty('resolved')
})

test('words that only look like qualifiers are searched as words', async () => {
  await put([thread(20, { title: 'fix(docs): path: label: zebra' })])
  const answer = await ask({ query: 'fix(docs): path: label: zebra' })
  expect(hits(answer)[0]).toBe('issue#20')
  expect(answer).not.toHaveProperty('resolved')
})

test('filters of qualifiers that select nothing are named as they were typed', async () => {
  for (const [query, names] of [
    ['agent user:nobody', ['user']],
    ['agent org:nobody label:none', ['org', 'labels']],
    ['agent created:>2030-01-01', ['created']],
    ['agent updated:>2030-01-01', ['updated']],
    ['agent is:draft -type:pull_request', []],
    ['agent label:bug no:label', []],
  ] as const) {
    const answer = await ask({ query }, guest)
    expect(answer).toMatchObject({ count: 0, filters_unmatched: names })
  }
})

test('a cursor is bound to the qualifiers of its scan', async () => {
  const query = '-label:bug is:issue -repo:crowd/all created:<2026-10-03'
  const first = await ask({ query, top_k: 1 }, guest)
  const second = await ask({ query, top_k: 1, cursor: first.next_cursor }, guest)
  expect(second.count).toBe(1)
  for (const other of [
    '-label:docs is:issue -repo:crowd/all created:<2026-10-03',
    'is:issue -repo:crowd/all created:<2026-10-03',
    '-label:bug is:issue -repo:acme/other created:<2026-10-03',
    '-label:bug is:issue user:acme created:<2026-10-03',
    '-label:bug is:issue -repo:crowd/all created:<2026-10-04',
    '-label:bug is:issue -repo:crowd/all no:milestone created:<2026-10-03',
  ]) {
    expect(await refusal({ query: other, top_k: 1, cursor: first.next_cursor }, guest)).toMatchObject({
      code: 'VALIDATION_ERROR',
    })
  }
})

test('a qualifier about a hidden place runs the statements of one about an absent place', async () => {
  for (const text of [
    'user:X agent',
    'user:X',
    '-user:X agent',
    '-repo:X/lab',
    'agent label:none user:X',
    'sort:created user:X',
  ]) {
    const [hidden, absent] = [watched(), watched()]
    const one = await ask({ query: text.replace('X', 'secret') }, guest, hidden.index)
    const other = await ask({ query: text.replace('X', 'absent') }, guest, absent.index)
    expect(hidden.trips, text).toEqual(absent.trips)
    expect(hits(one), text).toEqual(hits(other))
  }
})

test('a query with every filter is answered within the limits of D1', async () => {
  const exclusions = Array.from({ length: 10 }, (_, at) => `-path:vendor/${at}`).join(' ')
  const query = `agent ${exclusions} -org:none created:>2000-01-01 updated:>2000-01-01 is:open`
  const all = { author: 'ada', assignee: 'bob', milestone: 'v1', labels: ['bug'], type: 'issue', repo: 'acme/widget' }
  for (const call of [
    { query, ...all, graph_expand: true, graph_hops: 2 },
    { query: query.replace('agent', ''), ...all },
    {
      query: `${query} is:draft no:label #1 acme/widget#1 "agent queue" v1.2 docs/a.md abcdef1`,
      ...all,
      path_prefix: 'a',
    },
    { query: query.replace('agent', 'no:label'), ...all, labels: ['bug', 'a', 'b', 'c', 'd'], path_prefix: 'a' },
    { query: `${query} user:acme -label:a -author:b`, ...all, repo: '' },
    { query: `${query} -label:a -author:b`.replace('agent', 'user:acme'), ...all, repo: '', type: 'doc' },
  ]) {
    for (const viewer of [owner, guest]) {
      const { index: seen, trips } = watched()
      const answer = await ask(call, viewer, seen)
      if (!('path_prefix' in call) && call.type === 'issue') expect(hits(answer)).toEqual(['issue#1'])
      // D1 in production accepts 100 parameters.
      for (const statement of trips.flat()) expect(statement.split('?').length - 1).toBeLessThanOrEqual(100)
    }
  }
})
