/** The routes that read GitHub: what they refuse, whose turn it is, and what one run leaves to the next. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { brokenInvariants, clearIndex, index } from '../../support/index-world.ts'
import { KilledDatabase } from '../../support/github/killed-database.ts'
import { expectConverged, Product } from '../../support/github/product.ts'
import { ScriptedGitHub } from '../../support/github/scripted-github.ts'
import { takeLease, RUN_LEASE } from '../../../src/index/ingestion/leases.ts'

beforeEach(clearIndex)

async function world(...repositories: readonly string[]) {
  const github = await ScriptedGitHub.create(inject('githubUrl'))
  for (const repo of repositories.length === 0 ? ['acme/app'] : repositories) {
    await github.edit({ do: 'create_repository', repo })
    await github.edit({ do: 'open_issue', repo, title: `An issue of ${repo}`, body: 'words' })
  }
  return github
}

describe('what is refused', () => {
  test.each([
    ['poll?colour=red', 400, /^colour: /],
    ['poll?surface=commit', 400, /^surface: /],
    ['poll?surface=', 400, /^surface: /],
    ['poll?requests=0', 400, /^requests: /],
    ['poll?requests=-1', 400, /^requests: /],
    ['poll?requests=1.5', 400, /^requests: /],
    ['poll?requests=many', 400, /^requests: /],
    ['poll?repo=app', 400, /^repo: /],
    ['poll?repo=acme/other', 404, /acme\/other/],
    ['poll?restart=maybe', 400, /^restart: /],
    ['poll?force=1', 400, /^force: /],
    ['poll?dry_run=true', 400, /^dry_run: /],
    ['reconcile?repo=acme/other', 404, /acme\/other/],
    ['reconcile?dry_run=perhaps', 400, /^dry_run: /],
    ['maintenance?force=true', 400, /^force: /],
  ])('%s is answered with %i and asks nothing of GitHub', async (path, status, message) => {
    const github = await world()
    const product = new Product(github)
    const answer = await product.admin('POST', path)
    expect(answer.status).toBe(status)
    expect(answer.body.error?.message).toMatch(message)
    expect(await github.requests()).toEqual([])
  })

  test.each(['poll', 'reconcile'])('%s is 503 while no repository is configured', async (path) => {
    const github = await world()
    const product = new Product(github, { texts: { GITHUB_REPOSITORIES: '' } })
    const answer = await product.admin('POST', path)
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } })
    expect(answer.body.error?.message).toContain('GITHUB_REPOSITORIES')
  })

  test('a repository is named in any letter case, and by its present name after a rename', async () => {
    const github = await world()
    const product = new Product(github)
    expect((await product.poll('?repo=ACME/App')).body.done).toBe(true)
    await github.edit({ do: 'rename_repository', repo: 'acme/app', to: 'renamed' })
    expect((await product.poll()).body.done).toBe(true)
    expect((await product.poll('?repo=acme/renamed')).body.done).toBe(true)
    expect((await product.poll('?repo=acme/app')).body.done).toBe(true)
  })
})

describe('rounds', () => {
  test('a filter reads one surface of one repository', async () => {
    const github = await world('acme/app', 'acme/lib')
    const product = new Product(github, { texts: { GITHUB_REPOSITORIES: 'acme/app, acme/lib' } })
    const { body } = await product.poll('?repo=acme/lib&surface=pull_request')
    expect(body).toMatchObject({
      done: true,
      surfaces: [{ repo: 'acme/lib', surface: 'pull_request', state: 'current' }],
    })
    expect((await product.lines()).map(({ repo }) => repo)).toEqual(['acme/lib'])
  })

  test('a call goes on with a round, and the call after its end begins the next', async () => {
    const github = await world()
    const product = new Product(github)
    const answers = await product.pollToEnd('?requests=3')
    expect(answers.length).toBeGreaterThan(1)
    expect(answers.slice(0, -1).every(({ done }) => !done)).toBe(true)
    const { body } = await product.poll('?requests=3')
    expect(body.done).toBe(false)
    await github.clearRequests()
    const restarted = await product.poll('?restart')
    expect(restarted.body).toMatchObject({ done: true })
    expect((await github.requests()).length).toBe(restarted.body.requests)
  })

  test('backfill forgets how far a surface was read, and deletes nothing', async () => {
    const github = await world()
    const product = new Product(github)
    await product.pollToEnd()
    const before = await product.lines()
    const { body } = await product.admin('POST', 'backfill?repo=acme/app&surface=pull_request')
    expect(body).toMatchObject({ repo: 'acme/app', reset: ['pull_request'] })
    expect((await product.repository()).surfaces[0]).toMatchObject({ surface: 'issue', state: 'reading' })
    expect(await product.lines()).toEqual(before)
    const [answer] = await product.pollToEnd()
    expect(answer).toMatchObject({ done: true, written: 0 })
    expect(answer!.unchanged).toBeGreaterThan(0)
  })
})

describe('trouble', () => {
  test('one surface that fails blocks no other, and status names the cause until it is read', async () => {
    const github = await world('acme/app', 'acme/lib')
    const product = new Product(github, { texts: { GITHUB_REPOSITORIES: 'acme/app,acme/lib' } })
    await github.fault({ match: '/acme/app/releases', times: 'always', action: { do: 'answer', status: 500 } })
    for (let run = 0; run < 40; run += 1) await product.poll('?requests=1')
    const { body } = await product.poll()
    expect(body.done).toBe(false)
    expect(body.retry_after_ms).toBeGreaterThan(0)
    const failed = body.surfaces.filter(({ state }) => state !== 'current' && state !== 'off')
    expect(failed).toMatchObject([{ repo: 'acme/app', surface: 'release', state: 'waiting' }])
    expect(failed[0]?.error).toContain('500')
    const surface = (await product.repository()).surfaces.find((one) => one.surface === 'release')
    expect(surface).toMatchObject({ state: 'waiting', last_error: failed[0]?.error })
    expect(surface?.retry_at).toBeDefined()
    expect(surface?.lag_s).toBeUndefined()
    await github.edit({ do: 'open_issue', repo: 'acme/app', title: 'Later', body: 'while releases fail' })
    await product.poll()
    expect((await product.lines()).map(({ title }) => title)).toContain('Later')
    await github.clearFaults()
    expect((await product.poll()).body.done).toBe(true)
    const healed = (await product.repository()).surfaces.find((one) => one.surface === 'release')
    expect(healed).toMatchObject({ state: 'current', lag_s: expect.any(Number) as number })
    expect(healed?.last_error).toBeUndefined()
    expect(healed?.retry_at).toBeUndefined()
  })

  test.each([
    ['an empty body', { do: 'empty' }],
    ['a page of HTML', { do: 'html' }],
    ['half of the JSON', { do: 'malformed' }],
    ['a body that is cut', { do: 'cut', bytes: 10 }],
    ['no answer', { do: 'reset' }],
    ['422', { do: 'answer', status: 422, body: '{}' }],
    ['502', { do: 'answer', status: 502 }],
  ] as const)('%s is no end of a list: nothing is removed and the next run reads on', async (_name, action) => {
    const github = await world()
    const product = new Product(github)
    await product.heal()
    await github.edit({ do: 'open_issue', repo: 'acme/app', title: 'Second', body: 'words' })
    await github.fault({ match: '.', times: 'always', action })
    for (const run of [await product.poll(), await product.reconcile()]) {
      expect(run.body).toMatchObject({ done: false, removed: 0, written: 0 })
    }
    await github.clearFaults()
    await product.heal()
    await expectConverged(product, github)
  })

  test('a limit stops every request until its time, and force asks all the same', async () => {
    const github = await world('acme/app', 'acme/lib')
    let nowMs = Date.now()
    const texts = { GITHUB_REPOSITORIES: 'acme/app,acme/lib' }
    const product = new Product(github, { texts, now: () => nowMs })
    await github.fault({ match: '/acme/app/issues\\?', action: { do: 'limit', kind: 'secondary', retryAfterS: 90 } })
    const { body } = await product.poll()
    expect(body.done).toBe(false)
    expect(body.retry_after_ms).toBeGreaterThan(60_000)
    const made = (await github.requests()).length
    expect((await product.poll()).body).toMatchObject({ done: false, requests: 0 })
    expect((await github.requests()).length).toBe(made)
    expect((await product.repository()).surfaces[0]).toMatchObject({ state: 'waiting' })
    expect((await product.poll('?force=true')).body.done).toBe(true)
    nowMs += 1
    expect((await product.poll()).body.done).toBe(true)
  })
})

describe('one run at a time', () => {
  test('a second run is BUSY and says until when; a killed run holds it for 30 s at most', async () => {
    const github = await world()
    let nowMs = Date.now()
    const killed = new KilledDatabase(env.DB)
    const product = new Product(github, { database: killed.database, now: () => nowMs })
    killed.killAt(4, false)
    await expect(product.poll()).resolves.toMatchObject({ status: 500 })
    killed.restart()
    const next = new Product(github, { now: () => nowMs })
    const busy = await next.poll()
    expect(busy).toMatchObject({ status: 503, body: { error: { code: 'BUSY' } } })
    expect(busy.body.error?.retry_after_ms).toBeLessThanOrEqual(30_000)
    expect((await next.reconcile()).status).toBe(503)
    nowMs += busy.body.error!.retry_after_ms!
    await next.heal()
    await expectConverged(next, github)
    expect(await brokenInvariants()).toEqual([])
  })

  test('a run that lost its lease writes nothing more', async () => {
    const github = await world()
    let nowMs = Date.now()
    const product = new Product(github, { now: () => nowMs })
    await github.fault({ match: '/issues\\?', action: { do: 'delay', ms: 1_500 } })
    const run = product.poll()
    await new Promise((resolve) => setTimeout(resolve, 700))
    nowMs += 60_000
    expect((await takeLease(index, { name: RUN_LEASE, holder: 'another' }, nowMs)).ok).toBe(true)
    expect(await run).toMatchObject({ status: 503, body: { error: { code: 'BUSY' } } })
    expect(await product.lines()).toEqual([])
  })

  test('of two runs that begin together one is BUSY, and together they read everything', async () => {
    const github = await world()
    const product = new Product(github)
    const answers = await Promise.all([product.poll(), product.poll()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 503])
    await expectConverged(product, github)
  })
})
