/** Git of the scripted GitHub agrees with git itself: object names, patches, history, comparisons and the wiki's protocol. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import { GitSandbox } from '../../support/git-sandbox.ts'
import { ask, askAll, type Answer } from '../../support/github/ask-github.ts'
import { ScriptedGitHub } from '../../support/github/scripted-github.ts'
import { useScriptedServer } from '../../support/github/use-scripted-server.ts'

const REPO = 'acme/app'
const server = useScriptedServer()
let github: ScriptedGitHub

beforeEach(async () => {
  github = await ScriptedGitHub.create(server.url)
  await github.edit({ do: 'create_repository', repo: REPO })
})

interface CommitAnswer {
  readonly sha: string
  readonly commit: { readonly tree: { readonly sha: string } }
  readonly files: {
    readonly filename: string
    readonly status: string
    readonly patch?: string
    readonly previous_filename?: string
  }[]
}

const getCommit = async (sha: string): Promise<CommitAnswer> =>
  (await ask<CommitAnswer>(github, `/repos/${REPO}/commits/${sha}`)).body

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `line ${from + at}\n`).join('')

test('trees and blobs have the names that git gives them', async () => {
  const files = { 'README.md': '# App\n', 'docs/guide.md': 'Guide\n', 'docs/日本.md': '日本語\n', 'docs.md': 'x' }
  const { sha } = await github.edit({ do: 'commit', repo: REPO, message: 'First', files })
  const sandbox = new GitSandbox()
  sandbox.write(files)
  sandbox.git('add', '-A')
  expect((await getCommit(sha)).commit.tree.sha).toBe(sandbox.git('write-tree'))
  sandbox.remove()
})

test('patches are those of git', async () => {
  const sandbox = new GitSandbox()
  const before = { 'a.txt': lines(0, 40), 'b.txt': 'no end', 'c.txt': lines(0, 3), 'd.txt': '' }
  const after = {
    'a.txt': `${lines(0, 5)}new\n${lines(7, 30)}other\n${lines(31, 40)}`,
    'b.txt': 'no end\n',
    'c.txt': 'x\n',
  }
  await github.edit({ do: 'commit', repo: REPO, message: 'First', files: before })
  const { sha } = await github.edit({ do: 'commit', repo: REPO, message: 'Second', files: after })
  sandbox.write(before)
  sandbox.git('add', '-A')
  sandbox.git('commit', '-qm', 'First')
  sandbox.write(after)
  const ofGit = (path: string): string =>
    // Git names the function a hunk is in, which GitHub's patches have too, and these do not.
    sandbox
      .git('diff', '--', path)
      .replace(/^.*?(?=^@@)/ms, '')
      .replaceAll(/^(@@ .* @@).*$/gm, '$1')
  const { files } = await getCommit(sha)
  expect(files.map(({ filename }) => filename)).toEqual(['a.txt', 'b.txt', 'c.txt'])
  for (const { filename, patch } of files) expect(patch).toBe(ofGit(filename))
  sandbox.remove()
})

const LETTERS: Readonly<Record<string, string>> = { added: 'A', removed: 'D', renamed: 'R', modified: 'M' }

test('a file that was renamed and changed is found as git finds it', async () => {
  const sandbox = new GitSandbox()
  const before = { 'old.ts': lines(0, 20), 'gone.ts': lines(40, 60), 'same.ts': lines(80, 90) }
  const after = { 'new.ts': `first\n${lines(0, 20)}`, 'fresh.ts': lines(60, 80), 'moved/same.ts': lines(80, 90) }
  const removed = { 'old.ts': null, 'gone.ts': null, 'same.ts': null }
  await github.edit({ do: 'commit', repo: REPO, message: 'First', files: before })
  const { sha } = await github.edit({ do: 'commit', repo: REPO, message: 'Second', files: { ...removed, ...after } })
  sandbox.write(before)
  sandbox.git('add', '-A')
  sandbox.git('commit', '-qm', 'First')
  sandbox.git('rm', '-q', '.', '-r')
  sandbox.write(after)
  sandbox.git('add', '-A')
  const { files } = await getCommit(sha)
  const names = files.map(({ filename, status, previous_filename: from }) =>
    [LETTERS[status], ...(from === undefined ? [] : [from]), filename].join(' '),
  )
  const ofGit = sandbox.git('diff', '--cached', '-M', '--name-status').split('\n')
  expect(names.sort()).toEqual(ofGit.map((line) => line.replace(/^R\d+/, 'R').replaceAll('\t', ' ')).sort())
  sandbox.remove()
})

test('files without a patch are the binary, the renamed, the empty and the long ones', async () => {
  await github.edit({ do: 'commit', repo: REPO, message: 'First', files: { 'old.ts': lines(0, 9) } })
  await github.set({ maxPatchBytes: 100 })
  const { sha } = await github.edit({
    do: 'commit',
    repo: REPO,
    message: 'Second',
    files: {
      'old.ts': null,
      'new.ts': lines(0, 9),
      'empty.txt': '',
      'x.bin': { base64: 'AAEC' },
      'long.txt': lines(0, 99),
    },
  })
  const { files } = await getCommit(sha)
  expect(files.map(({ patch }) => patch)).toEqual([undefined, undefined, undefined, undefined])
  expect(files).toMatchObject([
    { filename: 'empty.txt', status: 'added', changes: 0 },
    { filename: 'long.txt', status: 'added', changes: 99 },
    { filename: 'new.ts', status: 'renamed', previous_filename: 'old.ts' },
    { filename: 'x.bin', status: 'added', changes: 0 },
  ])
  await github.set({ withheldCounts: 'zero' })
  expect((await getCommit(sha)).files[1]).toMatchObject({ changes: 0 })
})

test('the files of a large commit are on pages of 300', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 650 }, (_, at) => [`f${String(at).padStart(3, '0')}.txt`, `${at}\n`]),
  )
  const { sha } = await github.edit({ do: 'commit', repo: REPO, message: 'Many', files })
  const counts: number[] = []
  for (let at: string | undefined = `/repos/${REPO}/commits/${sha}`; at !== undefined;) {
    const page: Answer<CommitAnswer> = await ask<CommitAnswer>(github, at)
    counts.push(page.body.files.length)
    at = page.next
  }
  expect(counts).toEqual([300, 300, 50])
})

describe('history', () => {
  const commit = async (message: string, more: object = {}): Promise<string> => {
    const files = { [`${message}.txt`]: `${message}\n` }
    return (await github.edit({ do: 'commit', repo: REPO, message, files, ...more })).sha
  }
  const shas = async (query = ''): Promise<string[]> =>
    (await askAll<{ sha: string }>(github, `/repos/${REPO}/commits?per_page=2${query}`)).map(({ sha }) => sha)

  test('lists parents after their children, with dates in any order', async () => {
    const a = await commit('a')
    const b = await commit('b', { branch: 'topic', parents: [a], committedMs: 0 })
    const c = await commit('c')
    const { sha } = await github.edit({ do: 'merge_branch', repo: REPO, from: 'topic' })
    expect(await shas()).toEqual([sha, c, a, b].toSorted((x, y) => order([sha, c, b, a], x) - order([sha, c, b, a], y)))
    expect(await shas('&path=b.txt')).toEqual([b])
    expect(await shas(`&sha=${b}`)).toEqual([b, a])
  })

  const order = (list: readonly string[], sha: string): number => list.indexOf(sha)

  test('is compared as ahead, behind, diverged or identical, and 404 without a common commit', async () => {
    const a = await commit('a')
    const b = await commit('b')
    const t = await commit('t', { branch: 'topic', parents: [a] })
    const lone = await commit('lone', { branch: 'lone', parents: [] })
    const compare = async (base: string, head: string) =>
      (
        await ask<{ status: string; ahead_by: number; merge_base_commit: { sha: string } }>(
          github,
          `/repos/${REPO}/compare/${base}...${head}`,
        )
      ).body
    expect(await compare(a, 'main')).toMatchObject({ status: 'ahead', ahead_by: 1, merge_base_commit: { sha: a } })
    expect(await compare(b, a)).toMatchObject({ status: 'behind', ahead_by: 0 })
    expect(await compare(b, t)).toMatchObject({ status: 'diverged', ahead_by: 1, merge_base_commit: { sha: a } })
    expect(await compare(b, b)).toMatchObject({ status: 'identical', commits: [] })
    expect(await compare(b, lone)).toMatchObject({ message: `No common ancestor between ${b} and ${lone}.` })
    expect((await ask(github, `/repos/${REPO}/compare/${'1'.repeat(40)}...main`)).status).toBe(404)
  })

  test('that a push replaced is still there by its SHA, and no branch leads to it', async () => {
    const a = await commit('a')
    const b = await commit('b')
    await github.edit({ do: 'push_branch', repo: REPO, branch: 'main', to: a })
    expect(await shas()).toEqual([a])
    expect((await ask(github, `/repos/${REPO}/commits/${b}`)).status).toBe(200)
    const pushes = (await github.deliveries()).filter(({ event }) => event === 'push')
    expect(JSON.parse(pushes.at(-1)?.body ?? '')).toMatchObject({ forced: true, before: b, after: a, commits: [] })
  })

  test('is 409 where there is none yet, and 422 for a SHA that does not exist', async () => {
    for (const path of ['commits', 'git/trees/main', 'git/ref/heads/main']) {
      expect((await ask(github, `/repos/${REPO}/${path}`)).status).toBe(409)
    }
    await commit('a')
    expect((await ask(github, `/repos/${REPO}/commits/${'1'.repeat(40)}`)).status).toBe(422)
  })
})

test('a tree is listed with its folders, links and submodules, and says when it is cut', async () => {
  const submodule = '1'.repeat(40)
  const files = {
    'docs/a b#.md': 'a\n',
    'docs/deep/c.md': 'c\n',
    link: { text: 'docs', mode: '120000' as const },
    vendor: { submodule },
  }
  await github.edit({ do: 'commit', repo: REPO, message: 'First', files })
  const path = `/repos/${REPO}/git/trees/main?recursive=1`
  const { body } = await ask<{ tree: { path: string; type: string; mode: string }[]; truncated: boolean }>(github, path)
  expect(body.tree.map(({ path, type, mode }) => `${mode} ${type} ${path}`)).toEqual([
    '040000 tree docs',
    '100644 blob docs/a b#.md',
    '040000 tree docs/deep',
    '100644 blob docs/deep/c.md',
    '120000 blob link',
    '160000 commit vendor',
  ])
  const content = await ask<{ content: string }>(
    github,
    `/repos/${REPO}/contents/docs/${encodeURIComponent('a b#.md')}`,
  )
  expect(Buffer.from(content.body.content, 'base64').toString()).toBe('a\n')
  await github.set({ truncateTrees: true })
  expect((await ask(github, path)).body).toMatchObject({ truncated: true, tree: { length: 3 } })
})

test('an empty tree is a state of its own', async () => {
  await github.edit({ do: 'commit', repo: REPO, message: 'First', files: { 'a.md': 'a\n' } })
  await github.edit({ do: 'commit', repo: REPO, message: 'Second', files: { 'a.md': null } })
  expect((await ask(github, `/repos/${REPO}/git/trees/main?recursive=1`)).body).toMatchObject({
    tree: [],
    truncated: false,
  })
})

describe('a wiki', () => {
  const wiki = (): string => `${github.urls.server}/${REPO}.wiki.git`
  /** Without blocking this process, which is the server's too. */
  const listHead = async (): Promise<string> =>
    (await promisify(execFile)('git', ['ls-remote', wiki(), 'HEAD'], { timeout: 20_000 })).stdout

  test('is advertised to git itself, and moves with each edit', async () => {
    const first = await github.edit({ do: 'write_wiki', repo: REPO, file: 'Home.md', text: 'Hello\n' })
    expect(await listHead()).toBe(`${first.sha}\tHEAD\n`)
    const second = await github.edit({ do: 'write_wiki', repo: REPO, file: 'Home.md', text: 'Hello again\n' })
    expect(await listHead()).toBe(`${second.sha}\tHEAD\n`)
  })

  test('that does not exist is 404, and a private one asks for a password', async () => {
    const status = async (): Promise<number> =>
      (await ask(github, `${wiki()}/info/refs?service=git-upload-pack`, { token: null })).status
    expect(await status()).toBe(404)
    await github.edit({ do: 'write_wiki', repo: REPO, file: 'Home.md', text: 'Hello\n' })
    expect(await status()).toBe(200)
    await github.edit({ do: 'edit_repository', repo: REPO, private: true })
    expect(await status()).toBe(401)
  })

  test('lists its pages without Home, by addresses that lose characters, with the names as text', async () => {
    for (const file of ['Home.md', 'What-is-new?.md', 'C++-notes.md', '_Sidebar.md', '設定.md']) {
      await github.edit({ do: 'write_wiki', repo: REPO, file, text: `${file}\n` })
    }
    const { body } = await ask<string>(github, `${github.urls.server}/${REPO}/wiki/_pages`, { token: null })
    const links = [...body.matchAll(/href="[^"]*\/wiki\/([^"]*)">([^<]*)<\/a><\/strong>/g)]
    expect(links.map(([, href, text]) => [decodeURI(href ?? ''), text])).toEqual([
      ['C-notes', 'C++ notes'],
      ['What-is-new', 'What is new?'],
      ['設定', '設定'],
    ])
    const raw = (file: string) => ask<string>(github, `${github.urls.raw}/wiki/${REPO}/${encodeURIComponent(file)}`)
    expect((await raw('What-is-new?.md')).body).toBe('What-is-new?.md\n')
    expect((await raw('What-is-new.md')).status).toBe(404)
    // The rendered page answers for every name.
    expect((await ask(github, `${github.urls.server}/${REPO}/wiki/What-is-new`)).status).toBe(200)
  })
})
