/** How payloads become documents: REST items, deliveries and GraphQL nodes alike. */
import { expect, test } from 'vitest'
import {
  readIssueComment,
  issueCommentPayload,
  readReviewComment,
  reviewCommentPayload,
} from '../../../src/ingest/surfaces/payload/comment-payload.ts'
import { saysNothing } from '../../../src/ingest/surfaces/payload/says-nothing.ts'
import { toChanges } from '../../../src/ingest/surfaces/payload/payload-parts.ts'
import { readRelease, releasePayload } from '../../../src/ingest/surfaces/payload/release-payload.ts'
import {
  fromReviewNode,
  readReview,
  reviewNode,
  reviewPayload,
} from '../../../src/ingest/surfaces/payload/review-payload.ts'
import { readThread, threadPayload } from '../../../src/ingest/surfaces/payload/thread-payload.ts'
import { comment, pull, release, thread } from '../../support/listed-github.ts'

const REPOSITORY = { id: 7, name: 'acme/app', private: true }

function readIssue(more: Record<string, unknown>) {
  return readThread(threadPayload.parse(thread(12, 5_000, more)), REPOSITORY).document
}

test('an issue has the values that GitHub shows', () => {
  const given = {
    labels: [{ name: 'Good, first' }, 'p: high', { name: null }],
    milestone: { title: 'v2' },
    assignees: [{ login: 'octo' }, null],
    author_association: 'OWNER',
    state: 'closed',
    created_at: '2026-01-02T03:04:05+09:00',
    unknown_field: 1,
  }
  expect(readIssue(given)).toEqual({
    identity: { type: 'issue', number: 12 },
    repository: REPOSITORY,
    title: 'Thread 12',
    body: 'The text of thread 12',
    url: 'https://github.com/acme/app/issues/12',
    state: 'closed',
    author: 'mona',
    authorAssociation: 'OWNER',
    labels: ['Good, first', 'p: high'],
    milestone: 'v2',
    assignees: ['octo'],
    createdAt: Date.UTC(2026, 0, 1, 18, 4, 5),
    updatedAt: 5_000,
  })
})

test('what is null has no value, and a null body is an empty one', () => {
  const document = readIssue({ body: null, user: null, milestone: null, assignees: null, labels: null })
  expect(document?.body).toBe('')
  for (const field of ['author', 'milestone', 'assignees', 'labels', 'merged', 'draft']) {
    expect(document).not.toHaveProperty(field)
  }
})

test('an address that is not of the web is none, and a title is cut to what the index takes', () => {
  const document = readIssue({ html_url: 'javascript:alert(1)', title: 'x'.repeat(5_000) })
  expect(document).not.toHaveProperty('url')
  expect(document?.title).toHaveLength(4_096)
})

test('a pull request is merged or not, and a draft or not, in each form of its payload', () => {
  const forms = [
    pull(3, 0, { pull_request: { merged_at: '2026-01-01T00:00:00Z' }, draft: true }),
    thread(3, 0, { head: {}, merged: true, merged_at: '2026-01-01T00:00:00Z', draft: true }),
    thread(3, 0, { head: {}, merged_at: '2026-01-01T00:00:00Z', draft: true }),
  ]
  for (const form of forms) {
    expect(readThread(threadPayload.parse(form), REPOSITORY).document).toMatchObject({
      identity: { type: 'pull_request', number: 3 },
      merged: true,
      draft: true,
    })
  }
  const open = readThread(threadPayload.parse(pull(3, 0)), REPOSITORY).document
  expect(open).toMatchObject({ merged: false, draft: false })
})

test('an issue of a bot is kept, a comment of one is not', () => {
  const bot = { login: 'renovate[bot]', type: 'Bot' }
  expect(readIssue({ user: bot })?.author).toBe('renovate[bot]')
  for (const user of [bot, { login: 'x', type: 'Bot' }, { login: 'ci[bot]', type: 'User' }]) {
    expect(readIssueComment(issueCommentPayload.parse(comment(1, 0, { user })), REPOSITORY).document).toBeUndefined()
  }
})

test('a review comment is on the line and the commit that it was written on', () => {
  const given = comment(8, 0, {
    pull_request_url: 'https://ghe.example/api/v3/repos/acme/app/pulls/42',
    path: 'src/a.ts',
    line: 99,
    original_line: 7,
    commit_id: 'f'.repeat(40),
    original_commit_id: 'A'.repeat(40),
    diff_hunk: '@@ -1 +1 @@',
  })
  expect(readReviewComment(reviewCommentPayload.parse(given), REPOSITORY).document).toMatchObject({
    identity: { type: 'pr_review_comment', commentId: 8 },
    number: 42,
    path: 'src/a.ts',
    line: 7,
    commitSha: 'a'.repeat(40),
    diffHunk: '@@ -1 +1 @@',
  })
  const onFile = reviewCommentPayload.parse({ ...given, original_line: null })
  expect(readReviewComment(onFile, REPOSITORY).document).not.toHaveProperty('line')
})

test('a comment whose thread is not named is refused', () => {
  for (const issue_url of ['', 'https://api.github.com/repos/acme/app/discussions/4', 4]) {
    expect(issueCommentPayload.safeParse(comment(1, 0, { issue_url })).success).toBe(false)
  }
})

test('a comment edited into one that says nothing asks for its removal at that time', () => {
  const read = (more: Record<string, unknown>) =>
    toChanges(readIssueComment(issueCommentPayload.parse(comment(1, 9_000, more)), REPOSITORY), REPOSITORY)
  expect(read({ body: '+1' })).toEqual([
    { remove: { identity: { type: 'issue_comment', commentId: 1 }, repository: REPOSITORY, updatedAt: 9_000 } },
  ])
  expect(read({ body: '+1', created_at: '1970-01-01T00:00:09Z' })).toEqual([])
  expect(read({ body: 'Same here on Ubuntu' })).toMatchObject([{ put: { body: 'Same here on Ubuntu' } }])
})

test.each([
  ['+1', true],
  ['LGTM 👍', true],
  ['thanks!!', true],
  ['', true],
  ['Thank you', true],
  ['なるほど', false],
  ['同上。', true],
  ['了解です', false],
  ['동의', true],
  ['동의합니다', false],
  ['Works for me', false],
  ['see #12', false],
  ['dup acme/app#4', false],
  ['in v1.2.3', false],
  ['2.0.1?', false],
  ['1a2b3c4d5e', false],
  ['src/a.ts', false],
  ['facade', true],
  ['1.2', false],
  ['go.mod', false],
  ['same as in https://github.com/acme/app/issues/9', false],
  ['🎉🎉🎉 12345', true],
])('%j says nothing: %s', (body, expected) => {
  expect(saysNothing(body)).toBe(expected)
})

test('noise is decided quickly for any text', () => {
  const started = Date.now()
  for (const text of ['# '.repeat(30_000), '1.'.repeat(30_000), '//..'.repeat(15_000), '✅'.repeat(60_000)])
    saysNothing(text)
  expect(Date.now() - started).toBeLessThan(2_000)
})

test('a review of GraphQL becomes the document of the same review over REST', () => {
  const rest = {
    id: 3_123_456_789,
    body: null,
    html_url: 'https://github.com/acme/app/pull/5#pullrequestreview-3123456789',
    state: 'CHANGES_REQUESTED',
    submitted_at: '2026-01-01T00:00:00Z',
    user: { login: 'mona', type: 'User' },
    author_association: 'MEMBER',
  }
  const node = {
    url: rest.html_url,
    body: '',
    state: rest.state,
    submittedAt: rest.submitted_at,
    updatedAt: rest.submitted_at,
    authorAssociation: 'MEMBER',
    author: { __typename: 'User', login: 'mona' },
  }
  const expected = readReview(reviewPayload.parse({ ...rest, state: 'changes_requested' }), 5, REPOSITORY)
  expect(readReview(reviewPayload.parse(rest), 5, REPOSITORY)).toEqual(expected)
  expect(readReview(fromReviewNode(reviewNode.parse(node))!, 5, REPOSITORY)).toEqual(expected)
  const edited = fromReviewNode(reviewNode.parse({ ...node, updatedAt: '2026-02-01T00:00:00Z' }))!
  expect(readReview(edited, 5, REPOSITORY)?.document).toMatchObject({
    createdAt: Date.UTC(2026, 0, 1),
    updatedAt: Date.UTC(2026, 1, 1),
  })
  const bot = fromReviewNode(reviewNode.parse({ ...node, author: { __typename: 'Bot', login: 'coderabbitai' } }))!
  expect(readReview(bot, 5, REPOSITORY)?.document).toBeUndefined()
})

test('a release has the time of its publication, and its own time of update where GitHub gives one', () => {
  const read = (more: Record<string, unknown>) =>
    readRelease(releasePayload.parse(release(4, 'v1', 9_000, more)), REPOSITORY)
  expect(read({ created_at: '1970-01-01T00:00:01Z', updated_at: '1970-01-01T00:00:20Z' }).document).toMatchObject({
    identity: { type: 'release', tagName: 'v1' },
    title: 'Release v1',
    prerelease: false,
    createdAt: 9_000,
    updatedAt: 20_000,
  })
  expect(read({ updated_at: undefined }).document?.updatedAt).toBe(9_000)
  expect(read({ name: '' }).document).not.toHaveProperty('title')
  expect(read({ draft: true }).document).toBeUndefined()
})
