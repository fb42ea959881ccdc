/** Deliveries beyond the examples: actions that GitHub added later, partial and broken payloads. */
import { expect, test } from 'vitest'
import { EVENT_READERS } from '../../../src/ingest/events/index.ts'
import { comment, pull, release, review, thread } from '../../support/listed-github.ts'

const REPOSITORY = { id: 7, name: 'acme/app', private: false }

function read(event: string, payload: Record<string, unknown>) {
  return EVENT_READERS[event]!(payload, REPOSITORY)
}

function names(event: string, payload: Record<string, unknown>): string[] {
  return read(event, payload).changes.map((change) => {
    const { type, ...parts } = 'put' in change ? change.put.identity : change.remove.identity
    return `${'put' in change ? 'put' : 'remove'} ${type} ${Object.values(parts).join(' ')}`
  })
}

test('every action about a thread puts it, but those that take it away', () => {
  for (const action of ['opened', 'closed', 'pinned', 'locked', 'typed', 'demilestoned', 'anything new']) {
    expect(names('issues', { action, issue: thread(3, 0) })).toEqual(['put issue 3'])
  }
  for (const action of ['deleted', 'transferred']) {
    expect(names('issues', { action, issue: thread(3, 0) })).toEqual(['remove issue 3'])
  }
  const given = { ...thread(4, 0), head: {}, merged: true, draft: false, state: 'closed' }
  for (const action of ['closed', 'synchronize', 'enqueued', 'milestoned', 'auto_merge_enabled', 'anything new']) {
    expect(read('pull_request', { action, pull_request: given }).changes).toMatchObject([{ put: { merged: true } }])
  }
})

test('a delivery with few fields of an issue puts those', () => {
  const issue = { number: 61, title: 'Final title', body: 'third', state: 'closed', updated_at: '2026-11-01T10:00:07Z' }
  expect(read('issues', { action: 'closed', issue }).changes).toMatchObject([
    { put: { title: 'Final title', body: 'third', state: 'closed', updatedAt: Date.UTC(2026, 10, 1, 10, 0, 7) } },
  ])
  expect(read('issues', { action: 'closed', issue }).pending).toEqual([])
  const { state, ...short } = issue
  expect(state).toBe('closed')
  expect(read('issues', { action: 'pinned', issue: short }).pending).toEqual([{ kind: 'thread', key: '61' }])
})

test('a payload without the thing, or with a broken one, changes nothing', () => {
  // A delivery about the wiki only says that it changed.
  for (const event of Object.keys(EVENT_READERS).filter((name) => name !== 'gollum')) {
    for (const payload of [
      {},
      { action: 'opened' },
      { action: 'created', issue: null, comment: 4, release: [], review: '' },
    ]) {
      expect(read(event, payload)).toEqual({ changes: [], pending: [] })
    }
  }
  expect(read('issues', { action: 'deleted', issue: { number: -4 } }).changes).toEqual([])
})

test('a comment on a closed pull request whose delivery does not say whether it was merged asks for the thread', () => {
  const issue = { ...pull(5, 0), state: 'closed', pull_request: { url: 'x' } }
  expect(read('issue_comment', { action: 'created', comment: comment(9, 0), issue })).toMatchObject({
    changes: [{ put: { identity: { type: 'issue_comment', commentId: 9 } } }],
    pending: [{ kind: 'thread', key: '5' }],
  })
  const merged = { ...issue, pull_request: { merged_at: '2026-01-01T00:00:00Z' } }
  expect(names('issue_comment', { action: 'created', comment: comment(9, 0), issue: merged })).toEqual([
    'put pull_request 5',
    'put issue_comment 9',
  ])
})

test('a comment that says nothing, or is of a bot, still brings its issue', () => {
  const issue = thread(1, 5_000)
  const small = comment(9, 5_000, { body: '👍', created_at: '1970-01-01T00:00:05Z' })
  expect(names('issue_comment', { action: 'created', comment: small, issue })).toEqual(['put issue 1'])
  const bot = comment(9, 0, { user: { login: 'ci[bot]', type: 'Bot' } })
  expect(names('issue_comment', { action: 'created', comment: bot, issue })).toEqual(['put issue 1'])
})

test('a comment edited into one that says nothing is removed, even in the second of its creation', () => {
  const small = comment(9, 5_000, { body: '👍', created_at: '1970-01-01T00:00:05Z' })
  expect(read('issue_comment', { action: 'edited', comment: small, issue: thread(1, 0) }).changes[1]).toEqual({
    remove: { identity: { type: 'issue_comment', commentId: 9 }, repository: REPOSITORY, updatedAt: 5_000 },
  })
})

test('a review is put in any letter case, and never while it is pending', () => {
  const parts = { pull_request: { number: 4 } }
  const submitted = { action: 'submitted', review: review(8, 0, { state: 'changes_requested' }), ...parts }
  expect(read('pull_request_review', submitted)).toMatchObject({
    changes: [{ put: { reviewState: 'changes_requested', number: 4 } }],
    pending: [],
  })
  const pending = { action: 'submitted', review: review(8, 0, { state: 'PENDING' }), ...parts }
  expect(read('pull_request_review', pending)).toEqual({ changes: [], pending: [] })
})

test('a dismissed review has its time, or the reviews of its pull request are read again', () => {
  const untimed = {
    action: 'dismissed',
    review: review(8, 0, { updated_at: null, state: 'dismissed' }),
    pull_request: { number: 4 },
  }
  expect(read('pull_request_review', untimed).pending).toEqual([{ kind: 'pr_review', key: '4' }])
  const timed = { ...untimed, review: review(8, 0, { updated_at: '2026-01-01T00:00:00Z', state: 'dismissed' }) }
  expect(read('pull_request_review', timed)).toMatchObject({
    changes: [{ put: { reviewState: 'dismissed', updatedAt: Date.UTC(2026, 0, 1) } }],
    pending: [],
  })
})

test('a release that is deleted, unpublished or a draft has no row, and one with another tag leaves none', () => {
  const given = release(4, 'v2', 0)
  expect(names('release', { action: 'deleted', release: given })).toEqual(['remove release v2'])
  expect(names('release', { action: 'unpublished', release: { ...given, draft: true } })).toEqual(['remove release v2'])
  expect(names('release', { action: 'created', release: { ...given, draft: true } })).toEqual([])
  for (const action of ['published', 'released', 'prereleased', 'edited', 'anything new']) {
    expect(names('release', { action, release: given })).toEqual(['put release v2'])
  }
  const edited = { action: 'edited', release: given, changes: { tag_name: { from: 'v1' } } }
  expect(names('release', edited)).toEqual(['remove release v1', 'put release v2'])
  const bot = { ...given, author: { login: 'ci[bot]', type: 'Bot' } }
  expect(names('release', { action: 'published', release: bot })).toEqual([])
})

test('a renamed or deleted label or milestone asks for a sweep, a new color does not', () => {
  const sweep = { changes: [], pending: [{ kind: 'threads', key: '' }] }
  const none = { changes: [], pending: [] }
  expect(read('label', { action: 'edited', changes: { name: { from: 'old' } } })).toEqual(sweep)
  expect(read('label', { action: 'edited' })).toEqual(sweep)
  expect(read('label', { action: 'edited', changes: { color: { from: 'fff' } } })).toEqual(none)
  expect(read('milestone', { action: 'edited', changes: { title: { from: 'v1' } } })).toEqual(sweep)
  expect(read('milestone', { action: 'edited', changes: { due_on: { from: null } } })).toEqual(none)
  expect(read('milestone', { action: 'deleted' })).toEqual(sweep)
  expect(read('milestone', { action: 'closed' })).toEqual(none)
})
