/**
 * A repository on a scripted GitHub, in memory: commits, trees, a wiki, and pull
 * requests that hold commits. Tests change it between the steps of a reader.
 */
import { sha256Hex } from '../../src/base/hash.ts'

export type Files = Readonly<Record<string, string>>

export interface ScriptedCommit {
  readonly sha: string
  readonly parents: readonly string[]
  readonly message: string
  readonly files: Files
  /** Unix milliseconds. */
  readonly at: number
  readonly bot: boolean
}

export interface ScriptedEntry {
  readonly path: string
  readonly mode: string
  readonly type: 'blob' | 'tree' | 'commit'
  readonly sha: string
  readonly size?: number
}

/** Contents that stand for a binary file, and for a path that is a symlink or a submodule. */
export const BINARY = 'binary\0'
export const SYMLINK = 'symlink:'
export const SUBMODULE = 'submodule:'

export const shaOf = (text: string): string =>
  text === '' ? 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391' : sha256Hex(text).slice(0, 40)

export class ScriptedRepository {
  readonly commits = new Map<string, ScriptedCommit>()
  readonly blobs = new Map<string, string>()
  readonly trees = new Map<string, readonly ScriptedEntry[]>()
  /** Heads and merge commits of pull requests. */
  readonly pulls = new Set<string>()
  /** Pages by file name with extension; undefined for a repository without a wiki. */
  wiki: Map<string, string> | undefined
  head: string | undefined
  branch = 'main'
  /** Paths whose patches GitHub withholds. */
  readonly withheld = new Set<string>()
  #clock = Date.UTC(2026, 0, 1)

  /** Adds a commit on these parents and moves the branch to it. */
  commit(files: Files, options: { parents?: readonly string[]; message?: string; bot?: boolean } = {}): string {
    const {
      parents = this.head === undefined ? [] : [this.head],
      message = `change ${this.commits.size}`,
      bot = false,
    } = options
    this.#clock += 60_000
    const sha = shaOf(JSON.stringify([parents, message, files, this.#clock]))
    this.commits.set(sha, { sha, parents, message, files, at: this.#clock, bot })
    for (const content of Object.values(files)) this.blobs.set(shaOf(content), content)
    this.head = sha
    return sha
  }

  filesOf(sha: string | undefined): Files {
    return this.commits.get(sha ?? '')?.files ?? {}
  }

  /** Commits that `from` leads to, newest first. */
  reached(from: readonly string[]): ScriptedCommit[] {
    const found = new Set(from)
    for (const sha of found) for (const parent of this.commits.get(sha)?.parents ?? []) found.add(parent)
    return [...found].flatMap((sha) => this.commits.get(sha) ?? []).sort((a, b) => b.at - a.at)
  }

  /** The commit that git log shows first for the path. */
  lastTouching(from: string, path: string): ScriptedCommit | undefined {
    let commit = this.commits.get(from)
    while (commit !== undefined) {
      const content = commit.files[path]
      const same = commit.parents.find((parent) => this.filesOf(parent)[path] === content)
      if (same === undefined && (content !== undefined || commit.parents.length > 0)) return commit
      commit = same === undefined ? undefined : this.commits.get(same)
    }
    return undefined
  }

  /** The SHA of the tree of these files; its folders are trees of their own. */
  treeOf(files: Files): string {
    const entries: ScriptedEntry[] = []
    const folders = new Map<string, Record<string, string>>()
    for (const [path, content] of Object.entries(files)) {
      const slash = path.indexOf('/')
      if (slash === -1) entries.push(toEntry(path, content))
      else {
        const name = path.slice(0, slash)
        folders.set(name, { ...folders.get(name), [path.slice(slash + 1)]: content })
      }
    }
    for (const [path, inside] of folders) entries.push({ path, mode: '040000', type: 'tree', sha: this.treeOf(inside) })
    entries.sort((a, b) => (a.path < b.path ? -1 : 1))
    const sha = shaOf(`tree ${JSON.stringify(entries)}`)
    this.trees.set(sha, entries)
    return sha
  }

  /** Everything in a tree, its folders included. */
  listTree(sha: string): ScriptedEntry[] {
    return (this.trees.get(sha) ?? []).flatMap((entry) => {
      if (entry.type !== 'tree') return [entry]
      return [entry, ...this.listTree(entry.sha).map((inner) => ({ ...inner, path: `${entry.path}/${inner.path}` }))]
    })
  }

  /** The files that the commit changed, as GitHub lists them. */
  changedFiles({ parents: [parent], files }: ScriptedCommit): Record<string, unknown>[] {
    const before = this.filesOf(parent)
    const paths = [...new Set([...Object.keys(before), ...Object.keys(files)])].sort()
    return paths.flatMap((filename) => {
      const [old, now] = [before[filename], files[filename]]
      if (old === now) return []
      const status = old === undefined ? 'added' : now === undefined ? 'removed' : 'modified'
      const sha = shaOf(now ?? old ?? '')
      const hasPatch = !this.withheld.has(filename) && (now ?? old) !== '' && now !== BINARY && old !== BINARY
      return [{ filename, status, sha, changes: hasPatch ? 1 : 0, ...(hasPatch && { patch: patchOf(old, now) }) }]
    })
  }
}

export function patchOf(old: string | undefined, now: string | undefined): string {
  return `@@ -1 +1 @@\n-${old ?? ''}\n+${now ?? ''}`
}

function toEntry(path: string, content: string): ScriptedEntry {
  const sha = shaOf(content)
  if (content.startsWith(SUBMODULE)) return { path, mode: '160000', type: 'commit', sha }
  const mode = content.startsWith(SYMLINK) ? '120000' : '100644'
  return { path, mode, type: 'blob', sha, size: content.length }
}
