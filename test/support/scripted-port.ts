/**
 * The port to GitHub over a scripted repository: pages, budgets, conditional
 * requests, and faults in front of any request.
 */
import { Buffer } from 'node:buffer'
import type { GitHub, GitHubFault, GitHubResult, RestAnswer, RestOptions } from '../../src/github/github.ts'
import { BINARY, type ScriptedCommit, type ScriptedRepository } from './scripted-repository.ts'

export interface PortOptions {
  readonly hasGraphql?: boolean
  /** Attempts; unlimited if absent. */
  readonly budget?: number
  /** A fault in place of the answer to this request. */
  readonly fault?: (request: string) => GitHubFault | undefined
  readonly filesPerPage?: number
  /** A recursive tree is cut after so many entries. */
  readonly treeEntries?: number
  /** The list of one folder is cut after so many entries. */
  readonly folderEntries?: number
  /** Lists of commits end unmarked after so many pages. */
  readonly listPages?: number
  /** Files of wiki pages that the list lacks. */
  readonly unlisted?: readonly string[]
  /** Aliases that one query may have. */
  readonly aliases?: number
  /** Whole blobs by SHA in place of their text, as base64. */
  readonly bytes?: ReadonlyMap<string, string>
}

const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value })

export class ScriptedPort implements GitHub {
  readonly auth = 'token'
  readonly hasGraphql: boolean
  readonly requests: string[] = []
  readonly #repository: ScriptedRepository
  readonly #options: PortOptions

  constructor(repository: ScriptedRepository, options: PortOptions = {}) {
    this.#repository = repository
    this.#options = options
    this.hasGraphql = options.hasGraphql ?? true
  }

  async get(path: string, { etag, expects }: RestOptions): Promise<GitHubResult<RestAnswer>> {
    const fault = this.#attempt(path)
    if (fault !== undefined) return { ok: false, fault }
    const url = new URL(path, 'https://api.test')
    const answer = this.#answer(url)
    if (answer.kind === 'ok' && answer.etag !== undefined && answer.etag === etag) return ok({ kind: 'unchanged' })
    if (answer.kind === 'ok' && Array.isArray(answer.body) !== (expects === 'array'))
      throw new Error(`not an ${expects}: ${path}`)
    return ok(answer)
  }

  async graphql(
    _query: string,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<GitHubResult<Record<string, unknown>>> {
    const names = Object.keys(variables).filter((name) => /^[pb]\d+$/.test(name))
    const fault = this.#attempt(`graphql ${names.length} ${names[0]?.charAt(0)}`)
    if (fault !== undefined) return { ok: false, fault }
    if (names.length > (this.#options.aliases ?? Infinity))
      return { ok: false, fault: { kind: 'fault', reason: '502' } }
    const values = names.map((name) => [name, variables[name] as string] as const)
    if (names[0]?.startsWith('b'))
      return ok({ repository: Object.fromEntries(values.map(([name, sha]) => [name, this.#blob(sha)])) })
    const commit = this.#repository.commits.get(variables['commit'] as string)
    const object =
      commit && Object.fromEntries(values.map(([name, path]) => [name, { nodes: this.#history(commit.sha, path) }]))
    return ok({ repository: { object: object ?? null } })
  }

  async readWikiHead(): Promise<GitHubResult<string | undefined>> {
    const fault = this.#attempt('wiki head')
    const { wiki } = this.#repository
    return fault === undefined ? ok(wiki && JSON.stringify([...wiki])) : { ok: false, fault }
  }

  async readWikiPageList(): Promise<GitHubResult<string | undefined>> {
    const fault = this.#attempt('wiki list')
    if (fault !== undefined) return { ok: false, fault }
    const links = [...(this.#repository.wiki?.keys() ?? [])]
      .filter((file) => !file.startsWith('Home.') && this.#options.unlisted?.includes(file) !== true)
      .map((file) => file.replace(/\.[a-z]+$/, ''))
      .map(
        (name) =>
          `<a href="/acme/app/wiki/${encodeURIComponent(name.replace(/[+:?]/g, ''))}">${name.replaceAll('-', ' ')}</a>`,
      )
    return ok(`<html><a href="/acme/app/wiki/_new">New</a><ul>${links.join('')}</ul></html>`)
  }

  async readWikiPage(file: string, etag?: string): ReturnType<GitHub['readWikiPage']> {
    const fault = this.#attempt(`wiki ${file}`)
    if (fault !== undefined) return { ok: false, fault }
    const text = this.#repository.wiki?.get(file)
    if (text === undefined) return ok({ kind: 'absent' })
    return ok(etag === `"${text}"` ? { kind: 'unchanged' } : { kind: 'ok', text, etag: `"${text}"` })
  }

  #attempt(request: string): GitHubFault | undefined {
    if (this.requests.length >= (this.#options.budget ?? Infinity)) return { kind: 'spent' }
    this.requests.push(request)
    return this.#options.fault?.(request)
  }

  #answer(url: URL): RestAnswer {
    const [, , , , kind = '', ...rest] = url.pathname.split('/').map(decodeURIComponent)
    const repository = this.#repository
    const [sha = '', last] = rest
    if (kind === 'commits' && sha === '') return this.#list(url)
    if (kind === 'commits') {
      const commit = repository.commits.get(sha)
      if (commit === undefined) return { kind: 'absent', status: 404 }
      if (last === 'pulls') {
        const isHeld = [...repository.pulls].some((pull) => repository.reached([pull]).includes(commit))
        return { kind: 'ok', body: isHeld ? [{ number: 1 }] : [] }
      }
      return this.#detail(url, commit)
    }
    if (kind === 'compare') return this.#compare(url, sha)
    if (kind === 'git' && sha === 'trees') return this.#tree(last ?? '', url.searchParams.has('recursive'))
    if (kind === 'git' && sha === 'blobs') {
      const content = repository.blobs.get(last ?? '')
      if (content === undefined) return { kind: 'absent', status: 404 }
      const base64 = this.#options.bytes?.get(last ?? '') ?? Buffer.from(content).toString('base64')
      return { kind: 'ok', body: { content: base64.replace(/(.{60})/g, '$1\n'), encoding: 'base64' } }
    }
    throw new Error(`not scripted: ${url.href}`)
  }

  #list(url: URL): RestAnswer {
    const repository = this.#repository
    if (repository.head === undefined) return { kind: 'empty' }
    const given = url.searchParams.get('sha') ?? repository.branch
    const from = given === repository.branch ? repository.head : given
    if (!repository.commits.has(from)) return { kind: 'absent', status: 404 }
    const path = url.searchParams.get('path')
    if (path !== null) {
      const commit = repository.lastTouching(from, path)
      return { kind: 'ok', body: commit === undefined ? [] : [this.#item(commit)] }
    }
    return this.#page(url, repository.reached([from]), (items) => items, { etag: `"${from}"` })
  }

  #compare(url: URL, range: string): RestAnswer {
    const repository = this.#repository
    const [old = '', now = ''] = range.split('...')
    const [before, after] = [repository.reached([old]), repository.reached([now])]
    if (!repository.commits.has(old) || !before.some((commit) => after.includes(commit)))
      return { kind: 'absent', status: 404 }
    const ahead = after.filter((commit) => !before.includes(commit)).toReversed()
    const behind = before.filter((commit) => !after.includes(commit)).length
    const status = behind > 0 ? (ahead.length > 0 ? 'diverged' : 'behind') : ahead.length > 0 ? 'ahead' : 'identical'
    return this.#page(url, ahead, (commits) => ({ status, commits }), {})
  }

  #page(
    url: URL,
    commits: readonly ScriptedCommit[],
    wrap: (items: unknown[]) => unknown,
    more: { readonly etag?: string },
  ): RestAnswer {
    const [size, page] = ['per_page', 'page'].map((name) => Number(url.searchParams.get(name) ?? 1)) as [number, number]
    const body = wrap(commits.slice((page - 1) * size, page * size).map((commit) => this.#item(commit)))
    const isLast = page * size >= commits.length || page >= (this.#options.listPages ?? Infinity)
    const next = new URL(url)
    next.searchParams.set('page', String(page + 1))
    return { kind: 'ok', body, ...more, ...(!isLast && { next: next.pathname + next.search }) }
  }

  #detail(url: URL, commit: ScriptedCommit): RestAnswer {
    const { filesPerPage = 300 } = this.#options
    const page = Number(url.searchParams.get('page') ?? 1)
    const files = this.#repository.changedFiles(commit)
    const body = { ...this.#item(commit), files: files.slice((page - 1) * filesPerPage, page * filesPerPage) }
    const next = page * filesPerPage < files.length ? { next: `${url.pathname}?page=${page + 1}` } : {}
    return { kind: 'ok', body, ...next }
  }

  #tree(sha: string, deep: boolean): RestAnswer {
    const repository = this.#repository
    if (!repository.trees.has(sha)) return { kind: 'absent', status: 404 }
    const entries = deep ? repository.listTree(sha) : (repository.trees.get(sha) ?? [])
    const { treeEntries = Infinity, folderEntries = Infinity } = this.#options
    const limit = deep ? treeEntries : folderEntries
    return { kind: 'ok', body: { sha, tree: entries.slice(0, limit), truncated: entries.length > limit } }
  }

  #item({ sha, parents, message, at, bot, files }: ScriptedCommit): Record<string, unknown> {
    const date = new Date(at).toISOString()
    const name = bot ? 'robot[bot]' : 'Ada'
    return {
      sha,
      html_url: `https://github.test/acme/app/commit/${sha}`,
      // The author's date is that of the first writing, which a rebase keeps.
      commit: {
        message,
        tree: { sha: this.#repository.treeOf(files) },
        author: { name, email: 'ada@example.test', date: '2001-01-01T00:00:00Z' },
        committer: { name, email: 'ada@example.test', date },
      },
      author: bot ? { login: 'robot[bot]', type: 'Bot' } : null,
      parents: parents.map((parent) => ({ sha: parent })),
    }
  }

  #history(from: string, path: string): unknown[] {
    const commit = this.#repository.lastTouching(from, path)
    return commit === undefined ? [] : [{ committedDate: new Date(commit.at).toISOString() }]
  }

  #blob(sha: string): unknown {
    const content = this.#repository.blobs.get(sha)
    if (content === undefined) return null
    const isBinary = content === BINARY
    const whole = this.#options.bytes?.has(sha) === true ? `${content}\ufffd` : content
    return { text: isBinary ? null : whole, isTruncated: false, isBinary }
  }
}
