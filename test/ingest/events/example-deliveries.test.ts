/** Each delivery that GitHub's examples hold lands as the rows that it speaks of. */
import examples from '@octokit/webhooks-examples'
import { expect, test } from 'vitest'
import { parseTime } from '../../../src/base/time.ts'
import type { DocumentChange } from '../../../src/documents/document.ts'
import type { EventPayload } from '../../../src/ingest/events/event.ts'
import { EVENT_READERS } from '../../../src/ingest/events/index.ts'

const REPOSITORY = { id: 186853002, name: 'Codertocat/Hello-World', private: false }

interface Thing {
  readonly id: number
  readonly number: number
  readonly tag_name: string
  readonly html_url: string
  readonly body: string | null
  readonly user: { readonly login: string }
  readonly author: { readonly login: string }
  readonly updated_at: string
  readonly submitted_at: string
  readonly published_at: string
  readonly state: string
  readonly draft: boolean
  readonly merged: boolean
}

const listed = examples
  .filter(({ name }) => name in EVENT_READERS)
  .flatMap(({ name, examples: given }) =>
    (given as unknown as EventPayload[]).map((payload, at) => ({ name, at, payload })),
  )

function readExample({ name, payload }: (typeof listed)[number]) {
  return EVENT_READERS[name]!(payload, REPOSITORY)
}

/** The row must have the values of the payload. */
function expectPut(
  change: DocumentChange | undefined,
  thing: Thing,
  time: string,
  more: Record<string, unknown>,
): void {
  expect(change).toMatchObject({
    put: {
      repository: REPOSITORY,
      body: thing.body ?? '',
      url: thing.html_url,
      author: (thing.user ?? thing.author).login,
      updatedAt: parseTime(time),
      ...more,
    },
  })
}

test('there are examples of every event that is read', () => {
  expect(new Set(listed.map(({ name }) => name))).toEqual(new Set(Object.keys(EVENT_READERS)))
  expect(listed.length).toBeGreaterThanOrEqual(100)
})

test.each(listed.filter(({ name }) => name === 'issues' || name === 'pull_request'))('$name $at', (example) => {
  const { action, issue, pull_request: pull } = example.payload
  const thread = (issue ?? pull) as Thing
  const { changes, pending } = readExample(example)
  // Two of the examples have neither state nor labels.
  const hasState = Object.hasOwn(thread, 'state')
  expect(pending).toEqual(hasState ? [] : [{ kind: 'thread', key: String(thread.number) }])
  if (action === 'deleted' || action === 'transferred') {
    expect(changes).toEqual([
      { remove: { identity: { type: 'issue', number: thread.number }, repository: REPOSITORY } },
    ])
    return
  }
  const isPull = pull !== undefined || 'pull_request' in thread
  expect(changes).toHaveLength(1)
  expectPut(changes[0], thread, thread.updated_at, {
    identity: { type: isPull ? 'pull_request' : 'issue', number: thread.number },
    ...(hasState && { state: thread.state }),
    ...(isPull && { draft: thread.draft, merged: thread.merged ?? false }),
  })
})

test.each(listed.filter(({ name }) => name === 'issue_comment'))('$name $at', (example) => {
  const [comment, issue] = [example.payload['comment'], example.payload['issue']] as [Thing, Thing]
  const { changes, pending } = readExample(example)
  expect(pending).toEqual([])
  expect(changes).toHaveLength(2)
  expectPut(changes[0], issue, issue.updated_at, { identity: { type: 'issue', number: issue.number } })
  const identity = { type: 'issue_comment', commentId: comment.id }
  if (example.payload['action'] === 'deleted') {
    expect(changes[1]).toEqual({ remove: { identity, repository: REPOSITORY } })
  } else {
    expectPut(changes[1], comment, comment.updated_at, { identity, number: issue.number })
  }
})

test.each(listed.filter(({ name }) => name === 'pull_request_review_comment'))('$name $at', (example) => {
  const [comment, pull] = [example.payload['comment'], example.payload['pull_request']] as [Thing, Thing]
  const { changes } = readExample(example)
  expect(changes).toHaveLength(1)
  const identity = { type: 'pr_review_comment', commentId: comment.id }
  if (example.payload['action'] === 'deleted') {
    expect(changes[0]).toEqual({ remove: { identity, repository: REPOSITORY } })
  } else {
    expectPut(changes[0], comment, comment.updated_at, { identity, number: pull.number, path: 'README.md' })
  }
})

test.each(listed.filter(({ name }) => name === 'pull_request_review'))('$name $at', (example) => {
  const [review, pull] = [example.payload['review'], example.payload['pull_request']] as [Thing, Thing]
  const { changes, pending } = readExample(example)
  expectPut(changes[0], review, review.submitted_at, {
    identity: { type: 'pr_review', reviewId: review.id },
    number: pull.number,
    reviewState: review.state.toLowerCase(),
  })
  const isSubmitted = example.payload['action'] === 'submitted'
  expect(pending).toEqual(isSubmitted ? [] : [{ kind: 'pr_review', key: String(pull.number) }])
})

test.each(listed.filter(({ name }) => name === 'release'))('$name $at', (example) => {
  const release = example.payload['release'] as Thing
  const { changes, pending } = readExample(example)
  const identity = { type: 'release', tagName: release.tag_name }
  if (example.payload['action'] === 'deleted') {
    expect(changes).toEqual([{ remove: { identity, repository: REPOSITORY } }])
    return
  }
  expectPut(changes[0], release, release.published_at, { identity })
  expect(pending).toEqual([{ kind: 'release', key: release.tag_name }])
})

test.each(listed.filter(({ name }) => name === 'label' || name === 'milestone'))('$name $at', (example) => {
  const isSweep = example.payload['action'] === 'deleted'
  expect(readExample(example)).toEqual({ changes: [], pending: isSweep ? [{ kind: 'threads', key: '' }] : [] })
})
