import { expect, test } from 'vitest'
import type { ScriptedAnswer } from '../support/answers-server.ts'
import { clientWorld, json, TOKEN } from '../support/github/client-world.ts'

const PATH = '/api/graphql'
const QUERY = 'query ($owner: String!) { repository(owner: $owner, name: "b") { p1: pullRequest(number: 1) { id } } }'

async function query(answer: ScriptedAnswer): Promise<unknown> {
  const world = clientWorld()
  await world.script({ [PATH]: answer })
  return world.repository().graphql(QUERY, { owner: 'a' }, 'pr_review')
}

test('a query is posted with its variables and the token, and its data comes back', async () => {
  const world = clientWorld()
  const data = { repository: { p1: { id: 'x', reviews: { nodes: [] } } } }
  await world.script({ [PATH]: json({ data }) })
  expect(await world.repository().graphql(QUERY, { owner: 'a' }, 'pr_review')).toEqual({ ok: true, value: data })
  const [request] = await world.requests()
  expect(request).toMatchObject({ method: 'POST', path: PATH, headers: { authorization: `Bearer ${TOKEN}` } })
  expect(JSON.parse(request?.body ?? '')).toEqual({ query: QUERY, variables: { owner: 'a' } })
})

test('the address of GraphQL can be any', async () => {
  const world = clientWorld()
  const other = clientWorld({
    GITHUB_TOKEN: TOKEN,
    GITHUB_API_URL: world.urls.api,
    GITHUB_GRAPHQL_URL: `${world.elsewhere}/g`,
  })
  await world.script({ '/g': json({ data: { a: 1 } }) })
  expect(await other.repository().graphql('{ a }', {}, 'doc')).toEqual({ ok: true, value: { a: 1 } })
  expect(await world.requests()).toEqual([])
})

test('nodes that do not exist are null', async () => {
  const errors = [
    { type: 'NOT_FOUND', path: ['repository', 'p1'], message: 'Could not resolve to a PullRequest' },
    { type: 'NOT_FOUND', path: ['repository', 'p2'], message: 'Could not resolve to a PullRequest' },
  ]
  const data = { repository: { p1: null, p2: null, p3: { id: 'x' } } }
  expect(await query(json({ data, errors }))).toEqual({ ok: true, value: data })
})

test('a repository that does not exist is a refusal', async () => {
  const errors = [{ type: 'NOT_FOUND', path: ['repository'], message: 'Could not resolve to a Repository' }]
  expect(await query(json({ data: { repository: null }, errors }))).toMatchObject({
    fault: { kind: 'refused', status: 404 },
  })
})

test('data that may not be read is a refusal', async () => {
  const errors = [{ type: 'FORBIDDEN', path: ['repository', 'p1'], message: 'Resource not accessible' }]
  expect(await query(json({ data: { repository: { p1: null } }, errors }))).toEqual({
    ok: false,
    fault: { kind: 'refused', status: 403, reason: 'GraphQL: FORBIDDEN Resource not accessible' },
  })
})

test.each<[string, ScriptedAnswer]>([
  ['an error of the server', json({ data: { repository: null }, errors: [{ message: 'Something went wrong' }] })],
  [
    'an error beside nodes that do not exist',
    json({
      data: { repository: { p1: null } },
      errors: [
        { type: 'NOT_FOUND', path: ['repository', 'p1'] },
        { type: 'INTERNAL', message: 'time-out' },
      ],
    }),
  ],
  ['errors without data', json({ errors: [{ message: 'Parse error' }] })],
  ['errors that are a text', json({ data: { a: 1 }, errors: 'x' })],
  ['errors that are null', json({ errors: [null] })],
  ['no data', json({ message: 'x' })],
  ['data that is null', json({ data: null })],
  ['a list', json([])],
  ['null', { body: 'null' }],
  ['an empty body', { body: '' }],
  ['a cut body', { body: '{"data":{', fault: 'cut' }],
  ['JSON that does not end', { body: '{"data":{"a":1}' }],
  ['HTML', { body: '<html>', headers: { 'content-type': 'text/html' } }],
  ['a bad gateway', json({ data: null, errors: [{ message: 'took too long' }] }, {}, 502)],
  ['a redirect', json({}, { location: '/api/graphql' }, 307)],
])('%s is a fault', async (_, answer) => {
  expect(await query(answer)).toEqual({
    ok: false,
    fault: { kind: 'fault', reason: expect.stringMatching(/^[\u0020-\u007e]+$/) },
  })
})

test('the token of a query does not follow a redirect', async () => {
  for (const status of [301, 302, 307, 308]) {
    const world = clientWorld()
    await world.script({ [PATH]: json({}, { location: `${world.elsewhere}/api/graphql` }, status) })
    expect(await world.repository().graphql(QUERY, {}, 'doc')).toMatchObject({ fault: { kind: 'fault' } })
    expect(await world.requestsElsewhere()).toEqual([])
    expect(await world.requests()).toHaveLength(1)
  }
})

test('a refused token is a refusal', async () => {
  expect(await query(json({ message: 'Bad credentials' }, {}, 401))).toMatchObject({
    fault: { kind: 'refused', status: 401 },
  })
})
