/** The changes of a commit against its first parent, file by file, with patches as GitHub gives them. */
import { listFiles, type GitCommit, type GitFile, type GitStore } from './git-store.ts'
import { diffLines, type LineDiff } from './line-diff.ts'

export interface CommitFile {
  readonly path: string
  readonly sha: string
  readonly status: 'added' | 'modified' | 'removed' | 'renamed' | 'changed'
  readonly previousPath?: string
  readonly additions: number
  readonly deletions: number
  /** The hunks; undefined for a binary file and where no line differs. */
  readonly patch: string | undefined
  readonly binary: boolean
}

const EMPTY: LineDiff = { additions: 0, deletions: 0, patch: '' }
const cache = new WeakMap<GitStore, Map<string, readonly CommitFile[]>>()

/** In the order of their paths. */
export function listCommitFiles(git: GitStore, commit: GitCommit): readonly CommitFile[] {
  const known = cache.get(git) ?? new Map<string, readonly CommitFile[]>()
  cache.set(git, known)
  const files = known.get(commit.sha) ?? compare(git, commit)
  known.set(commit.sha, files)
  return files
}

function compare(git: GitStore, commit: GitCommit): readonly CommitFile[] {
  const parent = git.commits.get(commit.parents[0] ?? '')
  const before = parent === undefined ? new Map<string, GitFile>() : listFiles(git, parent.tree)
  const after = listFiles(git, commit.tree)
  const removed = new Map([...before].filter(([path]) => !after.has(path)))
  const files: CommitFile[] = []
  for (const [path, file] of after) {
    const old = before.get(path)
    if (old === undefined) {
      const from = [...removed].find(([, { sha }]) => sha === file.sha && sizeOf(git, sha) > 0)?.[0]
      if (from !== undefined) removed.delete(from)
      files.push(toFile(git, path, undefined, file, from))
    } else if (old.sha !== file.sha || old.mode !== file.mode) files.push(toFile(git, path, old, file))
  }
  for (const [path, file] of removed) files.push(toFile(git, path, file, undefined))
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function sizeOf(git: GitStore, sha: string): number {
  return git.blobs.get(sha)?.length ?? 0
}

function toFile(
  git: GitStore,
  path: string,
  before: GitFile | undefined,
  after: GitFile | undefined,
  previousPath?: string,
): CommitFile {
  const file = (after ?? before) as GitFile
  if (previousPath !== undefined) {
    return { path, sha: file.sha, status: 'renamed', previousPath, ...EMPTY, patch: undefined, binary: false }
  }
  const binary = [before, after].some((one) => one !== undefined && isBinary(git, one.sha))
  const { additions, deletions, patch } = binary ? EMPTY : diffLines(textOf(git, before), textOf(git, after))
  const kindChanged = before !== undefined && after !== undefined && before.sha === after.sha
  const status = before === undefined ? 'added' : after === undefined ? 'removed' : kindChanged ? 'changed' : 'modified'
  return { path, sha: file.sha, status, additions, deletions, patch: patch === '' ? undefined : patch, binary }
}

/** As git judges: a NUL among the first 8,000 bytes. */
export function isBinary(git: GitStore, sha: string): boolean {
  return git.blobs.get(sha)?.subarray(0, 8000).includes(0) ?? false
}

function textOf(git: GitStore, file: GitFile | undefined): string {
  if (file === undefined) return ''
  // A submodule has no blob: git shows the commit it is at.
  if (file.mode === '160000') return `Subproject commit ${file.sha}\n`
  return new TextDecoder().decode(git.blobs.get(file.sha))
}
