/** Deliveries of webhooks: who may send them, what they change at once, and what late ones may not. */
import { createHmac } from 'node:crypto'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { clearIndex } from '../../support/index-world.ts'
import { KilledDatabase } from '../../support/github/killed-database.ts'
import { expectConverged, Product } from '../../support/github/product.ts'
import { ScriptedGitHub, type SignedDelivery } from '../../support/github/scripted-github.ts'

beforeEach(clearIndex)

function sign(secret: string, body: string, algorithm = 'sha256'): string {
  return `${algorithm}=${createHmac(algorithm, secret).update(body).digest('hex')}`
}

/** A delivery with a right webhook signature. */
function signed(github: ScriptedGitHub, event: string, payload: object, delivery = crypto.randomUUID()) {
  const body = JSON.stringify(payload)
  const headers = {
    'x-github-event': event,
    'x-github-delivery': delivery,
    'x-github-hook-id': '1',
    'x-hub-signature-256': sign(github.secret, body),
  }
  return { body, headers }
}

async function world() {
  const github = await ScriptedGitHub.create(inject('githubUrl'))
  await github.edit({ do: 'create_repository', repo: 'acme/app' })
  return github
}

describe('who may deliver', () => {
  const SECRET = "It's a Secret to Everybody"
  const TEXT = 'Hello, World!'
  const RIGHT = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'

  async function send(headers: Record<string, string>, secret = SECRET, body = TEXT) {
    const github = await world()
    const product = new Product(github, { texts: { GITHUB_WEBHOOK_SECRET: secret } })
    const answer = await product.deliver({ body, headers: { 'x-github-event': 'issues', ...headers } })
    expect(JSON.stringify(answer.body)).not.toContain('757107ea')
    expect(await product.lines()).toEqual([])
    return answer.status
  }

  test("GitHub's published HMAC is authentic; its body is no JSON, so nothing is stored", async () => {
    expect(await send({ 'x-hub-signature-256': RIGHT })).toBe(400)
  })

  test.each([
    ['no signature', {}],
    ['an empty signature', { 'x-hub-signature-256': '' }],
    ['a signature of zeros', { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }],
    ['a signature by SHA-1 alone', { 'x-hub-signature': sign(SECRET, TEXT, 'sha1') }],
    ['a right SHA-1 in the place of SHA-256', { 'x-hub-signature-256': sign(SECRET, TEXT, 'sha1') }],
    [
      'a SHA-1 that claims to be SHA-256',
      { 'x-hub-signature-256': sign(SECRET, TEXT, 'sha1').replace('sha1', 'sha256') },
    ],
    ['the beginning of the right one', { 'x-hub-signature-256': RIGHT.slice(0, 9) }],
    ['the right one without its last digit', { 'x-hub-signature-256': RIGHT.slice(0, -1) }],
    ['the right one with another digit', { 'x-hub-signature-256': `${RIGHT}0` }],
    ['the right one twice', { 'x-hub-signature-256': `${RIGHT}, ${RIGHT}` }],
    ['the digits without the algorithm', { 'x-hub-signature-256': RIGHT.slice(7) }],
    ['another algorithm before the digits', { 'x-hub-signature-256': RIGHT.replace('sha256', 'sha512') }],
    ['the signature with an empty secret', { 'x-hub-signature-256': sign('', TEXT) }],
    ['the signature with another secret', { 'x-hub-signature-256': sign(`${SECRET} `, TEXT) }],
  ])('%s is refused with 401', async (_name, headers) => {
    expect(await send(headers as Record<string, string>)).toBe(401)
  })

  test('a webhook signature over other bytes is refused, also if they mean the same JSON', async () => {
    const body = '{"action":"opened"}'
    expect(await send({ 'x-hub-signature-256': sign(SECRET, '{"action": "opened"}') }, SECRET, body)).toBe(401)
    expect(await send({ 'x-hub-signature-256': sign(SECRET, body) }, SECRET, body)).toBe(202)
  })

  test('without a secret every delivery is refused with 503, signed or not', async () => {
    expect(await send({ 'x-hub-signature-256': RIGHT }, '')).toBe(503)
    expect(await send({}, '')).toBe(503)
    expect(await send({ 'x-hub-signature-256': sign('', TEXT) }, '')).toBe(503)
  })

  test('a body that is no JSON object, and a delivery without an event, are refused with 400', async () => {
    for (const body of ['', 'null', '[]', '7', '{"a":', 'payload=%7B%7D', '\u0000']) {
      expect([body, await send({ 'x-hub-signature-256': sign(SECRET, body) }, SECRET, body)]).toEqual([body, 400])
    }
    const headers = { 'x-hub-signature-256': sign(SECRET, '{}'), 'x-github-event': '' }
    expect(await send(headers, SECRET, '{}')).toBe(400)
  })

  test('without a webhook signature no body is read, so that a large one is refused with 401', async () => {
    expect(await send({}, SECRET, 'x'.repeat(26_300_000))).toBe(401)
  })

  test('a body beyond 25 MiB is refused with 413, and 25 MiB of payload is answered in time', async () => {
    const github = await world()
    const product = new Product(github)
    await product.pollToEnd()
    const large = signed(github, 'push', { ref: 'refs/heads/main', pad: 'x'.repeat(26_300_000) })
    expect((await product.deliver(large)).status).toBe(413)
    const [repository] = (await product.status()).repositories
    const payload = {
      ref: 'refs/heads/main',
      repository: { full_name: 'acme/app', id: repository!.repo_id },
      commits: Array.from({ length: 2_000 }, () => ({ message: 'x'.repeat(13_000) })),
    }
    const beganMs = performance.now()
    const answer = await product.deliver(signed(github, 'push', payload))
    expect(answer).toMatchObject({ status: 202, body: { received: true, event: 'push', pending: 2 } })
    expect(performance.now() - beganMs).toBeLessThan(10_000)
  })
})

describe('what a delivery changes', () => {
  test('a delivered issue and comment are in the index at once, and the answer says what they did', async () => {
    const github = await world()
    const product = new Product(github)
    await product.pollToEnd()
    await github.edit({ do: 'open_issue', repo: 'acme/app', title: 'Zebra crossing', body: 'striped', author: 'ren' })
    await github.edit({ do: 'comment', repo: 'acme/app', number: 1, body: 'The okapi has stripes too.', author: 'aoi' })
    const [opened, commented] = (await github.deliveries()).filter(
      ({ event }) => event !== 'ping' && event !== 'repository',
    )
    expect(await product.deliver(opened!)).toEqual({
      status: 202,
      body: {
        received: true,
        event: 'issues',
        action: 'opened',
        repo: 'acme/app',
        written: 1,
        unchanged: 0,
        stale: 0,
        removed: 0,
        pending: 0,
      },
    })
    expect((await product.deliver(commented!)).body).toMatchObject({ event: 'issue_comment', written: 2 })
    await expectConverged(product, github)
  })

  test('the last state wins in any order of deliveries', async () => {
    const github = await ScriptedGitHub.create(inject('githubUrl'))
    const product = new Product(github, { texts: { GITHUB_REPOSITORIES: 'acme/Widget-API' } })
    const states = [
      { delivery: 'three', action: 'edited', title: 'Final title', body: 'third', state: 'open', at: '05' },
      { delivery: 'one', action: 'opened', title: 'First title', body: 'first', state: 'open', at: '00' },
      { delivery: 'four', action: 'closed', title: 'Final title', body: 'third', state: 'closed', at: '07' },
      { delivery: 'two', action: 'edited', title: 'Second title', body: 'second', state: 'open', at: '05' },
    ]
    await github.edit({ do: 'create_repository', repo: 'acme/Widget-API', id: 77 })
    for (const { delivery, action, at, ...issue } of states) {
      const payload = {
        action,
        issue: { number: 61, ...issue, updated_at: `2026-11-01T10:00:${at}Z` },
        repository: { id: 77, full_name: 'acme/Widget-API', default_branch: 'main' },
      }
      expect((await product.deliver(signed(github, 'issues', payload, delivery))).status).toBe(202)
    }
    expect(await product.lines()).toMatchObject([
      { number: 61, state: 'closed', title: 'Final title', body: 'third', repo: 'acme/Widget-API' },
    ])
  })

  test.each([
    ['in order', [0, 1, 2, 3]],
    ['backwards', [3, 2, 1, 0]],
    ['the newest first', [3, 0, 1, 2]],
    ['with repetitions', [1, 3, 1, 0, 3, 2, 2]],
    ['the first one lost', [2, 3, 1]],
  ])('an issue that is edited, closed and edited again ends as it is at GitHub: %s', async (_name, order) => {
    const github = await world()
    const product = new Product(github)
    await product.pollToEnd()
    const repo = 'acme/app'
    await github.edit({ do: 'open_issue', repo, title: 'First', body: 'first words of it' })
    await github.edit({ do: 'edit_thread', repo, number: 1, title: 'Second' })
    await github.edit({ do: 'edit_thread', repo, number: 1, state: 'closed' })
    await github.edit({ do: 'edit_thread', repo, number: 1, body: 'last words of it' })
    const deliveries = (await github.deliveries()).filter(({ event }) => event === 'issues')
    expect(deliveries).toHaveLength(4)
    for (const at of order) await product.deliver(deliveries[at]!)
    await expectConverged(product, github)
  })

  test('equal times with different words are read again, and the source decides', async () => {
    const github = await world()
    const product = new Product(github)
    await product.pollToEnd()
    await github.edit({ do: 'open_issue', repo: 'acme/app', title: 'Before', body: 'the older words' })
    await github.edit({ do: 'edit_thread', repo: 'acme/app', number: 1, title: 'After', afterS: 0 })
    const [opened, edited] = (await github.deliveries()).filter(({ event }) => event === 'issues')
    await product.deliver(edited!)
    expect((await product.deliver(opened!)).body).toMatchObject({ written: 0, pending: 1 })
    expect(await product.lines()).toMatchObject([{ title: 'After' }])
    expect((await product.repository()).pending).toBe(1)
    expect(await product.maintain()).toMatchObject({ fetched: 1 })
    await expectConverged(product, github)
    expect((await product.repository()).pending).toBe(0)
  })

  test('a push and a wiki edit are read by the next maintenance run', async () => {
    const github = await world()
    await github.edit({ do: 'commit', repo: 'acme/app', message: 'First', files: { 'README.md': '# One\n' } })
    await github.edit({ do: 'write_wiki', repo: 'acme/app', file: 'Home.md', text: 'Welcome\n' })
    const product = new Product(github)
    await product.heal()
    const before = (await github.deliveries()).length
    await github.edit({ do: 'commit', repo: 'acme/app', message: 'Second', files: { 'README.md': '# Two\n' } })
    await github.edit({ do: 'write_wiki', repo: 'acme/app', file: 'Home.md', text: 'Good bye\n' })
    for (const delivery of await github.deliveries(before)) await product.deliver(delivery)
    expect((await product.maintain()).fetched).toBeGreaterThanOrEqual(3)
    await expectConverged(product, github)
  })

  test('a renamed label is found in the threads that have it', async () => {
    const github = await world()
    await github.edit({ do: 'open_issue', repo: 'acme/app', title: 'Labelled', body: 'words', labels: ['bug'] })
    const product = new Product(github)
    await product.heal()
    const before = (await github.deliveries()).length
    await github.edit({ do: 'rename_label', repo: 'acme/app', name: 'bug', to: 'defect' })
    for (const delivery of await github.deliveries(before)) {
      expect((await product.deliver(delivery)).body).toMatchObject({ event: 'label', pending: 1 })
    }
    await product.maintain()
    expect(await product.lines()).toMatchObject([{ labels: ['defect'] }])
  })
})

describe('what comes again', () => {
  test('a delivery that was committed has no second effect', async () => {
    const github = await world()
    const product = new Product(github)
    await product.pollToEnd()
    await github.edit({ do: 'open_issue', repo: 'acme/app', title: 'Once', body: 'only once' })
    const [opened] = (await github.deliveries()).filter(({ event }) => event === 'issues')
    expect((await product.deliver(opened!)).body).toMatchObject({ written: 1 })
    const again = await product.deliver(opened!)
    expect(again).toMatchObject({ status: 202, body: { duplicate: true, written: 0, unchanged: 0 } })
  })

  test('a delivery that failed has its effect when it is sent again', async () => {
    const github = await world()
    const killed = new KilledDatabase(env.DB)
    await new Product(github).pollToEnd()
    await github.edit({ do: 'open_issue', repo: 'acme/app', title: 'Once', body: 'only once' })
    const [opened] = (await github.deliveries()).filter(({ event }) => event === 'issues')
    killed.killAt(1, false)
    expect((await new Product(github, { database: killed.database }).deliver(opened!)).status).toBe(500)
    const product = new Product(github)
    expect(await product.lines()).toEqual([])
    expect((await product.deliver(opened!)).body).toMatchObject({ written: 1 })
    await expectConverged(product, github)
  })

  test('a delivery whose answer was lost after its commit is a duplicate when it is sent again', async () => {
    const github = await world()
    const killed = new KilledDatabase(env.DB)
    await new Product(github).pollToEnd()
    await github.edit({ do: 'open_issue', repo: 'acme/app', title: 'Once', body: 'only once' })
    const [opened] = (await github.deliveries()).filter(({ event }) => event === 'issues')
    killed.killAt(1, true)
    expect((await new Product(github, { database: killed.database }).deliver(opened!)).status).toBe(500)
    expect((await new Product(github).deliver(opened!)).body).toMatchObject({ duplicate: true, written: 0 })
  })

  test('of two that arrive at once, one is a duplicate', async () => {
    const github = await world()
    const product = new Product(github)
    await product.pollToEnd()
    await github.edit({ do: 'open_issue', repo: 'acme/app', title: 'Once', body: 'only once' })
    const [opened] = (await github.deliveries()).filter(({ event }) => event === 'issues')
    const answers = await Promise.all([product.deliver(opened!), product.deliver(opened!)])
    expect(answers.map(({ body }) => body.written).sort()).toEqual([0, 1])
    expect(answers.filter(({ body }) => body.duplicate)).toHaveLength(1)
  })

  test('the same delivery of another hook counts as its own, and changes nothing more', async () => {
    const github = await world()
    const product = new Product(github)
    await product.pollToEnd()
    await github.edit({ do: 'open_issue', repo: 'acme/app', title: 'Once', body: 'only once' })
    const [opened] = (await github.deliveries()).filter(({ event }) => event === 'issues')
    await product.deliver(opened!)
    const other = { ...opened!, headers: { ...opened!.headers, 'x-github-hook-id': '999' } }
    expect((await product.deliver(other)).body).toMatchObject({ written: 0, unchanged: 1 })
  })
})

describe('whose deliveries count', () => {
  async function issueOf(github: ScriptedGitHub, repo: string): Promise<SignedDelivery> {
    await github.edit({ do: 'open_issue', repo, title: 'Elsewhere', body: 'not ours' })
    return (await github.deliveries()).findLast(({ event }) => event === 'issues')!
  }

  test('a repository that is not configured is ignored', async () => {
    const github = await world()
    await github.edit({ do: 'create_repository', repo: 'acme/other' })
    const product = new Product(github)
    const answer = await product.deliver(await issueOf(github, 'acme/other'))
    expect(answer).toMatchObject({
      status: 202,
      body: { received: true, ignored: true, repo: 'acme/other', written: 0 },
    })
    expect(await product.lines()).toEqual([])
  })

  test('another repository with the name of a configured one is ignored', async () => {
    const github = await world()
    const product = new Product(github)
    await product.pollToEnd()
    const payload = {
      action: 'opened',
      issue: { number: 5, title: 'Foreign', body: 'words', state: 'open', updated_at: '2026-01-01T00:00:00Z' },
      repository: { id: 4, full_name: 'acme/app' },
    }
    expect((await product.deliver(signed(github, 'issues', payload))).body).toMatchObject({ ignored: true })
    expect(await product.lines()).toEqual([])
  })

  test('before the first read, the name is looked up', async () => {
    const github = await world()
    const product = new Product(github)
    expect((await product.deliver(await issueOf(github, 'acme/app'))).body).toMatchObject({ written: 1 })
    await expectConverged(product, github)
  })

  test('while GitHub does not answer, a signed delivery is believed, and its rows are private until it does', async () => {
    const github = await world()
    const product = new Product(github)
    await github.fault({ match: '.', times: 'always', action: { do: 'answer', status: 500 } })
    const delivery = await issueOf(github, 'acme/app')
    expect((await product.deliver(delivery)).body).toMatchObject({ written: 1 })
    expect(await product.lines()).toMatchObject([{ title: 'Elsewhere', repo_private: true }])
    await github.clearFaults()
    await product.heal()
    await expectConverged(product, github)
  })

  test('events of no repository, unknown events and pings change nothing', async () => {
    const github = await world()
    const product = new Product(github)
    await product.pollToEnd()
    const repository = { id: 1, full_name: 'acme/app' }
    expect(
      (await product.deliver(signed(github, 'ping', { zen: 'Keep it simple.', hook_id: 1, repository }))).body,
    ).toEqual({
      received: true,
      event: 'ping',
      repo: 'acme/app',
      written: 0,
      unchanged: 0,
      stale: 0,
      removed: 0,
      pending: 0,
    })
    for (const [event, payload] of [
      ['installation', { action: 'created' }],
      ['issues', { action: 'opened', issue: { number: 1 } }],
      ['star', { action: 'created', repository }],
      ['constructor', { repository }],
      ['__proto__', { repository }],
    ] as const) {
      expect((await product.deliver(signed(github, event, payload))).body).toMatchObject({ ignored: true })
    }
  })
})
