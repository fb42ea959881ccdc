/** A repository read from GitHub into an empty index, over HTTP, by the routes of an operator. */
import { beforeEach, expect, inject, test } from 'vitest'
import { SURFACES } from '../../../src/base/vocabulary.ts'
import { brokenInvariants, clearIndex } from '../../support/index-world.ts'
import { expectConverged, Product } from '../../support/github/product.ts'
import { ask } from '../../support/search-world.ts'
import { ScriptedGitHub } from '../../support/github/scripted-github.ts'

beforeEach(clearIndex)

test('a project of all surfaces is in the index after one round', async () => {
  const github = await ScriptedGitHub.create(inject('githubUrl'))
  await github.fillSample(3)
  const product = new Product(github)
  const [answer] = await product.pollToEnd()
  expect(answer).toMatchObject({ done: true, stale: 0, removed: 0 })
  expect(answer!.surfaces.map(({ surface, state }) => [surface, state])).toEqual(
    SURFACES.map((surface) => [surface, 'current']),
  )
  await product.maintain()
  await expectConverged(product, github)
  expect(await brokenInvariants()).toEqual([])
})

test('runs of one request reach the same index', async () => {
  const github = await ScriptedGitHub.create(inject('githubUrl'))
  await github.fillSample(1)
  const product = new Product(github)
  const answers = await product.pollToEnd('?requests=1')
  // One step may need more than one request: it is finished all the same.
  expect(Math.max(...answers.map(({ requests }) => requests))).toBeLessThanOrEqual(21)
  await product.maintain()
  await expectConverged(product, github)
})

test('a round over an unchanged repository makes 14 requests at most and changes no document', async () => {
  const github = await ScriptedGitHub.create(inject('githubUrl'))
  await github.fillSample(1)
  const product = new Product(github)
  await product.heal()
  await product.maintain()
  await product.pollToEnd()
  const before = await product.lines()
  await github.clearRequests()
  const [answer] = await product.pollToEnd()
  expect(answer).toMatchObject({ done: true, written: 0, removed: 0, stale: 0, pending: 0 })
  expect((await github.requests()).length).toBe(answer!.requests)
  expect(answer!.requests).toBeLessThanOrEqual(14)
  expect(await product.lines()).toEqual(before)
})

test('the newest issues are searchable after the first steps, long before everything is read', async () => {
  const github = await ScriptedGitHub.create(inject('githubUrl'))
  await github.edit({ do: 'create_repository', repo: 'acme/app' })
  await github.edits(
    Array.from({ length: 230 }, (_, at) => ({
      do: 'open_issue',
      repo: 'acme/app',
      title: `Issue ${at}`,
      body: 'words',
    })),
  )
  const product = new Product(github)
  for (let run = 0; run < 2; run += 1) await product.poll('?requests=1')
  const numbers = (await product.lines()).map((line) => Number(line['number']))
  expect(numbers).toHaveLength(100)
  expect(Math.max(...numbers)).toBe(230)
  expect((await product.repository()).surfaces[0]).toMatchObject({ surface: 'issue', state: 'reading', rows: 100 })
  expect((await ask({ query: 'issue' })).warnings ?? []).toEqual([expect.stringContaining('acme/app issue: 0 of 230')])
  await product.pollToEnd()
  await expectConverged(product, github)
  expect((await ask({ query: 'issue' })).warnings ?? []).toEqual([])
})

test('a lap over a complete index compares every row and changes nothing', async () => {
  const github = await ScriptedGitHub.create(inject('githubUrl'))
  await github.fillSample(1)
  const product = new Product(github)
  await product.heal()
  const before = await product.lines()
  const dry = await product.reconcile('?dry_run=true&requests=1000')
  expect(dry.body).toMatchObject({ done: true, written: 0, removed: 0 })
  const [answer] = await product.reconcileToEnd('?requests=1000')
  expect(answer).toMatchObject({ written: 0, removed: 0, stale: 0 })
  const rows = before.filter(({ type }) => type !== 'diff').length
  expect(answer!.checked).toBeGreaterThanOrEqual(rows)
  expect(dry.body.checked).toBe(answer!.checked)
  expect(await product.lines()).toEqual(before)
})

test('a dry run of a lap counts each row that a lap would remove once', async () => {
  const github = await ScriptedGitHub.create(inject('githubUrl'))
  await github.edit({ do: 'create_repository', repo: 'acme/app' })
  await github.edit({ do: 'open_issue', repo: 'acme/app', title: 'It stays', body: 'words' })
  const { number } = await github.edit({ do: 'open_issue', repo: 'acme/app', title: 'It goes', body: 'words' })
  for (const fruit of ['quince', 'medlar', 'damson']) {
    await github.edit({ do: 'comment', repo: 'acme/app', number, body: `The ${fruit} is ripe in October.` })
  }
  const product = new Product(github)
  await product.heal()
  await github.edit({ do: 'delete_issue', repo: 'acme/app', number })
  const before = await product.lines()
  expect(before).toHaveLength(5)
  const dry = await product.reconcile('?dry_run=true&requests=1000')
  expect(dry.body).toMatchObject({ done: true, removed: 4 })
  expect(await product.lines()).toEqual(before)
  const answers = await product.reconcileToEnd('?requests=1000')
  expect(answers.reduce((sum, { removed }) => sum + removed, 0)).toBe(4)
})
