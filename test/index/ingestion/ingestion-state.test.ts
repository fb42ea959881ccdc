import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { comparedRows } from '../../../src/index/ingestion/compared-rows.ts'
import { readLastDelivery, wasDelivered } from '../../../src/index/ingestion/deliveries.ts'
import { forgetOld } from '../../../src/index/ingestion/forget-old.ts'
import {
  countPendingReads,
  listPendingReads,
  queueReads,
  retryPendingRead,
} from '../../../src/index/ingestion/pending-reads.ts'
import { requestLimits } from '../../../src/index/ingestion/request-limits.ts'
import {
  beginRound,
  countRequests,
  forgetSurfaces,
  listSurfaceReads,
  recordTrouble,
} from '../../../src/index/ingestion/surface-reads.ts'
import { findRepository, listRepositories, putRepository } from '../../../src/index/write/put-repository.ts'
import type { SurfaceRows } from '../../../src/ingest/surfaces/surface.ts'
import { allDocuments, brokenInvariants, clearIndex, index, NOW, put } from '../../support/index-world.ts'
import { addRepository, deliver, read, REPO_ID } from '../../support/ingest-pages.ts'
import { LINES, removalOf } from '../../support/lines.ts'

const DAY = 86_400_000

beforeEach(clearIndex)
afterEach(async () => expect(await brokenInvariants()).toEqual([]))

describe('surfaces', () => {
  const move = {
    repoId: REPO_ID,
    surface: 'issue',
    walk: 'poll',
    position: { since: 5 },
    ended: false,
    requests: 2,
  } as const
  const one = async () => (await listSurfaceReads(index)).find(({ walk }) => walk === 'poll')!

  beforeEach(() => addRepository())

  test('a surface is reading until its walk has ended, and then current', async () => {
    await beginRound(index, 'poll', [{ repoId: REPO_ID, surface: 'issue' }])
    expect(await one()).toMatchObject({ state: 'reading', isUnread: true, position: undefined, requests: 0 })
    await read([], undefined, { surface: { ...move, done: 1, total: 3 } })
    expect(await one()).toMatchObject({ state: 'reading', isUnread: true, position: { since: 5 }, done: 1, total: 3 })
    await read([], undefined, { surface: { ...move, ended: true } })
    expect(await one()).toMatchObject({ state: 'current', isUnread: false, requests: 4, endedAtMs: NOW })
    expect(await one()).not.toHaveProperty('done')
  })

  test('a trouble keeps the position and its reason until the next page', async () => {
    await read([], undefined, { surface: move })
    const trouble = {
      repoId: REPO_ID,
      surface: 'issue',
      walk: 'poll',
      state: 'waiting',
      error: 'GitHub answered 502.',
    } as const
    await recordTrouble(index, { ...trouble, requests: 1, retryAtMs: NOW + 1 })
    await recordTrouble(index, { ...trouble, requests: 1, retryAtMs: NOW + 2 })
    expect(await one()).toMatchObject({
      position: { since: 5 },
      state: 'waiting',
      attempts: 2,
      requests: 4,
      lastError: 'GitHub answered 502.',
      retryAtMs: NOW + 2,
    })
    await read([], undefined, { surface: move })
    expect(await one()).toMatchObject({ attempts: 0, state: 'reading' })
    expect(await one()).not.toHaveProperty('lastError')
    expect(await one()).not.toHaveProperty('retryAtMs')
  })

  test('a closed surface says why, and counts as read in its round', async () => {
    await beginRound(index, 'poll', [{ repoId: REPO_ID, surface: 'issue' }])
    await read([], undefined, { surface: { ...move, closed: { state: 'off', reason: 'Issues are disabled.' } } })
    expect(await one()).toMatchObject({ state: 'off', isUnread: false, lastError: 'Issues are disabled.' })
    expect(await one()).not.toHaveProperty('endedAtMs')
  })

  test('requests are counted also where no page was written', async () => {
    await countRequests(index, REPO_ID, 'poll', new Map([['issue', 3]]))
    await read([], undefined, { surface: move })
    expect(await one()).toMatchObject({ requests: 5 })
  })

  test('a surface that is forgotten begins again and keeps its count of requests', async () => {
    await read([LINES.doc], undefined, { surface: { ...move, ended: true } })
    await read([], undefined, { surface: { ...move, walk: 'lap' } })
    await forgetSurfaces(index, REPO_ID, { surface: 'issue', walk: 'poll' })
    expect(await one()).toMatchObject({ position: undefined, state: 'reading', isUnread: true, requests: 2 })
    expect((await listSurfaceReads(index)).find(({ walk }) => walk === 'lap')).toMatchObject({ position: { since: 5 } })
  })
})

describe('pending reads', () => {
  const thread = { repoId: REPO_ID, kind: 'thread', key: '7' } as const

  beforeEach(() => addRepository())

  test('a read that fails waits longer each time, and one that is queued again is due at once', async () => {
    await queueReads(index, [thread, thread], NOW)
    for (const wait of [60_000, 120_000, 240_000]) {
      const [due] = await listPendingReads(index, NOW + DAY, 10)
      await retryPendingRead(index, due!, { error: 'GitHub answered 500.', nowMs: NOW })
      expect(await listPendingReads(index, NOW + wait - 1, 10)).toEqual([])
      expect(await listPendingReads(index, NOW + wait, 10)).toHaveLength(1)
    }
    expect(await listPendingReads(index, NOW, 10, { isForced: true })).toMatchObject([
      { attempts: 3, error: 'GitHub answered 500.' },
    ])
    expect(await countPendingReads(index)).toEqual([
      { repoId: REPO_ID, kind: 'thread', count: 1, error: 'GitHub answered 500.' },
    ])
    await queueReads(index, [thread], NOW)
    expect(await listPendingReads(index, NOW, 10)).toMatchObject([{ attempts: 0 }])
  })

  test('a failure from before a read was queued again does not put it off', async () => {
    await queueReads(index, [thread], NOW)
    const [before] = await listPendingReads(index, NOW, 10)
    await queueReads(index, [thread], NOW)
    await retryPendingRead(index, before!, { error: 'late', nowMs: NOW })
    expect(await listPendingReads(index, NOW, 10)).toHaveLength(1)
  })

  test('the longest due comes first', async () => {
    await queueReads(index, [thread], NOW)
    await queueReads(index, [{ ...thread, key: '3' }], NOW - 5)
    expect((await listPendingReads(index, NOW, 1)).map(({ key }) => key)).toEqual(['3'])
  })
})

test('what GitHub said of a credential is kept, and replaced as a whole', async () => {
  const limits = requestLimits(index)
  expect(await limits.read('hash')).toBeUndefined()
  await limits.write('hash', { limit: 5000, remaining: 0, resetsAtMs: NOW, blockedUntilMs: NOW, backoffs: 2 })
  expect(await limits.read('hash')).toEqual({
    limit: 5000,
    remaining: 0,
    resetsAtMs: NOW,
    blockedUntilMs: NOW,
    backoffs: 2,
  })
  await limits.write('hash', { remaining: 7 })
  expect(await limits.read('hash')).toEqual({ remaining: 7 })
})

test('removals and deliveries are forgotten after 30 days', async () => {
  await addRepository()
  await deliver([removalOf(LINES.issue)], {}, 'old')
  expect(await readLastDelivery(index)).toBe(NOW)
  expect(await forgetOld(index, NOW + 30 * DAY)).toBe(0)
  expect(await wasDelivered(index, { hook: '1', delivery: 'old' })).toBe(true)
  expect(await forgetOld(index, NOW + 30 * DAY + 1)).toBe(2)
  expect(await wasDelivered(index, { hook: '1', delivery: 'old' })).toBe(false)
  expect(await readLastDelivery(index)).toBeUndefined()
  expect(await deliver([LINES.issue])).toMatchObject({ written: 1, pending: 0 })
})

describe('repositories', () => {
  const described = { repoId: 7, name: 'acme/widgets', private: false, defaultBranch: 'main', archived: false }
  const asRead = { kind: 'read', marker: 0 } as const
  const repos = async () => (await allDocuments()).map(({ repository }) => [repository.id, repository.name])

  test('rows follow the id through a rename, and the former name still leads to them', async () => {
    await putRepository(index, described, asRead)
    await put([{ ...LINES.doc, repo_id: 7 }])
    await putRepository(index, { ...described, name: 'other/gadgets', private: true, archived: true }, asRead)
    expect(await repos()).toEqual([[7, 'other/gadgets']])
    expect(await findRepository(index, 'ACME/Widgets')).toEqual({
      repoId: 7,
      name: 'other/gadgets',
      private: true,
      archived: true,
      defaultBranch: 'main',
    })
  })

  test('a name that another repository has taken mixes nothing', async () => {
    await putRepository(index, described, asRead)
    await put([{ ...LINES.doc, repo_id: 7, body: 'Of the first.' }])
    await putRepository(index, { ...described, repoId: 8 }, asRead)
    await put([{ ...LINES.doc, repo_id: 8, body: 'Of the second.' }])
    expect((await allDocuments()).map(({ repository, body }) => [repository.id, body])).toEqual([
      [7, 'Of the first.'],
      [8, 'Of the second.'],
    ])
    expect(await findRepository(index, 'acme/widgets')).toMatchObject({ repoId: 8 })
    expect((await listRepositories(index)).map(({ repoId }) => repoId)).toEqual([7, 8])
  })

  test('an imported checkout is adopted by its GitHub id, and keeps every row once', async () => {
    const lines = [LINES.doc, LINES.diff, LINES.commit, LINES.release]
    await put(lines)
    const before = await allDocuments()
    await putRepository(index, { ...described, repoId: REPO_ID }, asRead)
    expect(await read(lines)).toEqual({ written: 0, unchanged: 4, stale: 0, removed: 0, pending: 0 })
    expect((await allDocuments()).map(({ identity }) => identity)).toEqual(before.map(({ identity }) => identity))
    expect(await read([{ ...LINES.doc, body: 'Newer on GitHub.', updated_at: '2020-01-01' }])).toMatchObject({
      written: 1,
    })
    expect(await put([{ ...LINES.doc, body: 'Imported again.' }])).toMatchObject({ written: 1 })
    expect(await repos()).toEqual(Array.from({ length: 4 }, () => [REPO_ID, 'acme/widgets']))
  })

  test('a repository that is as it was costs no write', async () => {
    await putRepository(index, described, asRead)
    const before = (await env.DB.prepare('SELECT * FROM repositories, ingestion').all()).results
    await putRepository(index, described, asRead)
    expect((await env.DB.prepare('SELECT * FROM repositories, ingestion').all()).results).toEqual(before)
  })
})

describe('rows that walks compare', () => {
  const at = (second: number): string => new Date(Date.UTC(2026, 10, 1) + second * 1000).toISOString()
  const rows = (): SurfaceRows => comparedRows(index, REPO_ID)
  const ids = (listed: Awaited<ReturnType<SurfaceRows['listBetween']>>) =>
    listed.map(({ identity }) => Object.values(identity).slice(1).join(' '))

  beforeEach(() => addRepository())

  test('rows come in the order of time and number, after one place and up to another', async () => {
    const issue = (number: number, second: number) => ({ ...LINES.issue, number, updated_at: at(second) })
    await read([issue(9, 1), issue(2, 1), issue(5, 2), { ...LINES.pull_request, number: 3, updated_at: at(2) }])
    const types = ['issue', 'pull_request'] as const
    const ms = (second: number) => Date.parse(at(second))
    expect(ids(await rows().listBetween(types, { updatedAt: 0, key: 0 }, undefined, 10))).toEqual(['2', '9', '3', '5'])
    expect(
      ids(await rows().listBetween(types, { updatedAt: ms(1), key: 2 }, { updatedAt: ms(2), key: 3 }, 10)),
    ).toEqual(['9', '3'])
    expect(ids(await rows().listBetween(types, { updatedAt: 0, key: 0 }, undefined, 1))).toEqual(['2'])
    expect(ids(await rows().listBetween(['pull_request'], { updatedAt: 0, key: 0 }, undefined, 9))).toEqual(['3'])
  })

  test('comments are ordered by their ids, and rows of other repositories and removed ones are not listed', async () => {
    await addRepository(99, 'acme/other')
    const comment = (comment_id: number) => ({ ...LINES.issue_comment, comment_id, updated_at: at(1) })
    await read([comment(30), comment(4), comment(5)])
    await put([{ ...comment(6), repo: 'acme/other', repo_id: 99 }])
    await deliver([removalOf(comment(5))])
    const listed = await rows().listBetween(['issue_comment'], { updatedAt: 0, key: 0 }, undefined, 10)
    expect(listed.map(({ identity, number }) => [identity, number])).toEqual([
      [{ type: 'issue_comment', commentId: 4 }, 11],
      [{ type: 'issue_comment', commentId: 30 }, 11],
    ])
  })

  test('commits are listed with their parents, and with their diffs', async () => {
    const commit = { ...LINES.commit, parents: ['b'.repeat(40), 'a'.repeat(40)] }
    await read([commit, LINES.diff, LINES.doc, { ...LINES.release, commit_sha: LINES.commit['commit_sha'] }])
    const sha = LINES.commit['commit_sha'] as string
    expect(await rows().listCommits()).toEqual([{ sha, parents: ['b'.repeat(40), 'a'.repeat(40)] }])
    expect(await rows().findCommits([sha, 'c'.repeat(40)])).toEqual(new Map([[sha, ['b'.repeat(40), 'a'.repeat(40)]]]))
    expect(ids(await rows().listOfCommit(sha))).toEqual([sha, `${sha} src/launch.ts`])
    expect(ids(await rows().listAll('release'))).toEqual(['v1.2.0-rc.1'])
  })

  test('all releases are listed whole, however many there are', async () => {
    const tags = Array.from({ length: 450 }, (_, at) => `v1.0.${at}`)
    const releases = tags.map((tag_name) => ({ ...LINES.release, tag_name, body: `Changes of ${tag_name}.` }))
    await read(releases.slice(0, 225))
    await read(releases.slice(225))
    const stored = (await rows().listReleases()).map(({ document }) => [document.identity.tagName, document.body])
    expect(stored).toEqual(tags.map((tag) => [tag, `Changes of ${tag}.`]))
  })
})
