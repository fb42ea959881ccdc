import { describe, expect, test } from 'vitest'
import type { ScriptedAnswer } from '../support/answers-server.ts'
import { ARRAY, clientWorld, json, OBJECT, TOKEN } from '../support/github/client-world.ts'

const LIST = '/repos/a/b/issues?state=all&per_page=100'
const PATH = `/api/v3${LIST}`

async function readList(answer: ScriptedAnswer, timeLimitMs?: number): Promise<unknown> {
  const world = clientWorld({ GITHUB_TOKEN: TOKEN }, timeLimitMs)
  await world.script({ [PATH]: answer })
  return world.repository().get(LIST, ARRAY)
}

test('a page of a list is its JSON with its ETag and the address of the next page', async () => {
  const world = clientWorld()
  const next = `${world.urls.api}/repositories/7/issues?page=2&after=x:y`
  const link = `<${world.urls.api}/repositories/7/issues?page=9>; rel="last", <${next}>; rel="next"`
  await world.script({ [PATH]: json([{ id: 1 }], { etag: 'W/"abc"', link }) })
  const answer = await world.repository().get(LIST, ARRAY)
  expect(answer).toEqual({ ok: true, value: { kind: 'ok', body: [{ id: 1 }], etag: 'W/"abc"', next } })

  await world.script({ '/api/v3/repositories/7/issues?page=2&after=x:y': json([]) })
  expect(await world.repository().get(next, ARRAY)).toEqual({ ok: true, value: { kind: 'ok', body: [] } })
})

test('a request names its client, the version of the API and the token, and no cache may answer it', async () => {
  const world = clientWorld()
  await world.script({ [PATH]: json([]) })
  await world.repository().get(LIST, { ...ARRAY, etag: '"1"' })
  const [request] = await world.requests()
  expect(request).toMatchObject({
    method: 'GET',
    path: PATH,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      'user-agent': expect.stringMatching(/^kotodama\//),
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      'if-none-match': '"1"',
      'cache-control': 'no-cache',
    },
  })
})

test('without a credential requests are not signed', async () => {
  const world = clientWorld({})
  await world.script({ [PATH]: json([]) })
  const github = world.repository()
  expect([github.auth, github.hasGraphql]).toEqual(['none', false])
  expect(await github.get(LIST, ARRAY)).toMatchObject({ ok: true })
  expect((await world.requests())[0]?.headers).not.toHaveProperty('authorization')
})

test('an unchanged answer that was not asked for is a fault', async () => {
  const world = clientWorld()
  await world.script({ [PATH]: { status: 304, headers: { etag: '"1"' } } })
  const github = world.repository()
  expect(await github.get(LIST, { ...ARRAY, etag: '"1"' })).toEqual({ ok: true, value: { kind: 'unchanged' } })
  expect(await github.get(LIST, ARRAY)).toMatchObject({ ok: false, fault: { kind: 'fault' } })
})

describe('an answer that is not whole, or not of the expected kind, is a fault', () => {
  test.each<[string, ScriptedAnswer, RegExp]>([
    ['an empty body', { body: '' }, /empty/],
    ['a body cut before its length', { body: '[{"id":1},', fault: 'cut' }, /cut off/],
    ['a whole list with bytes missing after it', { body: '[]', fault: 'cut' }, /cut off/],
    ['a chunked body that does not end', { body: '[{"id":1}]', fault: 'cut-chunked' }, /cut off/],
    ['a compressed body that is cut', { body: JSON.stringify(Array(500).fill('text')), fault: 'gzip-cut' }, /cut off/],
    ['JSON that does not end', { body: '[{"id":1},' }, /not the JSON array/],
    ['two values', { body: '[][]' }, /not the JSON array/],
    ['an object', { body: '{"message":"Server Error"}' }, /not the JSON array/],
    ['null', { body: 'null' }, /not the JSON array/],
    ['a text', { body: '"[]"' }, /not the JSON array/],
    ['HTML', { body: '<html></html>', headers: { 'content-type': 'text/html' } }, /not JSON/],
    ['a list that says it is HTML', { body: '[]', headers: { 'content-type': 'text/html' } }, /not JSON/],
    ['HTML that says it is JSON', { body: '<html></html>' }, /not the JSON array/],
    ['a list of unknown type', { body: '[]', headers: { 'content-type': '' } }, /not JSON/],
    ['no content', { status: 204 }, /HTTP 204/],
    ['an answer that is not ready', { status: 202, body: '{}' }, /HTTP 202/],
    ['an answer in a part', { status: 206, body: '[]' }, /HTTP 206/],
    ['a server error', json({ message: 'x' }, {}, 500), /HTTP 500/],
    ['a bad gateway in HTML', { status: 502, body: '<html>', headers: { 'content-type': 'text/html' } }, /HTTP 502/],
    ['a server error that looks like a list', json([], {}, 503), /HTTP 503/],
    ['a connection that ends', { fault: 'reset' }, /does not answer/],
  ])('%s', async (_, answer, reason) => {
    expect(await readList(answer)).toEqual({
      ok: false,
      fault: { kind: 'fault', reason: expect.stringMatching(reason) },
    })
  })

  test.each<[string, ScriptedAnswer]>([
    ['no answer', { fault: 'hang' }],
    ['a body that does not end', { body: '[', fault: 'slow' }],
  ])('%s in time', async (_, answer) => {
    expect(await readList(answer, 300)).toEqual({
      ok: false,
      fault: { kind: 'fault', reason: 'GitHub took longer than 300 ms to answer' },
    })
  })

  test('a body of 40 MB', async () => {
    expect(await readList({ fault: 'huge' })).toEqual({
      ok: false,
      fault: { kind: 'fault', reason: expect.stringMatching(/larger than 33554432 bytes/) },
    })
  })

  test('a list where an object is expected', async () => {
    const world = clientWorld()
    await world.script({ '/api/v3/repos/a/b': json([]) })
    expect(await world.repository().get('/repos/a/b', OBJECT)).toMatchObject({ ok: false, fault: { kind: 'fault' } })
  })

  test('a server that is not there', async () => {
    const world = clientWorld({ GITHUB_TOKEN: TOKEN, GITHUB_API_URL: 'http://127.0.0.1:1/api/v3' })
    expect(await world.repository().get(LIST, ARRAY)).toEqual({
      ok: false,
      fault: { kind: 'fault', reason: 'GitHub does not answer' },
    })
  })
})

test('a compressed list is read', async () => {
  expect(await readList({ body: '[1]', fault: 'gzip' })).toEqual({ ok: true, value: { kind: 'ok', body: [1] } })
})

test("JSON of GitHub's own media types is read", async () => {
  const headers = { 'content-type': 'application/vnd.github.v3+json' }
  expect(await readList({ body: '[1]', headers })).toMatchObject({ ok: true })
})

describe('a status without content', () => {
  test.each([404, 410, 451] as const)("HTTP %i in GitHub's own words is absence", async (status) => {
    expect(await readList(json({ message: 'Not Found' }, {}, status))).toEqual({
      ok: true,
      value: { kind: 'absent', status },
    })
  })

  test.each([404, 410, 451])('HTTP %i from something else on the way proves nothing', async (status) => {
    const html = { status, body: '<html>no such page</html>', headers: { 'content-type': 'text/html' } }
    expect(await readList(html)).toMatchObject({ ok: false, fault: { kind: 'fault' } })
    expect(await readList({ ...json({ message: 'Not Found' }, {}, status), fault: 'cut' })).toMatchObject({
      ok: false,
      fault: { kind: 'fault', reason: expect.stringMatching(/cut off/) },
    })
  })

  test('a repository without commits is empty', async () => {
    expect(await readList(json({ message: 'Git Repository is empty.' }, {}, 409))).toEqual({
      ok: true,
      value: { kind: 'empty' },
    })
  })

  test.each([
    [400, 'Bad Request'],
    [401, 'Bad credentials'],
    [403, 'Resource not accessible by personal access token'],
    [422, 'Validation Failed'],
  ])('HTTP %i is a refusal with its cause', async (status, message) => {
    expect(await readList(json({ message }, {}, status))).toEqual({
      ok: false,
      fault: { kind: 'refused', status, reason: `GitHub answered HTTP ${status}: ${message}` },
    })
  })

  test('a reason has neither the token nor what cannot be printed, and is short', async () => {
    const answer = await readList(json({ message: `Bearer ${TOKEN}\n\u001b[2J\u202e${'x'.repeat(9_000)}` }, {}, 422))
    const { fault } = answer as { fault: { reason: string } }
    expect(fault.reason).toMatch(/^[\u0020-\u007e]{1,300}$/)
    expect(fault.reason).not.toContain(TOKEN)
  })
})

describe('a redirect', () => {
  test('within the API is answered, or followed when that is asked for', async () => {
    const world = clientWorld()
    const location = `${world.urls.api}/repositories/7/issues`
    await world.script({
      [PATH]: { ...json({ message: 'Moved Permanently' }, { location }, 301) },
      '/api/v3/repositories/7/issues': json([{ id: 1 }]),
    })
    const run = world.openRun()
    const github = run.forRepository('a/b')
    expect(await github.get(LIST, ARRAY)).toEqual({ ok: true, value: { kind: 'moved', location } })
    expect(run.used).toBe(1)
    expect(await github.get(LIST, { ...ARRAY, followMoved: true })).toMatchObject({
      value: { kind: 'ok', body: [{ id: 1 }] },
    })
    expect(run.used).toBe(3)
  })

  test.each([301, 302, 307, 308])('HTTP %i to a path is one within the API', async (status) => {
    const world = clientWorld()
    const location = new URL(`${world.urls.api}/repositories/7`).pathname
    await world.script({ [PATH]: json({}, { location }, status) })
    expect(await world.repository().get(LIST, ARRAY)).toMatchObject({
      value: { kind: 'moved', location: `${world.urls.api}/repositories/7` },
    })
  })

  test('to another server, another scheme, another folder or nowhere is a fault, and nothing is sent there', async () => {
    const world = clientWorld()
    const { api } = world.urls
    const targets = [
      `${world.elsewhere}/api/v3/x`,
      world.elsewhere.replace('http://', '//'),
      api.replace('http://', 'http://127.0.0.1@'),
      api.replace('http://', 'https://'),
      `${api}/../other`,
      `${api}0/x`,
      `${api.replace(/\/api\/v3$/, '')}/login`,
      'http://[',
    ]
    for (const location of targets) {
      await world.script({ [PATH]: json({}, { location }, 302) })
      for (const followMoved of [true, false]) {
        const answer = await world.repository().get(LIST, { ...ARRAY, followMoved })
        expect(answer, location).toMatchObject({ ok: false, fault: { kind: 'fault' } })
      }
    }
    await world.script({ [PATH]: json({}, {}, 301) })
    expect(await world.repository().get(LIST, ARRAY)).toMatchObject({ ok: false, fault: { kind: 'fault' } })
    expect(await world.requestsElsewhere()).toEqual([])
    expect(new Set((await world.requests()).map(({ path }) => path))).toEqual(new Set([PATH]))
  })

  test('in a circle ends', async () => {
    const world = clientWorld()
    await world.script({ [PATH]: json({}, { location: `${world.urls.api}${LIST}` }, 301) })
    const run = world.openRun()
    const answer = await run.forRepository('a/b').get(LIST, { ...ARRAY, followMoved: true })
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'fault' } })
    expect(run.used).toBe(4)
  })
})

describe('the next page of a list', () => {
  const LAST = '<LAST>; rel="last"'
  test.each([
    ['has its relation among others', '<API/x?page=2>; title="a, b"; rel="prefetch next"', '/x?page=2'],
    ['has it without quotes', '<API/x?page=2>;rel=next', '/x?page=2'],
    ['is a path', '<PATH/x?page=2>; REL="Next"', '/x?page=2'],
    ['stands behind others', `<API/x?page=1>; rel="prev", ${LAST}, <API/x?page=3>; rel="next"`, '/x?page=3'],
  ])('%s', async (_, form, path) => {
    const world = clientWorld()
    const { api } = world.urls
    const link = form.replaceAll('API', api).replaceAll('PATH', new URL(api).pathname).replaceAll('LAST', `${api}/z`)
    await world.script({ [PATH]: json([], { link }) })
    expect(await world.repository().get(LIST, ARRAY)).toMatchObject({ value: { next: `${api}${path}` } })
  })

  test.each([
    '<API/x>; rel="last"',
    '<API/x>; rel="nextish"',
    '<API/x>; title="rel=next"',
    '',
    'nonsense',
    '<<<>>>;;;,,,',
  ])('is absent in %j', async (form) => {
    const world = clientWorld()
    await world.script({ [PATH]: json([], { link: form.replaceAll('API', world.urls.api) }) })
    expect(await world.repository().get(LIST, ARRAY)).toEqual({ ok: true, value: { kind: 'ok', body: [] } })
  })

  test.each([
    'ELSEWHERE/api/v3/x',
    '//127.0.0.1:1/api/v3/x',
    'http://user:pass@HOST/api/v3/x',
    'https://HOST/api/v3/x',
    'API0/x',
    'API/../../x',
    'API/%2e%2e/x',
    'javascript:alert(1)',
    'http://[',
    `API${LIST}`,
  ])('at %s is a fault of the whole page', async (form) => {
    const world = clientWorld()
    const { api } = world.urls
    const next = form
      .replaceAll('ELSEWHERE', world.elsewhere)
      .replaceAll('API', api)
      .replaceAll('HOST', new URL(api).host)
    await world.script({ [PATH]: json([1], { link: `<${next}>; rel="next"` }) })
    expect(await world.repository().get(LIST, ARRAY)).toMatchObject({ ok: false, fault: { kind: 'fault' } })
    expect(await world.requestsElsewhere()).toEqual([])
  })

  test('is found quickly in a header made to be slow', async () => {
    const world = clientWorld()
    await world.script({ [PATH]: json([], { link: `<${'<a>;rel='.repeat(900)}` }) })
    const start = performance.now()
    expect(await world.repository().get(LIST, ARRAY)).toMatchObject({ ok: true })
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})

test('an address that is not one of the API is not asked for', async () => {
  const world = clientWorld()
  for (const path of [`${world.elsewhere}/api/v3/x`, '/../../x', '/%2e%2e/x', 'repos/a/b', '']) {
    expect(await world.repository().get(path, ARRAY), path).toMatchObject({ ok: false, fault: { kind: 'fault' } })
  }
  expect(await world.requestsElsewhere()).toEqual([])
  expect(await world.requests()).toEqual([])
})

test('a path keeps its encoding, and a colon or a brace in it is no variable', async () => {
  const world = clientWorld()
  const path = '/repos/a/b/contents/a%2Fb%20%23%3F%25%C3%A9/{x}/:owner/x?ref=x:main&since=2026-01-01T00:00:00Z&q={+y}'
  await world.repository().get(path, ARRAY)
  const [request] = await world.requests()
  expect(decodeURI(request?.path ?? '')).toBe(decodeURI(`/api/v3${path}`))
  expect(request?.path).toContain('a%2Fb%20%23%3F%25%C3%A9/')
})
