/** Deliveries of the scripted GitHub have the form of GitHub's own examples, and say what the truth became. */
import { createHmac } from 'node:crypto'
import examples from '@octokit/webhooks-examples'
import { beforeEach, describe, expect, test } from 'vitest'
import { ask } from '../../support/github/ask-github.ts'
import { ScriptedGitHub, toWebhookRequest, type SignedDelivery } from '../../support/github/scripted-github.ts'
import type { Edit } from '../../support/github/truth/edit.ts'
import { useScriptedServer } from '../../support/github/use-scripted-server.ts'

const REPO = 'acme/app'
const server = useScriptedServer()
let github: ScriptedGitHub

beforeEach(async () => {
  github = await ScriptedGitHub.create(server.url)
  await github.edits([
    { do: 'create_repository', repo: REPO },
    { do: 'commit', repo: REPO, message: 'First', files: { 'a.md': 'a\n' } },
  ])
})

/** The deliveries of one edit. */
async function sentBy(edit: Edit): Promise<SignedDelivery[]> {
  const before = await github.deliveries()
  await github.edit(edit)
  return github.deliveries(before.length)
}

const namesOf = (deliveries: readonly SignedDelivery[]): string[] =>
  deliveries.map(({ event, action }) => (action === undefined ? event : `${event} ${action}`))

// oxlint-disable-next-line typescript/no-explicit-any -- tests read payloads freely.
const payloadOf = (delivery: SignedDelivery | undefined): any => JSON.parse(delivery?.body ?? '{}')

test('a delivery is signed over its body, and bears its event, its own id and the hook', async () => {
  const [delivery] = await sentBy({ do: 'open_issue', repo: REPO, title: 'Ünïcode ☃', body: '日本語' })
  if (delivery === undefined) throw new Error('nothing was sent')
  const request = toWebhookRequest(delivery, 'https://example.com/webhooks/github')
  const body = await request.text()
  const digest = createHmac('sha256', github.secret).update(body).digest('hex')
  expect(request.headers.get('x-hub-signature-256')).toBe(`sha256=${digest}`)
  expect(request.headers.get('x-github-event')).toBe('issues')
  expect(request.headers.get('x-github-delivery')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(request.headers.get('x-github-hook-id')).toBe(String(github.hookId))
  const ids = (await github.deliveries()).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

/** Fields of our own choice: the examples are older than these, or they are shown only sometimes. */
const NEWER =
  /^(?:updated_at|immutable|user_view_type|visibility|topics|has_discussions|start_line|line|original_line|side|start_side|original_start_line|subject_type|state_reason|performed_via_github_app|active_lock_reason|draft|pull_request|before|after|merged_at|base_ref|head_commit|description)$/

describe('each event has no field that GitHub has not', () => {
  const number = 1
  const events: readonly (readonly [string, readonly Edit[]])[] = [
    [
      'issues',
      [
        {
          do: 'open_issue',
          repo: REPO,
          title: 'One',
          body: 'Words',
          labels: ['bug'],
          milestone: 'M1',
          assignees: ['ren'],
        },
      ],
    ],
    [
      'issue_comment',
      [
        { do: 'open_issue', repo: REPO, title: 'One', body: '' },
        { do: 'comment', repo: REPO, number, body: 'A comment' },
      ],
    ],
    ['pull_request', [{ do: 'open_pull_request', repo: REPO, title: 'Change', body: '' }]],
    [
      'pull_request_review',
      [
        { do: 'open_pull_request', repo: REPO, title: 'C', body: '' },
        { do: 'review', repo: REPO, number, body: 'Good', state: 'APPROVED' },
      ],
    ],
    [
      'pull_request_review_comment',
      [
        { do: 'open_pull_request', repo: REPO, title: 'C', body: '' },
        { do: 'review_comment', repo: REPO, number, body: 'Here' },
      ],
    ],
    ['release', [{ do: 'release', repo: REPO, tag: 'v1', body: 'Notes' }]],
    [
      'label',
      [
        { do: 'open_issue', repo: REPO, title: 'One', body: '', labels: ['bug'] },
        { do: 'rename_label', repo: REPO, name: 'bug', to: 'defect' },
      ],
    ],
    [
      'milestone',
      [
        { do: 'open_issue', repo: REPO, title: 'One', body: '', milestone: 'M1' },
        { do: 'rename_milestone', repo: REPO, title: 'M1', to: 'M2' },
      ],
    ],
    ['push', [{ do: 'commit', repo: REPO, message: 'Second', files: { 'b.md': 'b\n' } }]],
    ['ping', [{ do: 'ping', repo: REPO }]],
    ['gollum', [{ do: 'write_wiki', repo: REPO, file: 'Home.md', text: 'Hello' }]],
    ['repository', [{ do: 'rename_repository', repo: REPO, to: 'tool' }]],
  ]

  test.each(events)('%s', async (event, edits) => {
    await github.edits(edits)
    const delivery = (await github.deliveries()).findLast((one) => one.event === event)
    const known = pathsOf(examples.find(({ name }) => name === event)?.examples ?? [])
    const ours = [...pathsOf([payloadOf(delivery)])]
    const unknown = ours.filter((path) => !known.has(path) && !NEWER.test(path.slice(path.lastIndexOf('.') + 1)))
    expect(unknown.filter((path) => !/^changes(?:\.|$)/.test(path))).toEqual([])
    expect(ours).toContain('repository.full_name')
  })
})

/** Each field's path, without the places in lists. A field of a null or empty parent says nothing. */
function pathsOf(values: readonly unknown[]): Set<string> {
  const paths = new Set<string>()
  const walk = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const item of value) walk(item, path)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        const at = path === '' ? name : `${path}.${name}`
        paths.add(at)
        walk(inner, at)
      }
    }
  }
  for (const value of values) walk(value, '')
  return paths
}

describe('an edit sends what GitHub sends', () => {
  const issue: Edit = { do: 'open_issue', repo: REPO, title: 'One', body: 'Words' }
  const pull: Edit = { do: 'open_pull_request', repo: REPO, title: 'Change', body: '' }

  test('of labels: one delivery each, after that of the label itself', async () => {
    await github.edit(issue)
    const sent = await sentBy({ do: 'edit_thread', repo: REPO, number: 1, labels: ['bug', 'urgent'], state: 'closed' })
    expect(namesOf(sent)).toEqual([
      'label created',
      'label created',
      'issues labeled',
      'issues labeled',
      'issues closed',
    ])
  })

  test('of a merge: a push and a closed pull request', async () => {
    await github.edit(pull)
    const sent = await sentBy({ do: 'merge_pull_request', repo: REPO, number: 1 })
    expect(namesOf(sent)).toEqual(['push', 'pull_request closed'])
    expect(payloadOf(sent[1]).pull_request).toMatchObject({ merged: true, state: 'closed' })
  })

  test('of a comment on a line: a review of its own too, in lower case', async () => {
    await github.edit(pull)
    const sent = await sentBy({ do: 'review_comment', repo: REPO, number: 1, body: 'Why is this here?' })
    expect(namesOf(sent)).toEqual(['pull_request_review submitted', 'pull_request_review_comment created'])
    expect(payloadOf(sent[0]).review).toMatchObject({ state: 'commented', body: null })
  })

  test('of a draft of a release: nothing until it is published', async () => {
    expect(await sentBy({ do: 'release', repo: REPO, tag: 'v1', draft: true })).toEqual([])
    const sent = await sentBy({ do: 'edit_release', repo: REPO, tag: 'v1', draft: false })
    expect(namesOf(sent)).toEqual(['release published', 'release released'])
  })

  test('of a pending review: nothing until it is submitted', async () => {
    await github.edit(pull)
    const before = await github.deliveries()
    const { id } = await github.edit({ do: 'review', repo: REPO, number: 1, body: 'So far', state: 'PENDING' })
    expect(await github.deliveries(before.length)).toEqual([])
    expect(namesOf(await sentBy({ do: 'submit_review', repo: REPO, id, state: 'APPROVED' }))).toEqual([
      'pull_request_review submitted',
    ])
  })

  test('of a deleted issue: one delivery, though its comments go too', async () => {
    await github.edit(issue)
    const { id } = await github.edit({ do: 'comment', repo: REPO, number: 1, body: 'A comment on it' })
    expect(namesOf(await sentBy({ do: 'delete_issue', repo: REPO, number: 1 }))).toEqual(['issues deleted'])
    expect((await ask(github, `/repos/${REPO}/issues/comments/${id}`)).status).toBe(404)
  })

  test('of a push to the head of a pull request: a push and a synchronized pull request', async () => {
    await github.edit({ do: 'push_branch', repo: REPO, branch: 'topic', to: 'main' })
    await github.edit({ ...pull, head: 'topic' } as Edit)
    await github.edit({ do: 'review_comment', repo: REPO, number: 1, body: 'Why is this here?', line: 7 })
    const sent = await sentBy({ do: 'commit', repo: REPO, branch: 'topic', message: 'More', files: { 'b.md': 'b\n' } })
    expect(namesOf(sent)).toEqual(['push', 'pull_request synchronize'])
    const { body } = await ask(github, `/repos/${REPO}/pulls/comments`)
    expect(body).toMatchObject([{ line: null, original_line: 7 }])
  })

  test('of a repository: its new state and what it was before', async () => {
    const [privatized] = await sentBy({ do: 'edit_repository', repo: REPO, private: true })
    expect(payloadOf(privatized)).toMatchObject({ action: 'privatized', repository: { private: true } })
    const [renamed] = await sentBy({ do: 'rename_repository', repo: REPO, to: 'tool' })
    expect(payloadOf(renamed)).toMatchObject({
      changes: { repository: { name: { from: 'app' } } },
      repository: { full_name: 'acme/tool' },
    })
  })
})
