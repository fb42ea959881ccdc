/** The port to GitHub over a checkout of real git: the answers that GitHub gives for this repository, without GraphQL. */
import type { GitHub, GitHubResult, RestAnswer } from '../../src/github/github.ts'
import type { GitSandbox } from './git-sandbox.ts'

const STATUSES: Readonly<Record<string, string>> = {
  A: 'added',
  M: 'modified',
  D: 'removed',
  R: 'renamed',
  C: 'copied',
  T: 'changed',
}

export function gitPort(sandbox: GitSandbox): GitHub {
  const unused = (): never => {
    throw new Error('not expected')
  }
  return {
    auth: 'none',
    hasGraphql: false,
    get: async (path): Promise<GitHubResult<RestAnswer>> => ({
      ok: true,
      value: { kind: 'ok', body: answer(sandbox, path) },
    }),
    graphql: unused,
    readWikiHead: unused,
    readWikiPageList: unused,
    readWikiPage: unused,
  }
}

function answer(sandbox: GitSandbox, path: string): unknown {
  const url = new URL(path, 'https://api.test')
  const [, , , , kind, first = '', last = ''] = url.pathname.split('/').map(decodeURIComponent)
  if (kind === 'git' && first === 'trees') return listTree(sandbox, last)
  if (kind === 'git') {
    const content =
      sandbox.git('cat-file', '-s', last) === '0' ? '' : Buffer.from(show(sandbox, last)).toString('base64')
    return { encoding: 'base64', content }
  }
  if (first !== '') return { ...toItem(sandbox, first), files: listFiles(sandbox, first) }
  const from = url.searchParams.get('sha') ?? 'HEAD'
  const file = url.searchParams.get('path')
  const paths = file === null ? [] : ['--', `:(literal)${file}`]
  const limit = Number(url.searchParams.get('per_page'))
  const listed = sandbox.git('rev-list', `--max-count=${limit}`, from, ...paths).split('\n')
  return listed.filter((sha) => sha !== '').map((sha) => toItem(sandbox, sha))
}

/** The sandbox trims what git prints: the files that are read here end in one newline. */
function show(sandbox: GitSandbox, blob: string): string {
  return sandbox.git('cat-file', 'blob', blob) + '\n'
}

function listTree(sandbox: GitSandbox, tree: string): unknown {
  const entries = sandbox.git('ls-tree', '-r', '-t', '-l', '-z', tree).split('\0')
  return {
    truncated: false,
    tree: entries.flatMap((entry) => {
      const [, mode, type, sha, size, path] = /^(\d+) (\w+) (\w+) +(\S+)\t([\s\S]+)$/.exec(entry) ?? []
      return path === undefined ? [] : [{ path, mode, type, sha, size: Number(size) || 0 }]
    }),
  }
}

function toItem(sandbox: GitSandbox, sha: string): Record<string, unknown> {
  const format = ['%H', '%T', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'].join('%x00')
  const fields = sandbox.git('show', '-s', `--format=${format}`, sha).split('\0')
  const [id = '', tree, parents = '', name, email, date, committer, committerEmail, committed, message = ''] = fields
  return {
    sha: id,
    html_url: `https://github.test/acme/app/commit/${id}`,
    commit: {
      message: message.trimEnd(),
      tree: { sha: tree },
      author: { name, email, date },
      committer: { name: committer, email: committerEmail, date: committed },
    },
    author: null,
    parents: parents.split(' ').flatMap((parent) => (parent === '' ? [] : [{ sha: parent }])),
  }
}

function listFiles(sandbox: GitSandbox, sha: string): unknown[] {
  const base = ['diff-tree', '-r', '-M', '--root', '--no-commit-id']
  const parts = sandbox.git(...base, '--raw', '--no-abbrev', '-z', sha).split('\0')
  const files: unknown[] = []
  for (let at = 0; at + 1 < parts.length;) {
    const [, , old, now, letters = ''] = (parts[at] ?? '').split(' ')
    const isMoved = /^[RC]/.test(letters)
    const [former, filename = ''] = isMoved ? [parts[at + 1], parts[at + 2]] : [undefined, parts[at + 1]]
    at += isMoved ? 3 : 2
    const paths = [filename, ...(former === undefined ? [] : [former])].map((path) => `:(literal)${path}`)
    const output = sandbox.git(...base, '-p', sha, '--', ...paths)
    const start = output.indexOf('\n@@ ')
    const patch = start === -1 ? undefined : output.slice(start + 1)
    const onlyMode = old === now && letters.startsWith('M')
    files.push({
      filename,
      status: onlyMode ? 'changed' : STATUSES[letters.charAt(0)],
      sha: letters.startsWith('D') ? old : now,
      changes: patch === undefined ? 0 : (patch.match(/^[+-]/gm) ?? []).length,
      ...(patch !== undefined && { patch }),
      ...(former !== undefined && { previous_filename: former }),
    })
  }
  return files
}
