/** The clock of a deployed Worker, and what status says meanwhile. */
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { runClock } from '../../../src/ingest/clock.ts'
import { clearIndex } from '../../support/index-world.ts'
import { expectLines } from '../../support/github/compared-lines.ts'
import { expectConverged, Product } from '../../support/github/product.ts'
import { ScriptedGitHub } from '../../support/github/scripted-github.ts'

beforeEach(clearIndex)

const DAY_MS = 86_400_000

async function world(...repositories: readonly string[]) {
  const github = await ScriptedGitHub.create(inject('githubUrl'))
  for (const repo of repositories) {
    await github.edit({ do: 'create_repository', repo })
    await github.edit({ do: 'open_issue', repo, title: `An issue of ${repo}`, body: 'words' })
  }
  return github
}

function minutes(product: Product) {
  return () => runClock(product.app.ingest, () => product.app.runMaintenance())
}

describe('the clock', () => {
  test('reads everything without a call, a bounded run each minute', async () => {
    const github = await world('acme/app')
    let nowMs = Date.now()
    const product = new Product(github, { now: () => nowMs, texts: { GITHUB_REQUESTS_PER_RUN: '4' } })
    const minute = minutes(product)
    for (let run = 0; run < 12; run += 1, nowMs += 60_000) {
      await github.clearRequests()
      await minute()
      expect((await github.requests()).length).toBeLessThanOrEqual(12)
    }
    await expectConverged(product, github)
    await github.edit({ do: 'open_issue', repo: 'acme/app', title: 'Later', body: 'words' })
    for (let run = 0; run < 8; run += 1, nowMs += 60_000) await minute()
    await expectConverged(product, github)
  })

  test('finds within a day a deletion that no delivery reported', async () => {
    const github = await world('acme/app')
    let nowMs = Date.now()
    const product = new Product(github, { now: () => nowMs })
    const minute = minutes(product)
    await github.edit({ do: 'comment', repo: 'acme/app', number: 1, body: 'A comment that will be deleted.' })
    for (let run = 0; run < 3; run += 1, nowMs += 60_000) await minute()
    const comment = (await product.lines()).find(({ type }) => type === 'issue_comment')
    await github.edit({ do: 'delete_comment', repo: 'acme/app', id: Number(comment!['comment_id']) })
    await minute()
    expect((await product.lines()).filter(({ type }) => type === 'issue_comment')).toHaveLength(1)
    nowMs += DAY_MS
    for (let run = 0; run < 3; run += 1, nowMs += 60_000) await minute()
    await expectConverged(product, github)
  })

  test('begins no lap before a day has passed', async () => {
    const github = await world('acme/app')
    let nowMs = Date.now()
    const product = new Product(github, { now: () => nowMs })
    const minute = minutes(product)
    for (let run = 0; run < 4; run += 1, nowMs += 60_000) await minute()
    await github.clearRequests()
    await minute()
    expect((await github.requests()).length).toBeLessThanOrEqual(14)
  })

  test('of many repositories the one that waited longest is read first, while another one fails', async () => {
    const repositories = ['acme/a', 'acme/b', 'acme/c']
    const github = await world(...repositories)
    let nowMs = Date.now()
    const texts = { GITHUB_REPOSITORIES: repositories.join(), GITHUB_REQUESTS_PER_RUN: '5' }
    const product = new Product(github, { now: () => nowMs, texts })
    const minute = minutes(product)
    await github.fault({ match: '/acme/a/', times: 'always', action: { do: 'answer', status: 500 } })
    for (let run = 0; run < 30; run += 1, nowMs += 60_000) await minute()
    const lines = await product.lines()
    expect(new Set(lines.map(({ repo }) => repo))).toEqual(new Set(['acme/b', 'acme/c']))
    for (const one of ['acme/b', 'acme/c']) {
      expectLines(
        lines.filter(({ repo }) => repo === one),
        await github.expected({ repo: one }),
      )
    }
    for (const repo of ['acme/b', 'acme/c']) {
      await github.edit({ do: 'open_issue', repo, title: `Later in ${repo}`, body: 'words' })
    }
    for (let run = 0; run < 15; run += 1, nowMs += 60_000) await minute()
    const titles = (await product.lines()).map(({ title }) => title)
    expect(titles).toEqual(expect.arrayContaining(['Later in acme/b', 'Later in acme/c']))
  })

  test('a failed surface is left alone until its time, longer after each failure', async () => {
    const github = await world('acme/app')
    let nowMs = Date.now()
    const product = new Product(github, { now: () => nowMs })
    const minute = minutes(product)
    await github.fault({ match: '/releases', times: 'always', action: { do: 'answer', status: 500 } })
    let requests = 0
    for (let run = 0; run < 30; run += 1, nowMs += 60_000) {
      await github.clearRequests()
      await minute()
      requests += (await github.requests()).filter(({ path }) => path.includes('/releases')).length
    }
    expect(requests).toBeGreaterThan(2)
    expect(requests).toBeLessThan(12)
  })

  test('neither a GitHub nor an index out of reach keeps maintenance from running', async () => {
    const github = await world('acme/app')
    const product = new Product(github)
    let maintained = 0
    await github.fault({ match: '.', times: 'always', action: { do: 'reset' } })
    await runClock(product.app.ingest, async () => void (maintained += 1))
    expect(maintained).toBe(1)
    await expect(
      runClock({ ...product.app.ingest, index: { database: null as unknown as D1Database } }, async () => {
        maintained += 1
      }),
    ).rejects.toThrow()
    expect(maintained).toBe(2)
  })
})

describe('status', () => {
  test('names the credential, its limit, the webhook and the last delivery', async () => {
    const github = await world('acme/app')
    const product = new Product(github)
    expect((await product.status()).github).toEqual({ auth: 'token', webhook: 'on', api_url: github.urls.api })
    await product.pollToEnd()
    await product.deliver((await github.deliveries()).at(-1)!)
    const { github: now } = await product.status()
    expect(now.rate_limit).toMatchObject({ limit: 5000, resets_at: expect.stringMatching(/Z$/) as string })
    expect(now.last_delivery_at).toMatch(/Z$/)
    const anonymous = new Product(github, { texts: { GITHUB_TOKEN: '', GITHUB_WEBHOOK_SECRET: '' } })
    expect((await anonymous.status()).github).toMatchObject({ auth: 'none', webhook: 'off' })
  })

  test('before the first read a configured repository has nine surfaces that are read, without rows', async () => {
    const github = await world('acme/app')
    const repository = await new Product(github).repository()
    expect(repository).toMatchObject({ repo: 'acme/app', configured: true, documents: {}, pending: 0 })
    expect(repository.surfaces).toHaveLength(9)
    expect(new Set(repository.surfaces.map(({ state }) => state))).toEqual(new Set(['reading']))
  })

  test('rows equal the index, requests those that were made, and the lag grows from the last read to the end', async () => {
    const github = await world()
    await github.fillSample(1)
    let nowMs = Date.now()
    const product = new Product(github, { now: () => nowMs })
    await product.pollToEnd()
    nowMs += 90_000
    const { surfaces } = await product.repository()
    const lines = await product.lines()
    for (const { surface, rows, state, lag_s: lag } of surfaces) {
      expect([surface, rows]).toEqual([surface, lines.filter(({ type }) => type === surface).length])
      if (state !== 'off') expect([surface, state, lag]).toEqual([surface, 'current', 90])
    }
    const requests = await github.requests()
    const counted = surfaces.filter(({ surface }) => surface !== 'pull_request')
    expect(counted.reduce((sum, surface) => sum + surface.requests, 0)).toBeGreaterThanOrEqual(requests.length - 1)
  })

  test('issues that are turned off are off, and a private wiki is unreadable', async () => {
    const github = await world('acme/app')
    await github.edit({ do: 'write_wiki', repo: 'acme/app', file: 'Home.md', text: 'Welcome\n' })
    const product = new Product(github)
    await product.pollToEnd()
    await github.edit({ do: 'edit_repository', repo: 'acme/app', private: true, hasIssues: false })
    await product.pollToEnd()
    const { surfaces } = await product.repository()
    expect(surfaces.find(({ surface }) => surface === 'issue')).toMatchObject({ state: 'off', rows: 1 })
    const wiki = surfaces.find(({ surface }) => surface === 'wiki_doc')
    expect(wiki).toMatchObject({ state: 'unreadable', rows: 1 })
    expect(wiki?.last_error).toBeDefined()
  })

  test('a refused token is named as the cause, and no surface is current', async () => {
    const github = await world('acme/app')
    await github.grant(github.token, null)
    const product = new Product(github)
    const { body } = await product.poll()
    expect(body.done).toBe(false)
    const { surfaces } = await product.repository()
    expect(surfaces.every(({ state }) => state === 'waiting')).toBe(true)
    expect(surfaces[0]?.last_error).toContain('401')
    expect(JSON.stringify(await product.status())).not.toContain(github.token)
  })
})
