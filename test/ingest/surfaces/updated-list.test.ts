/** Walks of lists by update: whole, cheap, and not confused by items that move. */
import * as fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { issueCommentSurface } from '../../../src/ingest/surfaces/issue-comment-surface.ts'
import { issueSurface } from '../../../src/ingest/surfaces/issue-surface.ts'
import { toTime } from '../../../src/base/time.ts'
import { comment, listedGitHub, pull, thread, type ListedGitHub } from '../../support/listed-github.ts'
import { surfaceWorld, walkToEnd, type SurfaceWorld } from '../../support/surface-rows.ts'

const SECOND = 1_000

function withThreads(count: number, timeOf: (number: number) => number): ListedGitHub {
  const github = listedGitHub()
  for (let number = 1; number <= count; number += 1) github.threads.set(number, thread(number, timeOf(number)))
  return github
}

/** In the order in which they were read first. */
function numbersInOrder({ stored }: SurfaceWorld): number[] {
  return [...stored.values()].flatMap(({ document: { identity } }) => ('number' in identity ? identity.number : []))
}

function numbers(world: SurfaceWorld): number[] {
  return numbersInOrder(world).sort((a, b) => a - b)
}

test('a first fill asks for each hundred items once, and for the newest page before', async () => {
  const github = withThreads(1_000, (number) => number * 90 * SECOND)
  const world = surfaceWorld(github)
  const { steps } = await walkToEnd(world, issueSurface)
  expect(numbers(world)).toHaveLength(1_000)
  expect(github.requests.length).toBeLessThanOrEqual(12)
  expect(github.requests[0]).toContain('direction=desc')
  expect(steps[0]).toMatchObject({ done: 0, total: 1_000 })
  expect(steps[0]?.changes[0]).toMatchObject({ put: { identity: { number: 1_000 } } })
})

test('a list of one page is one request', async () => {
  const github = withThreads(100, (number) => number * SECOND)
  const world = surfaceWorld(github)
  await walkToEnd(world, issueSurface)
  expect(numbers(world)).toHaveLength(100)
  expect(github.requests).toHaveLength(1)
})

test('an unchanged list is one request a round, then answered by its version, and its position stays', async () => {
  const github = withThreads(250, (number) => number * 90 * SECOND)
  const world = surfaceWorld(github)
  await walkToEnd(world, issueSurface)
  await walkToEnd(world, issueSurface)
  const position = world.positions.get('issue')
  github.requests.length = 0
  const { steps } = await walkToEnd(world, issueSurface)
  expect(github.requests).toHaveLength(1)
  expect(steps).toEqual([{ changes: [], position, ended: true }])
})

test('a change is found although the version of the list before it was stored', async () => {
  const github = withThreads(3, (number) => number * SECOND)
  const world = surfaceWorld(github)
  await walkToEnd(world, issueSurface)
  await walkToEnd(world, issueSurface)
  github.threads.set(2, thread(2, 3 * SECOND, { title: 'Changed' }))
  await walkToEnd(world, issueSurface)
  expect(world.stored.get('issue 2')?.document.title).toBe('Changed')
})

test('an item that shows up in the list within a minute is not lost', async () => {
  const github = withThreads(120, (number) => number * 90 * SECOND)
  const world = surfaceWorld(github)
  await walkToEnd(world, issueSurface)
  github.threads.set(500, thread(500, 120 * 90 * SECOND - 50 * SECOND))
  await walkToEnd(world, issueSurface)
  expect(numbers(world)).toContain(500)
})

test('five hundred items of one second are read through', async () => {
  const github = withThreads(500, () => 9 * SECOND)
  const world = surfaceWorld(github)
  await walkToEnd(world, issueSurface)
  expect(numbers(world)).toHaveLength(500)
  expect(github.requests.length).toBeLessThanOrEqual(9)
})

test('items that leave a full second while it is read hide none of the others', async () => {
  const github = withThreads(350, () => 9 * SECOND)
  const world = surfaceWorld(github)
  let moved = 0
  github.before = () => {
    // Items that were read, of the front of the list: those behind them take their places. The newest page has its end.
    const read = numbersInOrder(world)
      .slice(100)
      .filter((number) => github.threads.get(number)?.updated_at === toTime(9 * SECOND))
    for (const number of read.slice(0, moved < 30 ? 5 : 0)) {
      moved += 1
      github.threads.set(number, thread(number, 99 * SECOND, { title: 'Moved' }))
    }
    return undefined
  }
  await walkToEnd(world, issueSurface)
  expect(moved).toBe(30)
  expect(numbers(world)).toHaveLength(350)
})

test('where GitHub gives cursors, a full second is read by them, however many items leave it', async () => {
  const github = withThreads(700, () => 9 * SECOND)
  github.hasCursors = true
  const world = surfaceWorld(github)
  let refusals = 0
  github.before = (path) => {
    const count = github.requests.length
    if (count % 2 === 0) github.threads.set(count, thread(count, (1_000 + count) * SECOND, { title: 'Moved' }))
    if (!path.includes('after=') || count < 6 || refusals > 0) return undefined
    refusals += 1
    return { kind: 'refused', status: 422, reason: 'Invalid cursor' }
  }
  expect((await walkToEnd(world, issueSurface)).fault).toBeUndefined()
  expect(numbers(world)).toHaveLength(700)
})

test('a list that ends early without saying so is continued by the next round', async () => {
  const github = withThreads(500, (number) => number * 90 * SECOND)
  const world = surfaceWorld(github)
  await walkToEnd(world, issueSurface)
  for (let number = 501; number <= 900; number += 1) github.threads.set(number, thread(number, number * 90 * SECOND))
  github.endsAfter = 70
  for (let round = 0; round < 8; round += 1) await walkToEnd(world, issueSurface)
  expect(numbers(world)).toHaveLength(900)
})

test('a fault and a spent budget leave the position where it was', async () => {
  const github = withThreads(300, (number) => number * 90 * SECOND)
  const world = surfaceWorld(github)
  github.before = () => (github.requests.length === 3 ? { kind: 'fault', reason: 'GitHub answers 502' } : undefined)
  const { fault } = await walkToEnd(world, issueSurface)
  expect(fault).toEqual({ kind: 'fault', reason: 'GitHub answers 502' })
  github.before = () => undefined
  await walkToEnd(world, issueSurface)
  expect(numbers(world)).toHaveLength(300)
})

test('a list that answers 410 is off, and one that answers 404 is unreadable', async () => {
  const github = withThreads(3, (number) => number * SECOND)
  const world = surfaceWorld(github)
  await walkToEnd(world, issueSurface)
  const path = `/repos/acme/app/issues?state=all&sort=updated&direction=asc&per_page=100&since=${encodeURIComponent('1969-12-31T23:59:03Z')}`
  for (const [status, state] of [
    [410, 'off'],
    [404, 'unreadable'],
  ] as const) {
    github.answers.set(path, { kind: 'absent', status })
    const { steps } = await walkToEnd(world, issueSurface)
    expect(steps).toMatchObject([{ changes: [], ended: true, closed: { state } }])
  }
  expect(numbers(world)).toEqual([1, 2, 3])
})

test('an item that is not what the list should have is a fault', async () => {
  const github = withThreads(3, (number) => number * SECOND)
  github.threads.set(2, { ...thread(2, SECOND), state: 'merged' })
  const { fault } = await walkToEnd(surfaceWorld(github), issueSurface)
  expect(fault).toEqual({ kind: 'fault', reason: "GitHub's answer has an item that is no issue" })
})

test('issues and pull requests come from one list', async () => {
  const github = listedGitHub()
  github.threads.set(1, thread(1, SECOND))
  github.threads.set(2, pull(2, 2 * SECOND, { state: 'closed', pull_request: { merged_at: toTime(SECOND) } }))
  const world = surfaceWorld(github)
  await walkToEnd(world, issueSurface)
  expect(world.stored.get('issue 1')?.document).not.toHaveProperty('merged')
  expect(world.stored.get('issue 2')?.document).toMatchObject({
    identity: { type: 'pull_request', number: 2 },
    merged: true,
    draft: false,
    state: 'closed',
  })
})

test('two rounds over a list that moves while it is walked make the index equal to it', async () => {
  const step = fc.record({
    at: fc.nat(30),
    id: fc.integer({ min: 1, max: 400 }),
    gone: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 400 }),
      fc.array(step, { maxLength: 40 }),
      async (seconds, count, moves) => {
        const github = listedGitHub()
        for (let id = 1; id <= count; id += 1) github.comments.set(id, comment(id, (id % seconds) * SECOND))
        let now = 1_000 * SECOND
        const removed = new Set<number>()
        github.before = () => {
          for (const { at, id, gone } of moves) {
            if (at !== github.requests.length) continue
            now += SECOND
            if (gone && github.comments.delete(id)) removed.add(id)
            else if (!removed.has(id)) github.comments.set(id, comment(id, now, { body: `Changed words at ${now}` }))
          }
          return undefined
        }
        const world = surfaceWorld(github)
        await walkToEnd(world, issueCommentSurface)
        github.before = () => undefined
        await walkToEnd(world, issueCommentSurface)
        for (const [id, item] of github.comments) {
          expect(world.stored.get(`issue_comment ${id}`)?.document.body).toBe(item['body'])
        }
      },
    ),
    { numRuns: 60 * inject('soakTimes') },
  )
})
