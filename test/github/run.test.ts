import { expect, test } from 'vitest'
import { ARRAY, clientWorld, json } from '../support/github/client-world.ts'

const LIST = '/repos/a/b/issues'
const PATH = `/api/v3${LIST}`

test('each attempt counts for its repository and surface, failed ones too', async () => {
  const world = clientWorld()
  await world.script({
    [PATH]: [json([]), { status: 502 }, { fault: 'reset' }, json([], {}, 404)],
    '/api/graphql': json({ data: { a: 1 } }),
  })
  const run = world.openRun()
  const github = run.forRepository('a/b')
  for (const _ of [1, 2, 3, 4]) await github.get(LIST, ARRAY)
  await run.forRepository('A/B').get(LIST, { ...ARRAY, surface: 'release' })
  await run.forRepository('a/b').get(LIST, { ...ARRAY, surface: undefined })
  await run.forRepository('c/d').graphql('{ a }', {}, 'pr_review')
  expect([...run.countsOf('a/B')]).toEqual([
    ['issue', 4],
    ['release', 1],
  ])
  expect([...run.countsOf('c/d')]).toEqual([['pr_review', 1]])
  expect([...run.countsOf('e/f')]).toEqual([])
  expect([run.used, run.left]).toEqual([7, 93])
  expect(await world.requests()).toHaveLength(7)
})

test('a run whose budget is used sends nothing', async () => {
  const world = clientWorld()
  await world.script({ [PATH]: json([]) })
  const run = world.openRun({ budget: 2 })
  const github = run.forRepository('a/b')
  expect(await github.get(LIST, ARRAY)).toMatchObject({ ok: true })
  expect(await run.forRepository('c/d').get(LIST, ARRAY)).toMatchObject({ ok: true })
  const spent = { ok: false, fault: { kind: 'spent' } }
  expect(await github.get(LIST, ARRAY)).toEqual(spent)
  expect(await github.graphql('{ a }', {}, 'doc')).toEqual(spent)
  expect(await github.readWikiHead()).toEqual(spent)
  expect(await github.readWikiPageList()).toEqual(spent)
  expect(await github.readWikiPage('Home.md')).toEqual(spent)
  expect([run.used, run.left]).toEqual([2, 0])
  expect(await world.requests()).toHaveLength(2)
})

test('a budget of one request ends a call with all its redirects', async () => {
  const world = clientWorld()
  await world.script({
    [PATH]: json({}, { location: `${world.urls.api}/repositories/7` }, 301),
    '/api/v3/repositories/7': json([1]),
  })
  const run = world.openRun({ budget: 1 })
  expect(await run.forRepository('a/b').get(LIST, { ...ARRAY, followMoved: true })).toMatchObject({ ok: true })
  expect([run.used, run.left]).toEqual([2, 0])
})

test('a wait costs no request of the budget', async () => {
  const world = clientWorld()
  await world.script({ [PATH]: json({}, { 'retry-after': '60' }, 429) })
  const run = world.openRun({ budget: 5 })
  for (const _ of [1, 2, 3]) {
    expect(await run.forRepository('a/b').get(LIST, ARRAY)).toMatchObject({ fault: { kind: 'waiting' } })
  }
  expect(run.used).toBe(1)
})

test('runs have a budget each', async () => {
  const world = clientWorld()
  await world.script({ [PATH]: json([]) })
  for (const _ of [1, 2]) expect(await world.repository({ budget: 1 }).get(LIST, ARRAY)).toMatchObject({ ok: true })
})
