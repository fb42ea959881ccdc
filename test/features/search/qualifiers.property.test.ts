/** Any qualifiers select the rows that a simple model selects, in a search and in a list. */
import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { parseTime } from '../../../src/base/time.ts'
import { ask, hits, put, type Line } from '../../support/search-world.ts'
import { runs } from '../../support/runs.ts'

interface Thread {
  readonly type: 'issue' | 'pull_request'
  readonly number: number
  readonly repo: string
  readonly state: string
  readonly draft: boolean
  readonly merged: boolean
  readonly labels: readonly string[]
  readonly assignees: readonly string[]
  readonly milestone?: string
  readonly author: string
  readonly created_at: string
  readonly updated_at: string
}

const REPOS = ['acme/one', 'acme/two', 'zeta/one']
const LABELS = ['Bug', 'Été', 'good first issue']
const MILESTONES = ['v1', 'V1', 'Été']
const LOGINS = ['Ada', 'bob']
const DAYS = ['2026-01-01', '2026-01-02', '2026-02-01']
const TIMES = DAYS.flatMap((day) => [`${day}T00:00:00Z`, `${day}T12:00:00Z`, `${day}T23:59:59.999Z`])

const thread = fc.record({
  type: fc.constantFrom('issue' as const, 'pull_request' as const),
  repo: fc.constantFrom(...REPOS),
  state: fc.constantFrom('open', 'closed'),
  draft: fc.boolean(),
  merged: fc.boolean(),
  labels: fc.subarray(LABELS),
  assignees: fc.subarray(LOGINS),
  milestone: fc.option(fc.constantFrom(...MILESTONES), { nil: undefined }),
  author: fc.constantFrom(...LOGINS),
  created_at: fc.constantFrom(...TIMES),
  updated_at: fc.constantFrom(...TIMES),
})

const THREADS: readonly Thread[] = fc
  .sample(thread, { numRuns: 45, seed: 7 })
  .map(({ milestone, ...one }, at) => ({ ...one, number: at + 1, ...(milestone !== undefined && { milestone }) }))

beforeAll(() => put(THREADS.map((one): Line => ({ ...one, repo_private: false, title: 'Agent', body: 'stalls' }))))

type Passes = (thread: Thread) => boolean
type Qualifier = readonly [text: string, passes: Passes]

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
const DAY_MS = 86_400_000

function timeQualifier(name: 'created' | 'updated', sign: string, day: string): Qualifier {
  const start = parseTime(day) ?? 0
  const tests: Record<string, (time: number) => boolean> = {
    '>': (time) => time >= start + DAY_MS,
    '>=': (time) => time >= start,
    '<': (time) => time < start,
    '<=': (time) => time < start + DAY_MS,
  }
  return [`${name}:${sign}${day}`, (one) => tests[sign]!(parseTime(one[`${name}_at`]) ?? 0)]
}

/** Qualifiers of which a query may have any number. */
const adding = fc.oneof(
  fc.constantFrom(...LABELS).map((label): Qualifier => [`label:"${label}"`, (one) => one.labels.includes(label)]),
  fc.constantFrom<Qualifier>(
    ['no:label', (one) => one.labels.length === 0],
    ['no:assignee', (one) => one.assignees.length === 0],
    ['no:milestone', (one) => one.milestone === undefined],
    ['is:merged', (one) => one.merged],
    ['is:draft', (one) => one.draft],
  ),
  fc
    .tuple(fc.constantFrom('created', 'updated'), fc.constantFrom('>', '>=', '<', '<='), fc.constantFrom(...DAYS))
    .map((parts) => timeQualifier(...(parts as ['created', string, string]))),
)

/** Qualifiers of which the last one counts; as exclusions they add up. */
const single = fc.oneof(
  fc.constantFrom(...MILESTONES).map((title): Qualifier => [`milestone:${title}`, (one) => one.milestone === title]),
  fc.constantFrom(...LOGINS).map((login): Qualifier => [`author:${login}`, (one) => same(one.author, login)]),
  fc
    .constantFrom(...LOGINS)
    .map((login): Qualifier => [`assignee:${login}`, (one) => one.assignees.some((other) => same(other, login))]),
  fc.constantFrom('open', 'closed').map((state): Qualifier => [`state:${state}`, (one) => one.state === state]),
  fc.constantFrom<Qualifier>(
    ['is:pr', ({ type }) => type === 'pull_request'],
    ['is:issue', ({ type }) => type === 'issue'],
  ),
  fc.constantFrom(...REPOS).map((repo): Qualifier => [`repo:${repo}`, (one) => one.repo === repo]),
  fc.constantFrom('acme', 'zeta').map((owner): Qualifier => [`user:${owner}`, (one) => one.repo.startsWith(owner)]),
)

const negated = fc.oneof(adding, single).map(([text, passes]): Qualifier => [`-${text}`, (one) => !passes(one)])

const query = fc
  .record({
    added: fc.array(adding, { maxLength: 2 }),
    single: fc.option(single),
    not: fc.array(negated, { maxLength: 3 }),
  })
  .map(({ added, single: one, not }) => [...added, ...(one ? [one] : []), ...not])
  .filter((qualifiers) => qualifiers.length > 0)

test('any qualifiers select the rows of the model', async () => {
  await fc.assert(
    fc.asyncProperty(query, fc.constantFrom('NFC', 'NFD'), async (qualifiers, form) => {
      const text = qualifiers
        .map(([one]) => one)
        .join(' ')
        .normalize(form)
      const expected = THREADS.filter((one) => qualifiers.every(([, passes]) => passes(one)))
      const names = expected.map(({ type, number }) => `${type}#${number}`).toSorted()
      expect(hits(await ask({ query: `agent ${text}`, top_k: 50 })).toSorted()).toEqual(names)
      expect(hits(await ask({ query: text, top_k: 50 })).toSorted()).toEqual(names)
    }),
    { numRuns: runs(150) },
  )
})
