/** The lists of the scripted GitHub behave as GitHub's: order, pages, cursors, ends and conditional requests. */
import * as fc from 'fast-check'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { ask, askAll } from '../../support/github/ask-github.ts'
import { randomSteps } from '../../support/github/random-sequences.ts'
import { ScriptedGitHub } from '../../support/github/scripted-github.ts'

const REPO = 'acme/app'
let github: ScriptedGitHub

beforeEach(async () => {
  github = await ScriptedGitHub.create(inject('githubUrl'))
  await github.edit({ do: 'create_repository', repo: REPO })
})

async function openIssues(count: number, afterS = 1): Promise<void> {
  const numbers = Array.from({ length: count }, (_, at) => at + 1)
  await github.edits(
    numbers.map((at) => ({ do: 'open_issue', repo: REPO, title: `Issue ${at}`, body: 'Words of it.', afterS })),
  )
}

const issues = `/repos/${REPO}/issues?state=all&sort=updated&direction=asc&per_page=2`

describe('the list of issues', () => {
  test('goes on by a cursor through items of one second, and ends without a next link', async () => {
    await openIssues(7, 0)
    const first = await ask(github, issues)
    expect(first.next).toMatch(/\/repositories\/\d+\/issues\?.*after=/)
    expect(first.headers.get('link')).not.toContain('rel="last"')
    const listed = await askAll<{ number: number }>(github, issues)
    expect(listed.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  test('lists what is updated at the given time or later', async () => {
    await openIssues(3)
    const [, second] = await askAll<{ updated_at: string; number: number }>(github, issues)
    const since = await askAll<{ number: number }>(github, `${issues}&since=${second?.updated_at}`)
    expect(since.map(({ number }) => number)).toEqual([2, 3])
  })

  test('is refused by page number far back, but not by cursor', async () => {
    await openIssues(6)
    await github.set({ maxListedItems: 4 })
    const far = await ask<{ message: string }>(github, `${issues}&page=3`)
    expect(far.status).toBe(422)
    expect(far.body.message).toContain('cursor based pagination')
    expect(await askAll(github, issues)).toHaveLength(6)
  })

  test('is gone where issues are disabled', async () => {
    await openIssues(1)
    await github.edit({ do: 'edit_repository', repo: REPO, hasIssues: false })
    expect((await ask(github, issues)).status).toBe(410)
    expect((await ask(github, `/repos/${REPO}/issues/1`)).status).toBe(410)
  })

  test('has pull requests among the issues', async () => {
    await github.edit({ do: 'commit', repo: REPO, message: 'First', files: { 'a.txt': 'a\n' } })
    await github.edit({ do: 'open_pull_request', repo: REPO, title: 'Change', body: null, draft: true })
    const [pull] = await askAll(github, issues)
    expect(pull).toMatchObject({ draft: true, body: null, pull_request: { merged_at: null } })
  })
})

describe('numbered lists', () => {
  async function comment(count: number): Promise<void> {
    await openIssues(1)
    await github.edits(
      Array.from({ length: count }, (_, at) => ({
        do: 'comment',
        repo: REPO,
        number: 1,
        body: `Comment number ${at}`,
      })),
    )
  }

  test('link to the next and the last page, and to the first and previous', async () => {
    await comment(5)
    const middle = await ask(github, `/repos/${REPO}/issues/comments?per_page=2&page=2`)
    const relations = [...(middle.headers.get('link') ?? '').matchAll(/page=(\d+)>; rel="(\w+)"/g)]
    expect(relations.map(([, page, rel]) => `${rel} ${page}`)).toEqual(['prev 1', 'next 3', 'last 3', 'first 1'])
  })

  test('can be made to end unmarked', async () => {
    await comment(5)
    await github.set({ maxListedItems: 4, beyondList: 'ends' })
    expect(await askAll(github, `/repos/${REPO}/issues/comments?per_page=2`)).toHaveLength(4)
  })

  test('are in the order of their ids unless a sort is named', async () => {
    await comment(3)
    const [first] = await askAll<{ id: number }>(github, `/repos/${REPO}/issues/comments`)
    await github.edit({ do: 'edit_comment', repo: REPO, id: first?.id ?? 0, body: 'Other words now.' })
    const ids = async (query: string): Promise<number[]> =>
      (await askAll<{ id: number }>(github, `/repos/${REPO}/issues/comments?${query}`)).map(({ id }) => id)
    expect((await ids('direction=desc')).at(0)).toBe(first?.id)
    expect((await ids('sort=updated&direction=asc')).at(-1)).toBe(first?.id)
    expect((await ids('sort=updated')).at(0)).toBe(first?.id)
  })

  test('give at most 100 items a page', async () => {
    await comment(101)
    expect((await ask<unknown[]>(github, `/repos/${REPO}/issues/comments?per_page=1000`)).body).toHaveLength(100)
  })
})

describe('an ETag', () => {
  test('is weak, and an unchanged answer costs a request only without a token', async () => {
    const used = async (token: string | null): Promise<number> => {
      const { headers } = await ask(github, `/repos/${REPO}`, { token })
      const etag = headers.get('etag') ?? ''
      expect(etag).toMatch(/^W\/"/)
      const again = await ask(github, `/repos/${REPO}`, { token, headers: { 'if-none-match': etag } })
      expect([again.status, again.body]).toEqual([304, ''])
      return Number(again.headers.get('x-ratelimit-used')) - Number(headers.get('x-ratelimit-used'))
    }
    expect(await used(github.token)).toBe(0)
    expect(await used(null)).toBe(1)
  })

  test('changes with the list', async () => {
    await openIssues(1)
    const { headers } = await ask(github, issues)
    await github.edit({ do: 'comment', repo: REPO, number: 1, body: 'A new comment.' })
    const again = await ask(github, issues, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect(again.status).toBe(200)
  })
})

describe('times', () => {
  const updatedAt = async (number: number): Promise<string> =>
    (await ask<{ updated_at: string }>(github, `/repos/${REPO}/issues/${number}`)).body.updated_at

  test('of a thread move with a new comment, and not with its deletion or a label with a new name', async () => {
    await github.edit({ do: 'open_issue', repo: REPO, title: 'One', body: 'Words', labels: ['bug'] })
    const opened = await updatedAt(1)
    const { id } = await github.edit({ do: 'comment', repo: REPO, number: 1, body: 'A comment on it.' })
    const commented = await updatedAt(1)
    expect(commented > opened).toBe(true)
    await github.edit({ do: 'delete_comment', repo: REPO, id })
    await github.edit({ do: 'rename_label', repo: REPO, name: 'bug', to: 'defect' })
    expect(await updatedAt(1)).toBe(commented)
    const { body } = await ask<{ labels: { name: string }[] }>(github, `/repos/${REPO}/issues/1`)
    expect(body.labels.map(({ name }) => name)).toEqual(['defect'])
  })
})

test('random steps are edits of the world as it is, the same ones each time', async () => {
  const [steps = []] = fc.sample(randomSteps(30), { numRuns: 1, seed: 7 })
  const other = await ScriptedGitHub.create(inject('githubUrl'))
  await other.edit({ do: 'create_repository', repo: REPO })
  const made = (await github.randomEdits(steps)).map(({ edit }) => edit)
  expect(made).toHaveLength(steps.length)
  expect((await other.randomEdits(steps)).map(({ edit }) => edit)).toEqual(made)
  await other.remove()
  await expect(other.clock()).rejects.toThrow('no world')
})
