/** The scripted GitHub fails as it is asked to, and logs what it was asked. */
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { ask, askAll, askGraphql } from '../../support/github/ask-github.ts'
import { ScriptedGitHub } from '../../support/github/scripted-github.ts'
import type { FaultAction } from '../../support/github/fault.ts'

const REPO = 'acme/app'
const ISSUES = `/repos/${REPO}/issues`
let github: ScriptedGitHub

beforeEach(async () => {
  github = await ScriptedGitHub.create(inject('githubUrl'))
  await github.edits([
    { do: 'create_repository', repo: REPO },
    { do: 'open_issue', repo: REPO, title: 'One', body: 'Words of one' },
    { do: 'open_issue', repo: REPO, title: 'Two', body: 'Words of two' },
  ])
})

const meet = (action: FaultAction): Promise<void> => github.fault({ match: '/issues', action })

describe('a fault', () => {
  test('meets the requests of its pattern, after those it skips, and so often', async () => {
    await github.fault({ match: 'GET .*/issues', skip: 1, times: 2, action: { do: 'answer', status: 502 } })
    const statuses: number[] = []
    for (let at = 0; at < 4; at++) statuses.push((await ask(github, ISSUES)).status)
    expect(statuses).toEqual([200, 502, 502, 200])
    expect((await ask(github, `/repos/${REPO}`)).status).toBe(200)
  })

  test('can cut a body short of its announced length', async () => {
    await meet({ do: 'cut', bytes: 40 })
    await expect(ask(github, ISSUES)).rejects.toThrow()
  })

  test('can break the connection before any answer', async () => {
    await meet({ do: 'reset' })
    await expect(ask(github, ISSUES)).rejects.toThrow()
    expect((await github.requests()).at(-1)).toMatchObject({ fault: 'reset', status: 0 })
  })

  test.each<[string, FaultAction, RegExp]>([
    ['half of the JSON', { do: 'malformed' }, /^\[\{"url":.*[^\]]$/s],
    ['a page of HTML', { do: 'html' }, /^<html>/],
    ['nothing', { do: 'empty' }, /^$/],
  ])('can answer 200 with %s', async (_, action, body) => {
    await meet(action)
    const answer = await ask(github, ISSUES)
    expect(answer.status).toBe(200)
    expect(typeof answer.body).toBe('string')
    expect(answer.body).toMatch(body)
  })

  test('can be a limit in each of its forms', async () => {
    await meet({ do: 'limit', kind: 'primary', resetInS: 90 })
    await meet({ do: 'limit', kind: 'secondary', status: 429, retryAfterS: 7 })
    await meet({ do: 'limit', kind: 'words' })
    const [primary, secondary, words] = [
      await ask(github, ISSUES),
      await ask(github, ISSUES),
      await ask(github, ISSUES),
    ]
    expect([primary.status, primary.headers.get('x-ratelimit-remaining')]).toEqual([403, '0'])
    expect([secondary.status, secondary.headers.get('retry-after')]).toEqual([429, '7'])
    expect([words.status, words.headers.get('retry-after'), words.headers.get('x-ratelimit-remaining')]).toEqual([
      403,
      null,
      null,
    ])
    expect(words.body).toMatchObject({ message: expect.stringContaining('secondary rate limit') as string })
  })

  test('can end a list early without a sign, or answer as things were before', async () => {
    await github.takeSnapshot('before')
    await github.edit({ do: 'open_issue', repo: REPO, title: 'Three', body: 'Words of three' })
    await meet({ do: 'end_list', items: 1 })
    expect(await askAll(github, ISSUES)).toHaveLength(1)
    await meet({ do: 'lag', snapshot: 'before' })
    expect(await askAll(github, ISSUES)).toHaveLength(2)
    expect(await askAll(github, ISSUES)).toHaveLength(3)
  })

  test('can put errors into a good answer of GraphQL', async () => {
    await github.fault({
      match: 'POST /api/graphql .*viewer',
      action: { do: 'graphql_errors', errors: [{ message: 'x' }] },
    })
    expect(await askGraphql(github, '{ viewer { login } }')).toEqual({ status: 200, errors: [{ message: 'x' }] })
    expect((await askGraphql(github, '{ viewer { login } }')).errors).toBeUndefined()
  })

  test('can delay an answer', async () => {
    await meet({ do: 'delay', ms: 80 })
    const startedMs = Date.now()
    expect((await ask(github, ISSUES)).status).toBe(200)
    expect(Date.now() - startedMs).toBeGreaterThanOrEqual(75)
  })
})

test('requests are logged with their path, credential and status', async () => {
  await ask(github, `${ISSUES}?state=all`, { headers: { 'if-none-match': '"x"' } })
  await ask(github, ISSUES, { token: null })
  const [first, second] = await github.requests()
  expect(first).toMatchObject({
    method: 'GET',
    path: `/api/v3${ISSUES}?state=all`,
    authorization: `Bearer ${github.token}`,
    ifNoneMatch: '"x"',
    status: 200,
  })
  expect(second?.authorization).toBeUndefined()
})
