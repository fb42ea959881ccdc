/** GraphQL of the scripted GitHub: reviews, objects, dates and refusals as GitHub gives them. */
import { beforeEach, expect, inject, test } from 'vitest'
import { ask, askGraphql } from '../../support/github/ask-github.ts'
import { ScriptedGitHub } from '../../support/github/scripted-github.ts'

const REPO = 'acme/app'
const NAME = 'owner: "acme", name: "app"'
let github: ScriptedGitHub

beforeEach(async () => {
  github = await ScriptedGitHub.create(inject('githubUrl'))
  await github.edits([
    { do: 'create_repository', repo: REPO },
    { do: 'commit', repo: REPO, message: 'First', files: { 'docs/a.md': '# A\n', 'b.bin': { base64: 'AAEC' } } },
    { do: 'commit', repo: REPO, message: 'Second', files: { 'src/c.ts': 'c()\n' } },
    { do: 'open_pull_request', repo: REPO, title: 'Change', body: 'Words of it', author: 'dependabot[bot]' },
  ])
})

const REVIEWS = `query($first: Int, $after: String) {
  repository(${NAME}) {
    pullRequest(number: 1) {
      author { __typename login }
      reviews(first: $first, after: $after) {
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes { databaseId fullDatabaseId state body submittedAt updatedAt author { __typename login } }
      }
    }
  }
}`

test('reviews have upper-case states and a time of update, pages of their own, and no pending ones of others', async () => {
  const review = { do: 'review', repo: REPO, number: 1, body: 'Good so far.' } as const
  const { id } = await github.edit({ ...review, state: 'APPROVED', author: null })
  await github.edit({ ...review, state: 'PENDING', author: 'ren' })
  await github.edit({ ...review, state: 'COMMENTED', author: 'ci[bot]' })
  const submitted = (await ask<{ submitted_at: string }>(github, `/repos/${REPO}/pulls/1/reviews/${id}`)).body
  await github.edit({ do: 'edit_review', repo: REPO, id, body: 'Very good.' })
  const { data } = await askGraphql(github, REVIEWS, { first: 1 })
  const { author, reviews } = data.repository.pullRequest
  expect(author).toEqual({ __typename: 'Bot', login: 'dependabot' })
  expect(reviews).toMatchObject({ totalCount: 2, pageInfo: { hasNextPage: true } })
  expect(reviews.nodes[0]).toMatchObject({
    databaseId: id,
    fullDatabaseId: String(id),
    state: 'APPROVED',
    body: 'Very good.',
    submittedAt: submitted.submitted_at,
    author: null,
  })
  expect(reviews.nodes[0].updatedAt > submitted.submitted_at).toBe(true)
  const second = await askGraphql(github, REVIEWS, { first: 1, after: reviews.pageInfo.endCursor })
  expect(second.data.repository.pullRequest.reviews.nodes).toMatchObject([
    { author: { __typename: 'Bot', login: 'ci' } },
  ])
})

test('ids beyond 32 bits are only in the full form', async () => {
  await github.setFirstId(3_000_000_000)
  const { id } = await github.edit({ do: 'review', repo: REPO, number: 1, body: '', state: 'APPROVED' })
  const { data } = await askGraphql(github, REVIEWS, { first: 5 })
  const [node] = data.repository.pullRequest.reviews.nodes
  expect([node.databaseId, node.fullDatabaseId]).toEqual([null, String(id)])
})

test('files of the default branch have their text, and the last commit that touched them a date', async () => {
  const query = `{ repository(${NAME}) {
    text: object(expression: "main:docs/a.md") { ... on Blob { text byteSize isBinary isTruncated oid } }
    binary: object(expression: "main:b.bin") { ... on Blob { text isBinary } }
    absent: object(expression: "main:none.md") { ... on Blob { text } }
    defaultBranchRef { target { oid ... on Commit { history(first: 1, path: "docs/a.md") { nodes { oid committedDate } } } } }
  } }`
  const { data, errors } = await askGraphql(github, query)
  expect(errors).toBeUndefined()
  const { text, binary, absent, defaultBranchRef } = data.repository
  expect(text).toMatchObject({ text: '# A\n', byteSize: 4, isBinary: false, isTruncated: false })
  expect(binary).toEqual({ text: null, isBinary: true })
  expect(absent).toBeNull()
  const [last] = defaultBranchRef.target.history.nodes
  const { body } = await ask<{ sha: string }[]>(github, `/repos/${REPO}/commits?path=docs/a.md`)
  expect(body.map(({ sha }) => sha)).toEqual([last.oid])
  expect(last.oid).not.toBe(defaultBranchRef.target.oid)
})

test('a number that does not exist is null beside the others, with an error of its type', async () => {
  const { data, errors } = await askGraphql(
    github,
    `{ repository(${NAME}) { a: pullRequest(number: 1) { number } b: pullRequest(number: 9) { number } } }`,
  )
  expect(data.repository).toEqual({ a: { number: 1 }, b: null })
  expect(errors).toMatchObject([{ type: 'NOT_FOUND', path: ['repository', 'b'] }])
})

test('anonymous callers, lists without bounds and lists of more than 100 are refused', async () => {
  expect((await askGraphql(github, '{ viewer { login } }', {}, null)).status).toBe(401)
  const anonymous = await fetch(github.urls.graphql, { method: 'POST', body: '{}' })
  expect(anonymous.headers.get('x-ratelimit-remaining')).toBe('0')
  const ofReviews = async (first: string): Promise<unknown> => {
    const pull = `pullRequest(number: 1) { reviews${first} { totalCount } }`
    return (await askGraphql(github, `{ repository(${NAME}) { ${pull} } }`)).errors?.[0].type
  }
  expect(await ofReviews('')).toBe('MISSING_PAGINATION_BOUNDARIES')
  expect(await ofReviews('(first: 101)')).toBe('EXCESSIVE_PAGINATION')
  expect((await askGraphql(github, '{ repository { nothing } }')).errors?.length).toBeGreaterThan(0)
})

test('a query for too many things at once ends as a 502', async () => {
  await github.set({ maxGraphqlNodes: 3 })
  const pulls = (count: number): string =>
    Array.from({ length: count }, (_, at) => `p${at}: pullRequest(number: 1) { number }`).join(' ')
  expect((await askGraphql(github, `{ repository(${NAME}) { ${pulls(4)} } }`)).status).toBe(502)
  expect((await askGraphql(github, `{ repository(${NAME}) { ${pulls(3)} } }`)).status).toBe(200)
})

test('pull requests are listed by their time of update', async () => {
  await github.edit({ do: 'open_pull_request', repo: REPO, title: 'Later', body: '' })
  await github.edit({ do: 'comment', repo: REPO, number: 1, body: 'A comment moves it.' })
  const order = 'orderBy: { field: UPDATED_AT, direction: DESC }'
  const { data } = await askGraphql(
    github,
    `{ repository(${NAME}) { pullRequests(first: 5, ${order}) { nodes { number } } } }`,
  )
  expect(data.repository.pullRequests.nodes).toEqual([{ number: 1 }, { number: 2 }])
})
