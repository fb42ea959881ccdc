import { beforeAll, describe, expect, test } from 'vitest'
import { INSTALLATION_PATH, readClaims, tokenAnswer, TOKEN_PATH } from '../support/github/app-answers.ts'
import { makeAppKey, type AppKey } from '../support/github/app-key.ts'
import { ARRAY, clientWorld, json, START_MS, TOKEN, type ClientWorld } from '../support/github/client-world.ts'

const LIST = '/repos/a/b/issues'
const PATH = `/api/v3${LIST}`
const HOUR = 3_600_000
const BAD = json({ message: 'Bad credentials' }, {}, 401)

let key: AppKey

beforeAll(async () => {
  key = await makeAppKey()
})

function appWorld(privateKey = key.pkcs1): ClientWorld {
  return clientWorld({ GITHUB_APP_ID: '123', GITHUB_APP_PRIVATE_KEY: privateKey, GITHUB_TOKEN: TOKEN })
}

const installed = { [INSTALLATION_PATH]: json({ id: 7 }) }

async function pathsOf(world: ClientWorld): Promise<string[]> {
  return (await world.requests()).map(({ path }) => path)
}

test.each(['pkcs1', 'pkcs8'] as const)(
  'a key in %s signs the search for the installation and its token',
  async (form) => {
    const world = appWorld(key[form])
    await world.script({ ...installed, [TOKEN_PATH]: tokenAnswer('ghs_1', START_MS + HOUR), [PATH]: json([1]) })
    const github = world.repository()
    expect([github.auth, github.hasGraphql]).toEqual(['app', true])
    expect(await github.get(LIST, ARRAY)).toMatchObject({ value: { body: [1] } })
    const requests = await world.requests()
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET ${INSTALLATION_PATH}`,
      `POST ${TOKEN_PATH}`,
      `GET ${PATH}`,
    ])
    const seconds = START_MS / 1000
    for (const request of requests.slice(0, 2)) {
      const claims = await readClaims(request, key)
      expect(claims).toMatchObject({ iss: '123', iat: seconds - 60 })
      expect(claims?.exp).toBeGreaterThan(seconds)
      expect(claims?.exp).toBeLessThanOrEqual(seconds + 600)
    }
    expect(requests[2]?.headers['authorization']).toBe('Bearer ghs_1')
  },
)

test('a token serves every run until five minutes before its end', async () => {
  const world = appWorld()
  await world.script({
    ...installed,
    [TOKEN_PATH]: [tokenAnswer('ghs_1', START_MS + HOUR), tokenAnswer('ghs_2', START_MS + 2 * HOUR)],
    [PATH]: json([]),
  })
  await world.repository().get(LIST, ARRAY)
  world.nowMs = START_MS + HOUR - 5 * 60_000 - 1
  await world.repository().get(LIST, ARRAY)
  expect(await pathsOf(world)).toEqual([INSTALLATION_PATH, TOKEN_PATH, PATH, PATH])
  world.nowMs += 1
  await world.repository().get(LIST, ARRAY)
  expect((await pathsOf(world)).slice(4)).toEqual([TOKEN_PATH, PATH])
  expect((await world.requests()).at(-1)?.headers['authorization']).toBe('Bearer ghs_2')
})

test('a refused token is renewed once', async () => {
  const world = appWorld()
  await world.script({
    ...installed,
    [TOKEN_PATH]: [tokenAnswer('ghs_1', START_MS + HOUR), tokenAnswer('ghs_2', START_MS + HOUR)],
    [PATH]: [BAD, json([1])],
  })
  const run = world.openRun()
  expect(await run.forRepository('a/b').get(LIST, ARRAY)).toMatchObject({ value: { body: [1] } })
  expect(await pathsOf(world)).toEqual([INSTALLATION_PATH, TOKEN_PATH, PATH, TOKEN_PATH, PATH])
  expect(run.used).toBe(5)

  await world.script({ [PATH]: BAD })
  expect(await run.forRepository('a/b').get(LIST, ARRAY)).toMatchObject({ fault: { kind: 'refused', status: 401 } })
  expect(run.used).toBe(8)
})

test('a refused personal token is not tried again', async () => {
  const world = clientWorld()
  await world.script({ [PATH]: BAD })
  const run = world.openRun()
  expect(await run.forRepository('a/b').get(LIST, ARRAY)).toMatchObject({ fault: { kind: 'refused', status: 401 } })
  expect(run.used).toBe(1)
})

test('requests at the same time share one token', async () => {
  const world = appWorld()
  await world.script({ ...installed, [TOKEN_PATH]: tokenAnswer('ghs_1', START_MS + HOUR), [PATH]: json([]) })
  const github = world.repository()
  await Promise.all([1, 2, 3, 4].map(() => github.get(LIST, ARRAY)))
  expect((await pathsOf(world)).sort()).toEqual([TOKEN_PATH, PATH, PATH, PATH, PATH, INSTALLATION_PATH].sort())
})

test('repositories of one installation share its token, and of two have one each', async () => {
  const world = appWorld()
  await world.script({
    ...installed,
    '/api/v3/repos/a/c/installation': json({ id: 7 }),
    '/api/v3/repos/d/e/installation': json({ id: 8 }),
    [TOKEN_PATH]: tokenAnswer('ghs_7', START_MS + HOUR),
    '/api/v3/app/installations/8/access_tokens': tokenAnswer('ghs_8', START_MS + HOUR),
    '/api/v3/x': json([]),
  })
  const run = world.openRun()
  for (const name of ['a/b', 'a/c', 'd/e']) await run.forRepository(name).get('/x', ARRAY)
  const used = (await world.requests()).filter(({ path }) => path === '/api/v3/x')
  expect(used.map(({ headers }) => headers['authorization'])).toEqual(['Bearer ghs_7', 'Bearer ghs_7', 'Bearer ghs_8'])
})

test('a wait of one installation does not block another', async () => {
  const world = appWorld()
  await world.script({
    ...installed,
    '/api/v3/repos/d/e/installation': json({ id: 8 }),
    [TOKEN_PATH]: tokenAnswer('ghs_7', START_MS + HOUR),
    '/api/v3/app/installations/8/access_tokens': tokenAnswer('ghs_8', START_MS + HOUR),
    [PATH]: json({ message: '' }, { 'retry-after': '60' }, 429),
    '/api/v3/y': json([]),
  })
  const run = world.openRun()
  expect(await run.forRepository('a/b').get(LIST, ARRAY)).toMatchObject({ fault: { kind: 'waiting' } })
  expect(await run.forRepository('a/b').get(LIST, ARRAY)).toMatchObject({ fault: { kind: 'waiting' } })
  expect(await run.forRepository('d/e').get('/y', ARRAY)).toMatchObject({ ok: true })
})

test('the installation of a renamed repository is found behind the redirect', async () => {
  const world = appWorld()
  await world.script({
    [INSTALLATION_PATH]: json({}, { location: `${world.urls.api}/repositories/5/installation` }, 301),
    '/api/v3/repositories/5/installation': json({ id: 7 }),
    [TOKEN_PATH]: tokenAnswer('ghs_1', START_MS + HOUR),
    [PATH]: json([]),
  })
  expect(await world.repository().get(LIST, ARRAY)).toMatchObject({ ok: true })
})

describe('a clock that differs', () => {
  test.each([
    ['ahead of', 20 * 60_000],
    ['behind', -20 * 60_000],
  ])("because ours is %s GitHub's is corrected by the date of the refusal", async (_, aheadMs) => {
    const world = appWorld()
    const date = new Date(START_MS).toUTCString()
    world.nowMs = START_MS + aheadMs
    await world.script({
      [INSTALLATION_PATH]: [
        json({ message: "'Expiration time' claim ('exp') is too far in the future" }, { date }, 401),
        json({ id: 7 }),
      ],
      [TOKEN_PATH]: tokenAnswer('ghs_1', START_MS + HOUR),
      [PATH]: json([]),
    })
    expect(await world.repository().get(LIST, ARRAY)).toMatchObject({ ok: true })
    expect(await world.repository().get(LIST, ARRAY)).toMatchObject({ ok: true })
    expect(await pathsOf(world)).toEqual([INSTALLATION_PATH, INSTALLATION_PATH, TOKEN_PATH, PATH, PATH])
    expect(await readClaims((await world.requests())[1], key)).toMatchObject({ iat: START_MS / 1000 - 60 })
  })

  test('by nothing is no reason to sign again', async () => {
    const world = appWorld()
    await world.script({ [INSTALLATION_PATH]: json({ message: 'x' }, { date: new Date(START_MS).toUTCString() }, 401) })
    const run = world.openRun()
    expect(await run.forRepository('a/b').get(LIST, ARRAY)).toMatchObject({ fault: { kind: 'refused', status: 401 } })
    expect(run.used).toBe(1)
  })
})

test('neither a signature nor a token follows a redirect to another server', async () => {
  const world = appWorld()
  const moved = json({}, { location: `${world.elsewhere}/api/v3/x` }, 307)
  await world.script({
    [INSTALLATION_PATH]: [moved, json({ id: 7 })],
    [TOKEN_PATH]: [moved, tokenAnswer('ghs_1', START_MS + HOUR)],
    [PATH]: moved,
  })
  for (const _ of [1, 2, 3])
    expect(await world.repository().get(LIST, { ...ARRAY, followMoved: true })).toMatchObject({
      fault: { kind: 'fault' },
    })
  expect(await pathsOf(world)).toEqual([INSTALLATION_PATH, INSTALLATION_PATH, TOKEN_PATH, TOKEN_PATH, PATH])
  expect(await world.requestsElsewhere()).toEqual([])
})

test('a repository without the App is a refusal, and GitHub is asked again the next time', async () => {
  const world = appWorld()
  await world.script({ [INSTALLATION_PATH]: json({ message: 'Not Found' }, {}, 404) })
  expect(await world.repository().get(LIST, ARRAY)).toEqual({
    ok: false,
    fault: { kind: 'refused', status: 404, reason: 'the GitHub App is not installed on this repository' },
  })
  await world.script({ ...installed, [TOKEN_PATH]: tokenAnswer('ghs_1', START_MS + HOUR), [PATH]: json([]) })
  expect(await world.repository().get(LIST, ARRAY)).toMatchObject({ ok: true })
})

test('an App that was installed again is found under its new number', async () => {
  const world = appWorld()
  await world.script({
    [INSTALLATION_PATH]: json({ id: 6 }),
    '/api/v3/app/installations/6/access_tokens': json({ message: 'x' }, {}, 404),
  })
  expect(await world.repository().get(LIST, ARRAY)).toMatchObject({ fault: { kind: 'refused', status: 404 } })
  await world.script({ ...installed, [TOKEN_PATH]: tokenAnswer('ghs_1', START_MS + HOUR), [PATH]: json([]) })
  expect(await world.repository().get(LIST, ARRAY)).toMatchObject({ ok: true })
})

test.each([
  ['no token', json({ expires_at: new Date(START_MS + HOUR).toISOString() }, {}, 201)],
  ['a token for a header of its own', tokenAnswer('x\r\ny: z', START_MS + HOUR)],
  ['no end', json({ token: 'ghs_1' }, {}, 201)],
  ['HTML', { status: 201, body: '<html>', headers: { 'content-type': 'text/html' } }],
  ['a server error', json({}, {}, 500)],
])('an answer with %s is a fault', async (_, answer) => {
  const world = appWorld()
  await world.script({ ...installed, [TOKEN_PATH]: answer })
  const read = await world.repository().get(LIST, ARRAY)
  expect(read).toMatchObject({ fault: { kind: 'fault' } })
})

test('a suspended App is a refusal, and neither its key nor a token is in the reason', async () => {
  const world = appWorld()
  await world.script({ ...installed, [TOKEN_PATH]: json({ message: 'This installation has been suspended' }, {}, 403) })
  expect(await world.repository().get(LIST, ARRAY)).toEqual({
    ok: false,
    fault: { kind: 'refused', status: 403, reason: 'GitHub answered HTTP 403: This installation has been suspended' },
  })
})

test('a limit of the App itself is a wait', async () => {
  const world = appWorld()
  await world.script({ [INSTALLATION_PATH]: json({ message: '' }, { 'retry-after': '60' }, 403) })
  const run = world.openRun()
  for (const _ of [1, 2]) {
    expect(await run.forRepository('a/b').get(LIST, ARRAY)).toMatchObject({
      fault: { kind: 'waiting', untilMs: START_MS + 60_000 },
    })
  }
  expect(run.used).toBe(1)
})

test('the limit of an installation is known by the repository', async () => {
  const world = appWorld()
  const headers = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '4999', 'x-ratelimit-reset': '1800000000' }
  await world.script({ ...installed, [TOKEN_PATH]: tokenAnswer('ghs_1', START_MS + HOUR), [PATH]: json([], headers) })
  const run = world.openRun()
  await run.forRepository('a/b').get(LIST, ARRAY)
  await run.saveLimits()
  expect(await world.client.readLimit('A/B')).toMatchObject({ limit: 5_000, remaining: 4_999 })
  expect(await world.client.readLimit('d/e')).toBeUndefined()
})
