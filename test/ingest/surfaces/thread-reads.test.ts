/** Single reads: a thread, a comment, and all threads after an edit of a label. */
import { beforeEach, expect, test } from 'vitest'
import { AGAIN_READERS } from '../../../src/ingest/surfaces/index.ts'
import { issueSurface } from '../../../src/ingest/surfaces/issue-surface.ts'
import type { PendingRead } from '../../../src/ingest/surfaces/surface.ts'
import { comment, listedGitHub, pull, review, thread, type ListedGitHub } from '../../support/listed-github.ts'
import { surfaceWorld, walkToEnd, type SurfaceWorld } from '../../support/surface-rows.ts'

const SECOND = 1_000
let github: ListedGitHub
let world: SurfaceWorld

beforeEach(async () => {
  github = listedGitHub()
  for (let number = 1; number <= 4; number += 1) github.threads.set(number, thread(number, number * SECOND))
  world = surfaceWorld(github)
  await walkToEnd(world, issueSurface)
  github.requests.length = 0
})

async function readAll(first: PendingRead): Promise<void> {
  const queue = [first]
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const before = github.requests.length
    const read = await AGAIN_READERS[next.kind as 'thread'](world.context, next.key)
    if (!read.ok) throw new Error('a fault')
    expect(github.requests.length - before).toBeLessThanOrEqual(1)
    world.apply(read.value.changes)
    queue.push(...(read.value.pending ?? []))
  }
}

test('a thread that the index has is one request', async () => {
  github.threads.set(2, thread(2, 2 * SECOND, { title: 'New title' }))
  await readAll({ kind: 'thread', key: '2' })
  expect(world.stored.get('issue 2')?.document.title).toBe('New title')
  expect(github.requests).toEqual(['/repos/acme/app/issues/2'])
})

test('a thread that the index does not have brings its comments and reviews, page by page', async () => {
  github.threads.set(9, pull(9, 9 * SECOND))
  const issueUrl = 'https://api.github.com/repos/acme/app/issues/9'
  for (let id = 1; id <= 130; id += 1) github.comments.set(id, comment(id, SECOND, { issue_url: issueUrl }))
  github.reviews.set(9, [review(90, SECOND)])
  await readAll({ kind: 'thread', key: '9' })
  expect(world.stored.size).toBe(4 + 1 + 130 + 1)
})

test('a thread that is gone is removed after the repository was asked for', async () => {
  github.threads.delete(3)
  await readAll({ kind: 'thread', key: '3' })
  expect(world.stored.has('issue 3')).toBe(false)
  expect(github.requests).toEqual(['/repos/acme/app/issues/3', '/repos/acme/app'])
})

test('a comment is read again, and removed if it is gone or says nothing now', async () => {
  github.comments.set(1, comment(1, SECOND))
  github.comments.set(2, comment(2, SECOND))
  await readAll({ kind: 'issue_comment', key: '1' })
  await readAll({ kind: 'issue_comment', key: '2' })
  expect(world.stored.get('issue_comment 1')?.document).toMatchObject({ number: 1, body: 'The words of comment 1' })
  github.comments.delete(1)
  github.comments.set(2, comment(2, 2 * SECOND, { body: 'ok' }))
  await readAll({ kind: 'issue_comment', key: '1' })
  await readAll({ kind: 'issue_comment', key: '2' })
  expect(world.stored.size).toBe(4)
})

test('a sweep puts the threads whose label was renamed, page by page', async () => {
  for (let number = 1; number <= 250; number += 1) {
    github.threads.set(number, thread(number, number * SECOND, { labels: [{ name: 'renamed' }] }))
  }
  await readAll({ kind: 'threads', key: '' })
  expect(world.stored.size).toBe(250)
  for (const { document } of world.stored.values()) expect(document.labels).toEqual(['renamed'])
  expect(github.requests).toHaveLength(3)
})

test('a key that names nothing asks for nothing', async () => {
  for (const key of ['', '0', 'x', '1.5', '../7']) {
    await readAll({ kind: 'thread', key })
    await readAll({ kind: 'issue_comment', key })
    await readAll({ kind: 'pr_review', key })
  }
  expect(github.requests).toEqual([])
})
