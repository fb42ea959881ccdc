/** Who may read what from the scripted GitHub, its limits, and where moved things lead. */
import { createSign } from 'node:crypto'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { ask, askGraphql } from '../../support/github/ask-github.ts'
import { ScriptedGitHub } from '../../support/github/scripted-github.ts'

const REPO = 'acme/app'
let github: ScriptedGitHub

beforeEach(async () => {
  github = await ScriptedGitHub.create(inject('githubUrl'), { limitClock: 'world' })
  await github.edit({ do: 'create_repository', repo: REPO })
})

describe('access', () => {
  test('is refused to a bad token, and to a request without a user agent', async () => {
    const bad = await ask<{ message: string }>(github, `/repos/${REPO}`, { token: 'other' })
    expect([bad.status, bad.body.message]).toEqual([401, 'Bad credentials'])
    expect((await fetch(`${github.urls.api}/repos/${REPO}`)).status).toBe(403)
  })

  test('to a private repository hides it from others', async () => {
    await github.edit({ do: 'edit_repository', repo: REPO, private: true })
    await github.grant('weak', { repositories: [], permissions: 'all', push: false, login: 'x' })
    expect((await ask(github, `/repos/${REPO}`, { token: null })).status).toBe(404)
    expect((await ask(github, `/repos/${REPO}/issues`, { token: 'weak' })).status).toBe(404)
    expect((await ask(github, `/repos/${REPO}`)).status).toBe(200)
    const { data, errors } = await askGraphql(github, `{ repository(owner: "acme", name: "app") { id } }`, {}, 'weak')
    expect([data.repository, errors?.[0].type]).toEqual([null, 'NOT_FOUND'])
  })

  test('with a fine-grained token needs the permission, which the refusal names', async () => {
    await github.edit({ do: 'edit_repository', repo: REPO, private: true })
    await github.grant('issues', { repositories: [REPO], permissions: ['issues'], push: false, login: 'x' })
    expect((await ask(github, `/repos/${REPO}/issues`, { token: 'issues' })).status).toBe(200)
    const refused = await ask(github, `/repos/${REPO}/releases`, { token: 'issues' })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('x-accepted-github-permissions')).toBe('contents=read')
  })

  test('shows drafts of releases to those with push rights only', async () => {
    await github.edit({ do: 'commit', repo: REPO, message: 'First', files: { 'a.txt': 'a\n' } })
    await github.edit({ do: 'release', repo: REPO, tag: 'v1', draft: true })
    expect((await ask(github, `/repos/${REPO}/releases`)).body).toMatchObject([{ draft: true, published_at: null }])
    expect((await ask(github, `/repos/${REPO}/releases`, { token: null })).body).toEqual([])
    expect((await ask(github, `/repos/${REPO}/releases/tags/v1`)).status).toBe(404)
  })
})

describe('an App', () => {
  function toJwt(pem: string, claims: object): string {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const content = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`
    return `${content}.${createSign('RSA-SHA256').update(content).sign(pem, 'base64url')}`
  }

  test('gets a token of one hour for the repositories it is installed in', async () => {
    await github.edit({ do: 'edit_repository', repo: REPO, private: true })
    await github.edit({ do: 'create_repository', repo: 'acme/other', private: true })
    const app = await github.createApp([REPO])
    const now = Math.floor((await github.clock()) / 1000)
    const token = toJwt(app.pkcs8, { iss: app.appId, iat: now - 60, exp: now + 540 })
    const found = await ask<{ id: number }>(github, `/repos/${REPO}/installation`, { token })
    expect(found.body.id).toBe(app.installationId)
    expect((await ask(github, '/repos/acme/other/installation', { token })).status).toBe(404)
    const path = `/app/installations/${app.installationId}/access_tokens`
    const made = await ask<{ token: string; expires_at: string }>(github, path, { token, method: 'POST' })
    expect(made.status).toBe(201)
    const read = async (repo: string): Promise<number> =>
      (await ask(github, `/repos/${repo}`, { token: made.body.token })).status
    expect([await read(REPO), await read('acme/other')]).toEqual([200, 404])
    await github.clock({ byMs: 3_600_000 })
    expect(await read(REPO)).toBe(401)
  })

  test('is refused with another key, and with claims too far in the future', async () => {
    const { appId } = await github.createApp()
    const { pkcs8 } = await (await ScriptedGitHub.create(inject('githubUrl'))).createApp()
    const own = await github.createApp()
    const now = Math.floor((await github.clock()) / 1000)
    const claims = { iss: appId, iat: now, exp: now + 300 }
    const status = async (token: string): Promise<number> =>
      (await ask(github, `/repos/${REPO}/installation`, { token })).status
    expect(await status(toJwt(pkcs8, claims))).toBe(401)
    expect(await status(toJwt(own.pkcs8, { ...claims, exp: now + 3600 }))).toBe(401)
    expect(await status(toJwt(own.pkcs8, claims))).toBe(200)
  })
})

describe('limits', () => {
  test('count each request, end at none left, and begin again after their hour', async () => {
    await github.set({ anonymousPerHour: 2 })
    const anonymous = { token: null }
    expect((await ask(github, `/repos/${REPO}`, anonymous)).headers.get('x-ratelimit-remaining')).toBe('1')
    expect((await ask(github, `/repos/${REPO}/nothing`, anonymous)).headers.get('x-ratelimit-remaining')).toBe('0')
    const refused = await ask<{ message: string }>(github, `/repos/${REPO}`, anonymous)
    expect([refused.status, refused.headers.get('x-ratelimit-remaining')]).toEqual([403, '0'])
    expect(refused.body.message).toContain('API rate limit exceeded')
    await github.clock({ nowMs: Number(refused.headers.get('x-ratelimit-reset')) * 1000 })
    expect((await ask(github, `/repos/${REPO}`, anonymous)).status).toBe(200)
  })

  test('can be said to be used up', async () => {
    await github.useLimit(github.token, 4990)
    expect((await ask(github, `/repos/${REPO}`)).headers.get('x-ratelimit-remaining')).toBe('9')
  })

  test('of GraphQL are points of their own, refused with status 200', async () => {
    await github.set({ pointsPerHour: 1 })
    const query = '{ rateLimit { cost remaining } }'
    expect((await askGraphql(github, query)).data).toEqual({ rateLimit: { cost: 1, remaining: 0 } })
    const refused = await askGraphql(github, query)
    expect([refused.status, refused.errors?.[0].type]).toEqual([200, 'RATE_LIMITED'])
    expect((await ask(github, `/repos/${REPO}`)).status).toBe(200)
  })
})

describe('moved and deleted things', () => {
  test('a renamed repository answers 301 to its id, until its old name is taken', async () => {
    await github.edit({ do: 'rename_repository', repo: REPO, to: 'tool' })
    const moved = await ask(github, `/repos/${REPO}/issues?state=all`)
    expect(moved.status).toBe(301)
    const there = await ask(github, moved.headers.get('location') ?? '')
    expect(there.status).toBe(200)
    await github.edit({ do: 'create_repository', repo: REPO })
    expect((await ask(github, `/repos/${REPO}`)).body).toMatchObject({ full_name: REPO })
  })

  test('a transferred issue answers 301 to its new place, a deleted one 410', async () => {
    await github.edit({ do: 'create_repository', repo: 'acme/other' })
    await github.edit({ do: 'open_issue', repo: REPO, title: 'Here', body: 'Words' })
    await github.edit({ do: 'open_issue', repo: REPO, title: 'Gone', body: 'Words' })
    await github.edit({ do: 'transfer_issue', repo: REPO, number: 1, to: 'acme/other' })
    await github.edit({ do: 'delete_issue', repo: REPO, number: 2 })
    const moved = await ask(github, `/repos/${REPO}/issues/1`)
    expect(moved.status).toBe(301)
    expect((await ask(github, moved.headers.get('location') ?? '')).body).toMatchObject({ title: 'Here', number: 1 })
    expect((await ask(github, `/repos/${REPO}/issues/2`)).status).toBe(410)
    expect((await ask(github, `/repos/${REPO}/issues/3`)).status).toBe(404)
  })
})
