import { describe, expect, test } from 'vitest'
import type { GitHubRun, LimitState, LimitStore } from '../../src/github/github.ts'
import { openGate } from '../../src/github/limit-gate.ts'
import type { ScriptedAnswer } from '../support/answers-server.ts'
import { ARRAY, clientWorld, json, START_MS, TOKEN, type ClientWorld } from '../support/github/client-world.ts'

const LIST = '/repos/a/b/issues'
const PATH = `/api/v3${LIST}`
const GRAPHQL = '/api/graphql'
const MINUTE = 60_000
const RESET = START_MS / 1000 + 1_800

const numbers = (remaining: number, limit = 5_000, reset = RESET): Record<string, string> => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(reset),
})

const refused = (status: number, message: string, headers: Record<string, string> = {}): ScriptedAnswer =>
  json({ message }, headers, status)

/** How long a read has to wait: 0 for a good answer. */
async function waitOf(world: ClientWorld, run: GitHubRun = world.openRun()): Promise<number> {
  const answer = await run.forRepository('a/b').get(LIST, ARRAY)
  if (answer.ok) return 0
  if (answer.fault.kind !== 'waiting') throw new Error(JSON.stringify(answer.fault))
  return answer.fault.untilMs - world.nowMs
}

async function sent(world: ClientWorld): Promise<number> {
  return (await world.requests()).length
}

describe('a wait', () => {
  test.each<[string, ScriptedAnswer, number]>([
    [
      'seconds of retry-after with 403',
      refused(403, 'You have exceeded a secondary rate limit', { 'retry-after': '30' }),
      30_000,
    ],
    ['seconds of retry-after with 429', refused(429, 'Too many requests', { 'retry-after': '7' }), 7_000],
    ['retry-after without words', refused(403, 'Forbidden', { 'retry-after': '5' }), 5_000],
    ['a date of retry-after', refused(429, '', { 'retry-after': new Date(START_MS + 90_000).toUTCString() }), 90_000],
    [
      'retry-after beside the end of the hour',
      refused(403, '', { 'retry-after': '9', 'x-ratelimit-remaining': '0' }),
      9_000,
    ],
    ['more than a day', refused(429, '', { 'retry-after': '99999999' }), 24 * 60 * MINUTE],
    ['the end of the hour with 403', refused(403, 'API rate limit exceeded', numbers(0)), 1_800_000],
    ['the end of the hour with 429', refused(429, 'x', numbers(0)), 1_800_000],
    ['an hour that has ended already', refused(403, 'x', numbers(0, 5_000, START_MS / 1000 - 5)), MINUTE],
    ['an hour without an end', refused(403, 'x', { 'x-ratelimit-remaining': '0' }), MINUTE],
    ['the words "rate limit" alone', refused(403, 'You have exceeded a secondary rate limit.', numbers(4_000)), MINUTE],
    ['the word "abuse" alone', refused(403, 'You have triggered an abuse detection mechanism.'), MINUTE],
    ['429 alone', refused(429, ''), MINUTE],
    ['429 in HTML', { status: 429, body: '<html>', headers: { 'content-type': 'text/html' } }, MINUTE],
    [
      '403 in HTML with the words',
      { status: 403, body: '<p>rate limit', headers: { 'content-type': 'text/html' } },
      MINUTE,
    ],
    ['a retry-after that is neither', refused(429, 'x', { 'retry-after': 'soon' }), MINUTE],
  ])('by %s stops every request until its end', async (_, answer, waitMs) => {
    const world = clientWorld()
    await world.script({ [PATH]: [answer, json([])] })
    const run = world.openRun()
    expect(await waitOf(world, run)).toBe(waitMs)
    expect(await waitOf(world, run)).toBe(waitMs)
    expect(await world.repository().graphql('{ a }', {}, 'pr_review')).toMatchObject({ fault: { kind: 'waiting' } })
    world.nowMs += waitMs - 1
    expect(await waitOf(world)).toBe(1)
    expect(await sent(world)).toBe(1)
    world.nowMs += 1
    expect(await waitOf(world)).toBe(0)
    expect(await sent(world)).toBe(2)
  })

  test('without a named time doubles by each repetition up to an hour, and a good answer ends that', async () => {
    const world = clientWorld()
    await world.script({ [PATH]: refused(403, 'secondary rate limit') })
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      expect(await waitOf(world)).toBe(minutes * MINUTE)
      world.nowMs += minutes * MINUTE
    }
    await world.script({ [PATH]: [json([]), refused(403, 'secondary rate limit')] })
    expect(await waitOf(world)).toBe(0)
    expect(await waitOf(world)).toBe(MINUTE)
  })

  test('holds for GraphQL whose answer has status 200, and doubles there too', async () => {
    const world = clientWorld()
    const limited = json({ data: null, errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] })
    await world.script({ [GRAPHQL]: limited })
    for (const minutes of [1, 2]) {
      const answer = await world.repository().graphql('{ a }', {}, 'pr_review')
      expect(answer).toMatchObject({ fault: { kind: 'waiting', untilMs: world.nowMs + minutes * MINUTE } })
      expect(await waitOf(world)).toBe(minutes * MINUTE)
      world.nowMs += minutes * MINUTE
    }
    await world.script({ [GRAPHQL]: { ...limited, headers: numbers(0) } })
    expect(await world.repository().graphql('{ a }', {}, 'pr_review')).toMatchObject({
      fault: { kind: 'waiting', untilMs: RESET * 1000 },
    })
  })

  test('is of one credential: it does not block another one', async () => {
    const world = clientWorld()
    const other = clientWorld({ GITHUB_TOKEN: 'another', GITHUB_API_URL: world.urls.api })
    await world.script({ [PATH]: [refused(429, ''), json([])] })
    expect(await waitOf(world)).toBe(MINUTE)
    for (const [key, state] of world.limits.rows) other.limits.rows.set(key, state)
    expect(await waitOf(other)).toBe(0)
    const wiki = { [`/raw/wiki/a/b/Home.md`]: { body: 'x', headers: { 'content-type': 'text/plain' } } }
    await world.script(wiki)
    expect(await world.repository().readWikiPage('Home.md')).toMatchObject({ ok: true })
  })

  test('is passed over by force, and its good answer ends it', async () => {
    const world = clientWorld()
    await world.script({ [PATH]: [refused(429, '', { 'retry-after': '600' }), json([])] })
    expect(await waitOf(world)).toBe(600_000)
    expect(await waitOf(world, world.openRun({ force: true }))).toBe(0)
    expect(await waitOf(world)).toBe(0)
    expect([...world.limits.rows.values()]).toEqual([{}])
  })

  test('that force meets itself stops the run, and one that is not ended by a fault stays', async () => {
    const world = clientWorld()
    await world.script({ [PATH]: [refused(429, ''), refused(429, ''), { status: 502 }, json([])] })
    expect(await waitOf(world)).toBe(MINUTE)
    const forced = world.openRun({ force: true })
    expect(await waitOf(world, forced)).toBe(2 * MINUTE)
    expect(await waitOf(world, forced)).toBe(2 * MINUTE)
    expect(await sent(world)).toBe(2)
    const again = world.openRun({ force: true })
    expect(await again.forRepository('a/b').get(LIST, ARRAY)).toMatchObject({ fault: { kind: 'fault' } })
    expect(await waitOf(world)).toBe(2 * MINUTE)
    expect(await waitOf(world, again)).toBe(0)
  })
})

test('a wait stays when a good answer arrives at nearly the same time', async () => {
  for (let ticks = 0; ticks < 12; ticks += 1) {
    const rows = new Map<string, LimitState>([['key', { blockedUntilMs: START_MS - 1, backoffs: 1 }]])
    const store: LimitStore = {
      read: (credential) => Promise.resolve(rows.get(credential)),
      write: (credential, state) => Promise.resolve(void rows.set(credential, state)),
    }
    const gate = openGate('key', { store, now: () => START_MS, force: false })
    await gate.check('rest')
    const refusal = gate.learn('rest', { status: 429, headers: new Headers({ 'retry-after': '60' }), text: '' })
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve()
    await gate.learn('rest', { status: 200, headers: new Headers(numbers(4_000)), text: '' })
    await refusal
    await gate.save()
    expect(rows.get('key'), `${ticks} ticks later`).toMatchObject({ blockedUntilMs: START_MS + MINUTE })
  }
})

test('a refusal without a limit is no wait', async () => {
  const world = clientWorld()
  await world.script({ [PATH]: refused(403, 'Resource protected by organization SAML enforcement', numbers(4_000)) })
  expect(await world.repository().get(LIST, ARRAY)).toMatchObject({ fault: { kind: 'refused', status: 403 } })
  expect(await world.repository().get(LIST, ARRAY)).toMatchObject({ fault: { kind: 'refused', status: 403 } })
})

describe('the last tenth of the hour', () => {
  test.each([
    [5_000, 501, 500],
    [60, 7, 6],
    [15_000, 1_501, 1_500],
  ])('of %i requests is left to others', async (limit, enough, tenth) => {
    const world = clientWorld()
    await world.script({
      [PATH]: [json([], numbers(enough, limit)), json([], numbers(tenth, limit)), json([], numbers(limit))],
    })
    const run = world.openRun()
    expect(await waitOf(world, run)).toBe(0)
    expect(await waitOf(world, run)).toBe(0)
    expect(await waitOf(world, run)).toBe(1_800_000)
    expect(await waitOf(world)).toBe(1_800_000)
    expect(await sent(world)).toBe(2)
    world.nowMs = RESET * 1000
    expect(await waitOf(world)).toBe(0)
  })

  test('of REST says nothing of GraphQL, which has an hour of its own', async () => {
    const world = clientWorld()
    await world.script({
      [PATH]: [json([], numbers(10)), json([], numbers(10))],
      [GRAPHQL]: [json({ data: { a: 1 } }, numbers(4_000)), json({ data: { a: 1 } }, numbers(100))],
    })
    const github = world.repository()
    await github.get(LIST, ARRAY)
    expect(await github.graphql('{ a }', {}, 'doc')).toMatchObject({ ok: true })
    expect(await github.graphql('{ a }', {}, 'doc')).toMatchObject({ ok: true })
    expect(await github.graphql('{ a }', {}, 'doc')).toMatchObject({ fault: { kind: 'waiting' } })
    expect(await github.get(LIST, ARRAY)).toMatchObject({ fault: { kind: 'waiting' } })
  })

  test('is asked about again by force, and then holds', async () => {
    const world = clientWorld()
    await world.script({ [PATH]: json([], numbers(10)) })
    await waitOf(world)
    const forced = world.openRun({ force: true })
    expect(await waitOf(world, forced)).toBe(0)
    expect(await waitOf(world, forced)).toBe(1_800_000)
  })

  test('is not learnt from the answer to a refused token, which has the limit of anyone', async () => {
    const world = clientWorld()
    await world.script({ [PATH]: [json({ message: 'Bad credentials' }, numbers(0, 60), 401), json([])] })
    const run = world.openRun()
    expect(await run.forRepository('a/b').get(LIST, ARRAY)).toMatchObject({ fault: { kind: 'refused', status: 401 } })
    expect(await waitOf(world, run)).toBe(0)
  })
})

test('limits are stored once at the end of a run, and are read from there', async () => {
  const world = clientWorld()
  await world.script({ [PATH]: json([], numbers(4_321)) })
  const run = world.openRun()
  for (let times = 0; times < 3; times += 1) await waitOf(world, run)
  expect(world.limits.writes).toBe(0)
  expect(await world.client.readLimit()).toBeUndefined()
  await run.saveLimits()
  await run.saveLimits()
  expect(world.limits.writes).toBe(1)
  expect(await world.client.readLimit()).toEqual({ limit: 5_000, remaining: 4_321, resetsAtMs: RESET * 1000 })
})

test('a run that sends nothing stores nothing', async () => {
  const world = clientWorld()
  const run = world.openRun()
  run.forRepository('a/b')
  await run.saveLimits()
  expect(world.limits.writes).toBe(0)
})

test('the store knows a credential by a hash alone', async () => {
  const world = clientWorld()
  await world.script({ [PATH]: refused(429, ''), [GRAPHQL]: json({ data: { a: 1 } }, numbers(100)) })
  await waitOf(world)
  world.nowMs += MINUTE
  const run = world.openRun()
  await run.forRepository('a/b').graphql('{ a }', {}, 'doc')
  await run.saveLimits()
  expect(world.limits.rows.size).toBe(2)
  for (const key of world.limits.rows.keys()) expect(key).toMatch(/^[\w-]{43}$/)
  expect(JSON.stringify([...world.limits.rows])).not.toContain(TOKEN)
})
