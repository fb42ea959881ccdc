/**
 * The queries that read what commits changed, each one git command and its
 * parser. Their options fix the form of a patch. Starts no process: the `Run` of
 * the caller does.
 */
import type { Run } from './git-command.ts'
import { GitError, NO_PROGRAMS, toLines } from './git-command.ts'
import type { CommitFiles, FilePatch } from './patches.ts'
import { parsePatches, PATCH_FORMAT } from './patches.ts'

const HUNK_OPTIONS = [
  ...NO_PROGRAMS,
  '--no-color',
  '--no-relative',
  '--diff-algorithm=myers',
  '--unified=3',
  '--inter-hunk-context=0',
  '--src-prefix=a/',
  '--dst-prefix=b/',
]

const PATCH_OPTIONS = [
  '--stdin',
  '-r',
  '--root',
  '--always',
  '--raw',
  '--full-index',
  '--find-renames=50%',
  ...HUNK_OPTIONS,
  '--submodule=short',
  '--ignore-submodules=none',
  '-O/dev/null',
  '--encoding=UTF-8',
  `--format=${PATCH_FORMAT}`,
]

/**
 * Commits that are no merges, each followed by its files, in the given order.
 * `encodingOf` is the declared encoding of a path.
 */
export function readPatches(
  run: Run,
  commits: readonly string[],
  encodingOf?: (path: string) => string | undefined,
): AsyncGenerator<CommitFiles | FilePatch> {
  return parsePatches(run(['diff-tree', ...PATCH_OPTIONS, '-p'], toLines(commits)), encodingOf)
}

/**
 * Commits of any kind with the files that they changed: like `readPatches`, with
 * empty patches. A merge changed the files that differ from all its parents.
 */
export function readChangedFiles(run: Run, commits: readonly string[]): AsyncGenerator<CommitFiles | FilePatch> {
  return parsePatches(run(['diff-tree', ...PATCH_OPTIONS, '-c'], toLines(commits)))
}

/** Commits of any kind, as `readChangedFiles` yields them, in the given order. Renames are not looked for, which reads no blob. */
export async function* readWithoutPatches(run: Run, commits: readonly string[]): AsyncGenerator<CommitFiles> {
  const output = run(['diff-tree', ...PATCH_OPTIONS, '-c', '--no-renames'], toLines(commits))
  for await (const part of parsePatches(output)) if ('files' in part) yield part
}

/** The difference of two files outside of any repository, by absolute paths, with git's head before the hunks. */
export async function compareFiles(run: Run, old: string, changed: string): Promise<Buffer> {
  const parts: Uint8Array[] = []
  try {
    const output = run(['diff', '--no-index', ...HUNK_OPTIONS, '--', old, changed])
    for await (const part of output) parts.push(Buffer.from(part))
  } catch (error) {
    // The status that says that the files differ.
    if (!(error instanceof GitError && error.exitCode === 1 && error.stderr === '')) throw error
  }
  return Buffer.concat(parts)
}
