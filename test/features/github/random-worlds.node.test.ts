/** Random worlds: what the API shows of them is what the expected documents say, and no step fails. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ask, askAll } from '../../support/github/ask-github.ts'
import { randomSteps } from '../../support/github/random-sequences.ts'
import { ScriptedGitHub } from '../../support/github/scripted-github.ts'
import type { Expected, ExpectedDocument } from '../../support/github/truth/expected-documents.ts'
import { useScriptedServer } from '../../support/github/use-scripted-server.ts'
import { runs } from '../../support/runs.ts'

const server = useScriptedServer()

async function createWorld(): Promise<{ github: ScriptedGitHub; id: number }> {
  const github = await ScriptedGitHub.create(server.url)
  const { id } = await github.edit({ do: 'create_repository', repo: 'acme/app' })
  return { github, id }
}

type Row = Readonly<Record<string, unknown>>

function ofType(expected: Expected, ...types: string[]): ExpectedDocument[] {
  return expected.documents.filter(({ type }) => types.includes(type))
}

/** The rows of an answer as expected rows would have these fields. */
const sorted = (rows: readonly Row[]): string[] => rows.map((row) => JSON.stringify(row)).sort()

const isPerson = (user: { type: string } | null): boolean => user?.type !== 'Bot'

test('random worlds look through the API as expected', async () => {
  await fc.assert(
    fc.asyncProperty(randomSteps(50), async (steps) => {
      const { github, id } = await createWorld()
      await github.randomEdits(steps)
      const expected = await github.expected()
      const api = `/repositories/${id}`
      await compareThreads(github, api, expected)
      await compareReviews(github, api, expected)
      await compareReleases(github, api, expected)
      await compareTree(github, api, expected)
      await compareCommits(github, api, expected)
    }),
    { numRuns: runs(25) },
  )
})

async function compareThreads(github: ScriptedGitHub, api: string, expected: Expected): Promise<void> {
  const threads = await askAll(github, `${api}/issues?state=all&per_page=7`)
  expect(
    sorted(
      threads.map(
        (one) =>
          [
            one.pull_request === undefined ? 'issue' : 'pull_request',
            one.number,
            one.title,
            one.state,
            one.labels.map(({ name }: { name: string }) => name),
            one.milestone?.title ?? null,
            one.user?.login ?? null,
            one.body ?? '',
            one.html_url,
            one.created_at,
            one.updated_at,
          ] as unknown as Row,
      ),
    ),
  ).toEqual(
    sorted(
      ofType(expected, 'issue', 'pull_request').map(
        (row) =>
          [
            row.type,
            row['number'],
            row['title'],
            row['state'],
            row['labels'] ?? [],
            row['milestone'] ?? null,
            row['author'] ?? null,
            row['body'],
            row['url'],
            row['created_at'],
            row['updated_at'],
          ] as unknown as Row,
      ),
    ),
  )
  const comments = await askAll(github, `${api}/issues/comments?sort=updated&direction=asc`)
  const shown = new Map(comments.map((one) => [one.id, one]))
  for (const row of ofType(expected, 'issue_comment')) {
    const one = shown.get(row['comment_id'])
    expect([one?.body, one?.updated_at, isPerson(one?.user)]).toEqual([row['body'], row['updated_at'], true])
    shown.delete(row['comment_id'])
  }
  // The others are of bots, or say nothing.
  for (const { body, user } of shown.values()) expect(isPerson(user) && body.length > 20).toBe(false)
}

async function compareReviews(github: ScriptedGitHub, api: string, expected: Expected): Promise<void> {
  const reviews: Row[] = []
  for (const { number } of await askAll(github, `${api}/pulls?state=all`)) {
    for (const one of await askAll(github, `${api}/pulls/${number}/reviews`)) {
      if (!isPerson(one.user)) continue
      reviews.push({ id: one.id, number, state: one.state.toLowerCase(), body: one.body, at: one.submitted_at })
    }
  }
  expect(sorted(reviews)).toEqual(
    sorted(
      ofType(expected, 'pr_review').map((row) => ({
        id: row['review_id'],
        number: row['number'],
        state: row['review_state'],
        body: row['body'],
        at: row['created_at'],
      })),
    ),
  )
}

async function compareReleases(github: ScriptedGitHub, api: string, expected: Expected): Promise<void> {
  const releases = await askAll(github, `${api}/releases`)
  expect(
    releases
      .filter(({ draft, author }) => draft !== true && isPerson(author))
      .map((one) => [one.tag_name, one.body ?? '', one.published_at])
      .sort(),
  ).toEqual(
    ofType(expected, 'release')
      .map((row) => [row['tag_name'], row['body'], row['created_at']])
      .sort(),
  )
}

async function compareTree(github: ScriptedGitHub, api: string, expected: Expected): Promise<void> {
  const { default_branch: branch } = (await ask(github, api)).body
  const tree = await ask(github, `${api}/git/trees/${branch}?recursive=1`)
  const entries: { path: string; type: string }[] = tree.status === 200 ? tree.body.tree : []
  const docs = entries.filter(({ path, type }) => type === 'blob' && /\.(?:md|mdx|rst|adoc|txt|org)$/i.test(path))
  expect(docs.map(({ path }) => path).sort()).toEqual(
    ofType(expected, 'doc')
      .map((row) => row['doc_path'])
      .sort(),
  )
  for (const row of ofType(expected, 'doc')) {
    const [last] = (await ask(github, `${api}/commits?path=${encodeURIComponent(String(row['doc_path']))}&per_page=1`))
      .body
    expect(row['updated_at']).toBe(last.commit.committer.date)
  }
}

async function compareCommits(github: ScriptedGitHub, api: string, expected: Expected): Promise<void> {
  const first = await ask(github, `${api}/commits?per_page=100`)
  const commits: { sha: string; parents: unknown[] }[] = first.status === 200 ? first.body : []
  expect(commits.map(({ sha }) => sha)).toEqual(ofType(expected, 'commit').map((row) => row['commit_sha']))
  const patches: string[] = []
  for (const { sha, parents } of commits) {
    if (parents.length > 1) continue
    const { files } = (await ask(github, `${api}/commits/${sha}`)).body
    for (const { filename, patch } of files) {
      if (patch !== undefined && filename !== 'package-lock.json') patches.push(`${sha} ${filename} ${patch}`)
    }
  }
  expect(patches.sort()).toEqual(
    ofType(expected, 'diff')
      .map((row) => `${String(row['commit_sha'])} ${String(row['file_path'])} ${String(row['body'])}`)
      .sort(),
  )
  expect(expected.heldCommits.filter((sha) => commits.some((one) => one.sha === sha))).toEqual([])
}

describe('expected documents', () => {
  const REPO = 'acme/app'

  async function bodiesOf(comments: readonly string[], by = 'ren'): Promise<unknown[]> {
    const { github } = await createWorld()
    await github.edit({ do: 'open_issue', repo: REPO, title: 'One', body: '' })
    await github.edits(comments.map((body) => ({ do: 'comment', repo: REPO, number: 1, body, by })))
    return ofType(await github.expected(), 'issue_comment').map((row) => row['body'])
  }

  test('have no comments that say nothing, unless they name something', async () => {
    const kept = ['It works now.', '直りました', '#12', 'v1.2', 'see 0123abc', 'src/main.ts']
    expect(await bodiesOf(['+1', 'lgtm', '了解', 'thanks!', ...kept])).toEqual(kept)
  })

  test('have nothing of a bot but its issues and pull requests', async () => {
    expect(await bodiesOf(['Coverage went up by ten percent.'], 'coverage[bot]')).toEqual([])
    const { github } = await createWorld()
    await github.edit({ do: 'open_issue', repo: REPO, title: 'Of a bot', body: '', author: 'renovate[bot]' })
    expect(ofType(await github.expected(), 'issue')).toMatchObject([{ author: 'renovate[bot]' }])
  })

  test('have the time of update of a review only where GraphQL gives it', async () => {
    const { github } = await createWorld()
    await github.edit({ do: 'commit', repo: REPO, message: 'First', files: { 'a.ts': 'a\n' } })
    await github.edit({ do: 'open_pull_request', repo: REPO, title: 'Change', body: '' })
    const { id } = await github.edit({ do: 'review', repo: REPO, number: 1, body: 'Good', state: 'APPROVED' })
    await github.edit({ do: 'edit_review', repo: REPO, id, body: 'Very good' })
    const timesOf = async (graphql: boolean): Promise<boolean> => {
      const [row] = ofType(await github.expected({ graphql }), 'pr_review')
      return row?.['updated_at'] === row?.['created_at']
    }
    expect([await timesOf(true), await timesOf(false)]).toEqual([false, true])
  })

  test('have no diffs of merges, binary files, renames, empty and excluded files', async () => {
    const { github } = await createWorld()
    const first = { 'a.ts': 'a\n', 'x.bin': { base64: 'AAEC' }, 'yarn.lock': 'x\n', 'empty.txt': '', 'gen.ts': 'g\n' }
    const attributes = { '.gitattributes': 'gen.ts linguist-generated\n' }
    await github.edit({ do: 'commit', repo: REPO, message: 'First', files: { ...first, ...attributes } })
    await github.edit({
      do: 'commit',
      repo: REPO,
      message: 'Second',
      files: { 'b.ts': 'b\n' },
      branch: 'topic',
      parents: ['main'],
    })
    await github.edit({ do: 'commit', repo: REPO, message: 'Third', files: { 'a.ts': null, 'c.ts': 'a\n' } })
    await github.edit({ do: 'merge_branch', repo: REPO, from: 'topic' })
    const expected = await github.expected()
    expect(ofType(expected, 'commit')).toHaveLength(4)
    expect(
      ofType(expected, 'diff')
        .map((row) => row['file_path'])
        .sort(),
    ).toEqual(['.gitattributes', 'a.ts', 'b.ts'])
  })

  test('name the commits that only pull requests hold after a forced push', async () => {
    const { github } = await createWorld()
    await github.edit({ do: 'commit', repo: REPO, message: 'First', files: { 'a.ts': 'a\n' } })
    const { sha } = await github.edit({ do: 'commit', repo: REPO, message: 'Second', files: { 'b.ts': 'b\n' } })
    await github.edit({ do: 'open_pull_request', repo: REPO, title: 'Change', body: '', head: 'main' })
    await github.edit({ do: 'edit_thread', repo: REPO, number: 1, state: 'closed' })
    await github.edit({ do: 'commit', repo: REPO, message: 'Other', files: { 'c.ts': 'c\n' }, parents: [] })
    const { heldCommits, documents } = await github.expected()
    expect(heldCommits).toContain(sha)
    expect(documents.filter(({ type }) => type === 'commit')).toHaveLength(1)
  })
})
