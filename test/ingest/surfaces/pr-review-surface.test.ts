/** Reviews: in batches over GraphQL, page by page without a credential, and proven one by one. */
import { beforeEach, expect, test } from 'vitest'
import { AGAIN_READERS } from '../../../src/ingest/surfaces/index.ts'
import { issueSurface } from '../../../src/ingest/surfaces/issue-surface.ts'
import { reviewSurface } from '../../../src/ingest/surfaces/pr-review-surface.ts'
import type { PendingRead } from '../../../src/ingest/surfaces/surface.ts'
import { listedGitHub, pull, review, type ListedGitHub } from '../../support/listed-github.ts'
import { surfaceWorld, walkToEnd, type SurfaceWorld } from '../../support/surface-rows.ts'

const SECOND = 1_000
let github: ListedGitHub
let world: SurfaceWorld

beforeEach(async () => {
  github = listedGitHub()
  for (let number = 1; number <= 90; number += 1) {
    github.threads.set(number, pull(number, number * 90 * SECOND))
    github.reviews.set(number, [review(number * 10, number * 90 * SECOND)])
  }
  world = surfaceWorld(github)
  await walkToEnd(world, issueSurface)
  github.requests.length = 0
})

function reviewsIn(): string[] {
  return [...world.stored.keys()].filter((key) => key.startsWith('pr_review ')).sort()
}

async function readPending(first: PendingRead): Promise<void> {
  const queue = [first]
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const read = await AGAIN_READERS[next.kind as 'thread'](world.context, next.key)
    if (!read.ok) throw new Error('a fault')
    world.apply(read.value.changes)
    queue.push(...(read.value.pending ?? []).filter(({ kind }) => kind !== 'commits'))
  }
}

test('twenty pull requests are one query', async () => {
  await walkToEnd(world, reviewSurface)
  expect(reviewsIn()).toHaveLength(90)
  expect(github.requests).toHaveLength(5)
})

test('a round without a changed pull request makes no request, and one with a change few', async () => {
  await walkToEnd(world, reviewSurface)
  github.requests.length = 0
  const position = world.positions.get('pr_review')
  expect((await walkToEnd(world, reviewSurface)).steps).toEqual([{ changes: [], position, ended: true }])
  expect(github.requests).toEqual([])
  github.threads.set(3, pull(3, 9_000 * SECOND))
  github.reviews.get(3)!.push(review(31, 9_000 * SECOND))
  await walkToEnd(world, issueSurface)
  github.requests.length = 0
  await walkToEnd(world, reviewSurface)
  expect(reviewsIn()).toContain('pr_review 31')
  expect(github.requests).toHaveLength(1)
})

test('a query that fails is sent for half as many, which later steps keep', async () => {
  github.before = (query) =>
    (query.match(/pullRequest/g) ?? []).length > 6 ? { kind: 'fault', reason: 'GitHub answers 502' } : undefined
  const { fault } = await walkToEnd(world, reviewSurface)
  expect(fault).toBeUndefined()
  expect(reviewsIn()).toHaveLength(90)
  // Twenty, ten and five, then five at a time.
  expect(github.requests).toHaveLength(2 + 18)
})

test('a query for one pull request that fails is a fault, and a wait is one at once', async () => {
  github.before = () => ({ kind: 'fault', reason: 'GitHub answers 502' })
  expect((await walkToEnd(world, reviewSurface)).fault).toMatchObject({ kind: 'fault' })
  expect(github.requests).toHaveLength(5)
  github.before = () => ({ kind: 'waiting', untilMs: 9, reason: 'limit' })
  world.positions.delete('pr_review')
  github.requests.length = 0
  expect((await walkToEnd(world, reviewSurface)).fault).toMatchObject({ kind: 'waiting' })
  expect(github.requests).toHaveLength(1)
})

test('without a credential reviews are read over REST, into the same documents', async () => {
  await walkToEnd(world, reviewSurface)
  const before = new Map(world.stored)
  for (const key of reviewsIn()) world.stored.delete(key)
  world.positions.delete('pr_review')
  github.hasGraphql = false
  github.requests.length = 0
  await walkToEnd(world, reviewSurface)
  expect(github.requests).toHaveLength(90)
  expect(world.stored).toEqual(before)
})

test('more than a hundred reviews of one pull request are read', async () => {
  github.hasGraphql = false
  github.reviews.set(
    5,
    Array.from({ length: 230 }, (_, at) => review(5_000 + at, 450 * SECOND)),
  )
  await walkToEnd(world, reviewSurface)
  expect(reviewsIn()).toHaveLength(89 + 230)
  await walkToEnd(world, reviewSurface, 'lap')
  expect(reviewsIn()).toHaveLength(89 + 230)
})

test('further pages of several pull requests are sent for with the cursor of each', async () => {
  const pageOf = (id: number, endCursor: string | null) => ({
    reviews: {
      pageInfo: { hasNextPage: endCursor !== null, endCursor },
      nodes: [
        {
          url: `https://github.com/acme/app/pull/1#pullrequestreview-${id}`,
          state: 'COMMENTED',
          body: '',
          submittedAt: '2026-01-01T00:00:00Z',
          author: null,
        },
      ],
    },
  })
  const sent: Readonly<Record<string, unknown>>[] = []
  const scripted = {
    ...world.context.github,
    async graphql(_query: string, variables: Readonly<Record<string, unknown>>) {
      sent.push(variables)
      const isFirst = sent.length === 1
      const cursor = (name: string) => (isFirst ? name : null)
      const nodes: Record<string, unknown> = {}
      for (let number = 1; number <= 90; number += 1) nodes[`p${number}`] = pageOf(number + 500, null)
      nodes['p1'] = pageOf(isFirst ? 901 : 903, cursor('one'))
      nodes['p2'] = pageOf(isFirst ? 902 : 904, cursor('two'))
      return { ok: true, value: { repository: nodes } } as const
    },
  }
  const own = { ...world, context: { ...world.context, github: scripted } }
  await walkToEnd(own, reviewSurface)
  expect(sent[1]).toEqual({ owner: 'acme', name: 'app', from0: 'one', from1: 'two' })
  expect(reviewsIn()).toEqual(
    expect.arrayContaining(['pr_review 901', 'pr_review 902', 'pr_review 903', 'pr_review 904']),
  )
})

test('reviews are not read beyond the place that pull requests were read to', async () => {
  world.positions.set('issue', { place: { sinceMs: 50 * 90 * SECOND } })
  await walkToEnd(world, reviewSurface)
  expect(reviewsIn()).toHaveLength(49)
  world.positions.set('issue', { lastMs: 90 * 90 * SECOND })
  await walkToEnd(world, reviewSurface)
  expect(reviewsIn()).toHaveLength(90)
})

test('pending reviews and those of bots have no document, a review without words does', async () => {
  github.reviews.set(1, [
    review(10, 90 * SECOND, { body: '', state: 'CHANGES_REQUESTED' }),
    review(11, 90 * SECOND, { state: 'PENDING', submitted_at: null }),
    review(12, 90 * SECOND, { user: { login: 'helper[bot]', type: 'Bot' } }),
    review(13, 90 * SECOND, { user: null }),
  ])
  await walkToEnd(world, reviewSurface)
  expect(reviewsIn().filter((key) => /^pr_review 1\d$/.test(key))).toEqual(['pr_review 10', 'pr_review 13'])
  expect(world.stored.get('pr_review 10')?.document).toMatchObject({
    body: '',
    reviewState: 'changes_requested',
    number: 1,
  })
  expect(world.stored.get('pr_review 13')?.document).not.toHaveProperty('author')
})

test('a lap removes the review that GitHub proves gone and keeps one that only its list hides', async () => {
  await walkToEnd(world, reviewSurface)
  const hidden = github.reviews.get(7)![0]!
  github.reviews.set(6, [])
  github.reviews.set(7, [])
  github.answers.set('/repos/acme/app/pulls/7/reviews/70', { kind: 'ok', body: hidden })
  const { steps } = await walkToEnd(world, reviewSurface, 'lap')
  expect(steps.reduce((sum, { checked = 0 }) => sum + checked, 0)).toBe(90)
  expect(reviewsIn()).toHaveLength(89)
  expect(reviewsIn()).not.toContain('pr_review 60')
})

test('a pull request that GraphQL does not know is read by itself', async () => {
  github.threads.delete(8)
  await walkToEnd(world, reviewSurface)
  expect(world.pending).toEqual([{ kind: 'thread', key: '8' }])
  await readPending(world.pending[0]!)
  expect(world.stored.has('issue 8')).toBe(false)
})

test('the reviews of one pull request are read again, and what is gone is removed', async () => {
  await walkToEnd(world, reviewSurface)
  github.reviews.set(9, [review(91, 810 * SECOND), review(92, 810 * SECOND, { state: 'DISMISSED' })])
  await readPending({ kind: 'pr_review', key: '9' })
  expect(reviewsIn().filter((key) => /^pr_review 9\d$/.test(key))).toEqual(['pr_review 91', 'pr_review 92'])
  expect(world.stored.get('pr_review 92')?.document.reviewState).toBe('dismissed')
})
