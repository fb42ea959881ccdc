/** Laps: every missed change and every deletion is found, and nothing that is there is removed. */
import * as fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { issueCommentSurface } from '../../../src/ingest/surfaces/issue-comment-surface.ts'
import { issueSurface } from '../../../src/ingest/surfaces/issue-surface.ts'
import { comment, listedGitHub, thread, type ListedGitHub } from '../../support/listed-github.ts'
import { surfaceWorld, walkToEnd, type SurfaceWorld } from '../../support/surface-rows.ts'

const SECOND = 1_000

async function filled(count: number, timeOf = (number: number) => number * 90 * SECOND) {
  const github = listedGitHub()
  for (let number = 1; number <= count; number += 1) github.threads.set(number, thread(number, timeOf(number)))
  const world = surfaceWorld(github)
  await walkToEnd(world, issueSurface)
  github.requests.length = 0
  return { github, world }
}

async function lap(world: SurfaceWorld, spec = issueSurface) {
  const { steps, fault } = await walkToEnd(world, spec, 'lap')
  return {
    fault,
    checked: steps.reduce((sum, step) => sum + (step.checked ?? 0), 0),
    removed: steps.flatMap(({ changes }) => changes.filter((change) => 'remove' in change)),
  }
}

function single(github: ListedGitHub): string[] {
  return github.requests.filter((path) => !path.includes('?'))
}

test('a lap over an unchanged list compares every row and reads no item by itself', async () => {
  const { github, world } = await filled(450)
  expect(await lap(world)).toEqual({ fault: undefined, checked: 450, removed: [] })
  expect(github.requests).toHaveLength(5)
})

test('a deleted item is proven gone and removed with everything under it', async () => {
  const { github, world } = await filled(150)
  world.apply([
    { put: { ...world.stored.get('issue 9')!.document, identity: { type: 'issue_comment', commentId: 4 }, number: 9 } },
  ])
  github.threads.delete(9)
  expect((await lap(world)).removed).toHaveLength(1)
  expect(world.stored.has('issue 9')).toBe(false)
  expect(world.stored.has('issue_comment 4')).toBe(false)
  // The item, and the repository, whose absence would explain the 404 too.
  expect(single(github)).toEqual(['/repos/acme/app/issues/9', '/repos/acme/app'])
})

test('an item transferred to another repository is gone, and so is one that answers 410', async () => {
  const { github, world } = await filled(20)
  github.threads.delete(4)
  github.threads.delete(5)
  github.threads.delete(6)
  github.answers.set('/repos/acme/app/issues/4', {
    kind: 'moved',
    location: 'https://api.github.com/repositories/8/issues/1',
  })
  github.answers.set('/repos/acme/app/issues/5', { kind: 'absent', status: 410 })
  github.answers.set('/repos/acme/app/issues/6', {
    kind: 'moved',
    location: 'https://api.github.com/repos/acme/other/issues/1',
  })
  expect((await lap(world)).removed).toHaveLength(3)
})

test('nothing is gone because the issues of a repository were turned off', async () => {
  const { github, world } = await filled(20)
  github.threads.delete(5)
  github.answers.set('/repos/acme/app/issues/5', { kind: 'absent', status: 410 })
  github.answers.set('/repos/acme/app', { kind: 'ok', body: { id: 7, has_issues: false } })
  expect(await lap(world)).toMatchObject({ fault: { kind: 'fault' }, removed: [] })
})

test('a redirect to the same item under a new name removes nothing', async () => {
  const { github, world } = await filled(20)
  github.threads.delete(4)
  github.answers.set('/repos/acme/app/issues/4', {
    kind: 'moved',
    location: 'https://api.github.com/repositories/7/issues/4',
  })
  expect(await lap(world)).toMatchObject({ fault: { kind: 'fault' }, removed: [] })
})

test('a 404 removes nothing while the repository is out of reach', async () => {
  const { github, world } = await filled(20)
  github.threads.delete(4)
  for (const answer of [
    { kind: 'absent', status: 404 },
    { kind: 'ok', body: { id: 8 } },
    { kind: 'moved', location: 'https://api.github.com/repositories/7' },
  ] as const) {
    github.answers.set('/repos/acme/app', answer)
    expect(await lap(world)).toMatchObject({ fault: { kind: 'fault' }, removed: [] })
  }
})

test('an item that the list hides but that is there stays', async () => {
  const { github, world } = await filled(20)
  const hidden = github.threads.get(4)!
  github.threads.delete(4)
  github.answers.set('/repos/acme/app/issues/4', { kind: 'ok', body: hidden })
  expect((await lap(world)).removed).toEqual([])
})

test('a list that ends early without saying so removes nothing and costs few requests', async () => {
  const { github, world } = await filled(400)
  github.endsAfter = 60
  const { removed, checked } = await lap(world)
  expect({ removed, checked }).toEqual({ removed: [], checked: 400 })
  expect(github.requests.length).toBeLessThan(25)
})

test('missed changes are put, also those that moved no time', async () => {
  const { github, world } = await filled(230)
  github.threads.set(3, thread(3, 3 * 90 * SECOND, { labels: [{ name: 'bug' }] }))
  github.threads.set(231, thread(231, 5 * SECOND))
  github.threads.set(7, thread(7, 9_999_999 * SECOND, { title: 'Moved' }))
  expect((await lap(world)).removed).toEqual([])
  expect(world.stored.get('issue 3')?.document.labels).toEqual(['bug'])
  expect(world.stored.has('issue 231')).toBe(true)
  expect(world.stored.get('issue 7')?.document.title).toBe('Moved')
  expect(single(github)).toEqual([])
})

test('hundreds of rows of one second are compared, and more rows than a step takes', async () => {
  const { github, world } = await filled(1_300, () => 9 * SECOND)
  github.threads.delete(17)
  github.threads.delete(1_200)
  expect((await lap(world)).removed).toHaveLength(2)
  expect(world.stored.size).toBe(1_298)
})

test('rows of bots and rows that now say nothing are removed', async () => {
  const github = listedGitHub()
  for (let id = 1; id <= 4; id += 1) github.comments.set(id, comment(id, id * SECOND))
  const world = surfaceWorld(github)
  await walkToEnd(world, issueCommentSurface)
  github.comments.set(2, comment(2, 2 * SECOND, { user: { login: 'ci[bot]', type: 'Bot' } }))
  github.comments.set(3, comment(3, 3 * SECOND, { body: '+1', created_at: '1970-01-01T00:00:03Z' }))
  await lap(world, issueCommentSurface)
  expect([...world.stored.keys()].sort()).toEqual(['issue_comment 1', 'issue_comment 4'])
})

test('one lap after any missed changes and deletions makes the index equal to the list', async () => {
  const id = fc.integer({ min: 1, max: 300 })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 80 }),
      fc.array(id, { maxLength: 60 }),
      fc.array(id, { maxLength: 60 }),
      fc.array(id, { maxLength: 60 }),
      fc.array(fc.tuple(fc.nat(12), id), { maxLength: 12 }),
      fc.option(fc.integer({ min: 20, max: 150 }), { nil: Number.POSITIVE_INFINITY }),
      async (seconds, missed, deleted, changed, moves, endsAfter) => {
        const github = listedGitHub()
        for (let one = 1; one <= 300; one += 1) github.comments.set(one, comment(one, (one % seconds) * SECOND))
        const world = surfaceWorld(github)
        await walkToEnd(world, issueCommentSurface)
        for (const one of missed) world.stored.delete(`issue_comment ${one}`)
        for (const one of deleted) github.comments.delete(one)
        for (const one of changed) {
          const item = github.comments.get(one)
          if (item !== undefined) github.comments.set(one, { ...item, body: 'Other words in the same second' })
        }
        github.endsAfter = endsAfter
        github.requests.length = 0
        let now = 1_000 * SECOND
        const gone = new Set(deleted)
        github.before = () => {
          for (const [at, one] of moves) {
            if (at === github.requests.length && !gone.has(one)) {
              now += SECOND
              github.comments.set(one, comment(one, now, { body: `Words that moved at ${now}` }))
            }
          }
          return undefined
        }
        const { fault } = await lap(world, issueCommentSurface)
        expect(fault).toBeUndefined()
        // The next poll reads the items that moved behind the lap.
        github.before = () => undefined
        await walkToEnd(world, issueCommentSurface)
        const expected = new Map([...github.comments].map(([one, item]) => [`issue_comment ${one}`, item['body']]))
        for (const key of world.stored.keys()) expect(expected.has(key)).toBe(true)
        if (endsAfter !== Number.POSITIVE_INFINITY) return
        for (const [key, body] of expected) expect(world.stored.get(key)?.document.body).toBe(body)
      },
    ),
    { numRuns: 40 * inject('soakTimes') },
  )
})
