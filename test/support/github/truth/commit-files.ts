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

/** Files that are compared with each other to find what was renamed. */
const COMPARED_RENAMES = 400
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
  const added = new Map([...after].filter(([path]) => !before.has(path)))
  const files: CommitFile[] = []
  for (const isSame of [isEqual, isSimilar]) {
    // As git, which looks for similar files only where they are not too many.
    if (isSame === isSimilar && removed.size * added.size > COMPARED_RENAMES) continue
    for (const [path, file] of added) {
      const [from, old] = [...removed].find(([, one]) => isSame(git, one, file)) ?? []
      if (from === undefined || old === undefined) continue
      removed.delete(from)
      added.delete(path)
      files.push({ ...toFile(git, path, old, file), status: 'renamed', previousPath: from })
    }
  }
  for (const [path, file] of added) files.push(toFile(git, path, undefined, file))
  for (const [path, file] of removed) files.push(toFile(git, path, file, undefined))
  for (const [path, file] of after) {
    const old = before.get(path)
    if (old !== undefined && (old.sha !== file.sha || old.mode !== file.mode)) files.push(toFile(git, path, old, file))
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function isEqual(git: GitStore, before: GitFile, after: GitFile): boolean {
  return before.sha === after.sha && sizeOf(git, after.sha) > 0
}

/** Half of the lines are the same. */
function isSimilar(git: GitStore, before: GitFile, after: GitFile): boolean {
  if (isBinary(git, before.sha) || isBinary(git, after.sha)) return false
  const [old, now] = [textOf(git, before), textOf(git, after)]
  const lines = Math.max(old.split('\n').length, now.split('\n').length) - 1
  const { additions, deletions } = diffLines(old, now)
  return lines > 1 && Math.max(additions, deletions) * 2 <= lines
}

function sizeOf(git: GitStore, sha: string): number {
  return git.blobs.get(sha)?.length ?? 0
}

function toFile(git: GitStore, path: string, before: GitFile | undefined, after: GitFile | undefined): CommitFile {
  const file = (after ?? before) as GitFile
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
