/**
 * The questions asked of a repository, each one git command and its parser.
 * Starts no process: the `Run` it is given does. Names and ids that come from
 * outside stand behind `--end-of-options` or on standard input.
 */
import { NEWLINE, readAll, splitRecords, toText } from './bytes.ts'
import type { BlobText } from './blobs.ts'
import { parseBlobs } from './blobs.ts'
import type { Run } from './git-command.ts'
import { GitError } from './git-command.ts'
import type { FilePatch } from './patches.ts'
import { parsePatches, PATCH_FORMAT } from './patches.ts'
import type { PathTimes } from './path-times.ts'
import { parsePathTimes, TIMES_FORMAT } from './path-times.ts'
import type { Tag } from './tags.ts'
import { parseTags, TAG_FORMAT } from './tags.ts'
import type { TreeFile, TreeKind } from './git-tree.ts'
import { parseTree } from './git-tree.ts'
import { unquotePath } from './quoted-path.ts'

/** Where a repository is and what kind of checkout it is. */
export interface RepositoryPlace {
  readonly bare: boolean
  readonly shallow: boolean
  readonly gitFolder: string
  /** Shared by all worktrees of a repository. */
  readonly commonFolder: string
}

export interface ListedCommit {
  readonly sha: string
  /** Committer date, milliseconds UTC. */
  readonly committedAt: number
}

/** More literal paths than this are not put on one command line. */
const MAX_LITERAL_PATHS = 100

export async function readPlace(run: Run): Promise<RepositoryPlace> {
  const flags = ['--is-bare-repository', '--is-shallow-repository', '--absolute-git-dir', '--git-common-dir']
  const output = await readAll(run(['rev-parse', '--path-format=absolute', ...flags]))
  const [bare, shallow, gitFolder = '', commonFolder = ''] = output.split('\n')
  // Older ones repeat the option they do not know.
  if (bare !== 'true' && bare !== 'false') throw new GitError('rev-parse', 'git 2.31 or newer is needed', undefined)
  return { bare: bare === 'true', shallow: shallow === 'true', gitFolder, commonFolder }
}

/** The commit HEAD stands on; undefined in a repository without commits. */
export function readHead(run: Run): Promise<string | undefined> {
  return readQuiet(run, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
}

/** The top folder of the working tree; undefined in a bare repository. */
export function readTopFolder(run: Run): Promise<string | undefined> {
  return readQuiet(run, 'rev-parse', '--path-format=absolute', '--show-toplevel')
}

/** The branch documents are shown at on the web: the remote's default, else the one checked out. */
export async function readBranch(run: Run): Promise<string | undefined> {
  const remote = await readQuiet(run, 'symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD')
  if (remote !== undefined) return remote.replace(/^origin\//, '')
  return readQuiet(run, 'symbolic-ref', '--quiet', '--short', 'HEAD')
}

/** Address of the `origin` remote, `insteadOf` applied; no network is used. */
export async function readOriginAddress(run: Run): Promise<string | undefined> {
  const address = await readQuiet(run, 'ls-remote', '--get-url', 'origin')
  // Without such a remote git takes the name for an address.
  return address === 'origin' ? undefined : address
}

/** Output without its newline; undefined when git has no answer or an empty one. */
async function readQuiet(run: Run, ...command: string[]): Promise<string | undefined> {
  try {
    const output = (await readAll(run(command))).replace(/\n$/, '')
    return output === '' ? undefined : output
  } catch (error) {
    if (error instanceof GitError && error.exitCode !== undefined) return undefined
    throw error
  }
}

export interface Subject {
  readonly sha: string
  /** The first paragraph of the message, on one line. */
  readonly subject: string
}

/** Commits that are no merges, newest first, by their subjects. */
export async function listSubjects(run: Run, limit?: number): Promise<Subject[]> {
  const most = limit === undefined ? [] : [`--max-count=${limit}`]
  const output = await readAll(run(['log', ...most, '--no-merges', ...NO_PROGRAMS, '--format=%H %s']))
  return output.split('\n').flatMap((line) => {
    const space = line.indexOf(' ')
    return space < 0 ? [] : [{ sha: line.slice(0, space), subject: line.slice(space + 1) }]
  })
}

export async function listTags(run: Run): Promise<Tag[]> {
  return parseTags(await readAll(run(['for-each-ref', `--format=${TAG_FORMAT}`, 'refs/tags'])))
}

/** Which of the ids name a commit that is here. */
export async function findCommits(run: Run, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const output = await readAll(run(['cat-file', '--batch-check'], lines(ids)))
  const found = output.split('\n').map((line) => line.split(' '))
  return new Set(found.flatMap(([id = '', type]) => (type === 'commit' ? [id] : [])))
}

/** The commits that are no ancestor of another of them. */
export async function findIndependent(run: Run, ids: readonly string[]): Promise<string[]> {
  if (ids.length < 2) return [...ids]
  const output = await readAll(run(['merge-base', '--independent', '--end-of-options', ...ids]))
  return output.split('\n').filter((line) => line !== '')
}

/**
 * Non-merge commits reachable from `from` and not from `not`, newest first by
 * committer date. The order depends on these commits alone, so a count of
 * commits passed stays a place in it.
 */
export async function* listCommits(run: Run, from: string, not: readonly string[]): AsyncGenerator<ListedCommit> {
  const revisions = lines([from, ...not.map((id) => `^${id}`)])
  const output = run(['rev-list', '--no-merges', '--timestamp', '--stdin'], revisions)
  for await (const line of splitRecords(output, NEWLINE)) {
    const [seconds = '', sha = ''] = toText(line).split(' ')
    yield { sha, committedAt: Number(seconds) * 1000 }
  }
}

/**
 * Commits reachable from these and from neither HEAD nor any branch, remote
 * branch or tag; and the boundary, their parents that are.
 */
export async function listLost(
  run: Run,
  ids: readonly string[],
): Promise<{ readonly lost: string[]; readonly boundary: string[] }> {
  if (ids.length === 0) return { lost: [], boundary: [] }
  const kept = ['--not', 'HEAD', '--exclude=refs/stash', '--all']
  const output = await readAll(run(['rev-list', '--boundary', ...ids, ...kept]))
  const listed = output.split('\n').filter((line) => line !== '')
  return {
    lost: listed.filter((line) => !line.startsWith('-')),
    boundary: listed.flatMap((line) => (line.startsWith('-') ? [line.slice(1)] : [])),
  }
}

/** For every command that compares: a driver in the repository's configuration has a name of its own, which no setting of ours can know. */
const NO_PROGRAMS = ['--no-ext-diff', '--no-textconv']

const PATCH_OPTIONS = [
  '--stdin',
  '-r',
  '--root',
  '--raw',
  '--full-index',
  '--find-renames=50%',
  ...NO_PROGRAMS,
  '--no-color',
  '--no-relative',
  '--submodule=short',
  '--ignore-submodules=none',
  '--diff-algorithm=myers',
  '--unified=3',
  '--inter-hunk-context=0',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '-O/dev/null',
  '--encoding=UTF-8',
  `--format=${PATCH_FORMAT}`,
]

/** Every file of every commit, in the order of the commits. */
export function readPatches(run: Run, commits: readonly string[]): AsyncGenerator<FilePatch> {
  return parsePatches(run(['diff-tree', ...PATCH_OPTIONS, '-p'], lines(commits)))
}

/** As `readPatches`, with empty patches: which files the commits changed. */
export function readChangedFiles(run: Run, commits: readonly string[]): AsyncGenerator<FilePatch> {
  return parsePatches(run(['diff-tree', ...PATCH_OPTIONS], lines(commits)))
}

export function listTree(run: Run, commit: string, kind: TreeKind): Promise<TreeFile[]> {
  const output = run(['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit])
  return parseTree(output, kind)
}

/**
 * Paths whose text or times may differ between two commits: what their trees
 * differ in, and what any commit between them touched.
 */
export async function listTouched(run: Run, old: string, head: string, kind: TreeKind): Promise<Set<string>> {
  const touched = new Set<string>()
  const diff = ['diff-tree', ...NO_PROGRAMS, '-r', '--no-renames', '--name-only', '--end-of-options', old, head]
  for await (const line of splitRecords(run(diff), NEWLINE)) touched.add(unquotePath(line))
  const log = ['log', ...TOUCH_OPTIONS, '--format=', '--end-of-options', `${old}...${head}`, '--']
  for await (const line of splitRecords(run([...log, ...kind.pathspecs]), NEWLINE)) {
    if (line.length > 0) touched.add(unquotePath(line))
  }
  return touched
}

/** A merge counts for the files it has in a form of its own, all other commits for the files they changed. */
const TOUCH_OPTIONS = ['--full-history', '-c', '--name-only', '--no-renames', ...NO_PROGRAMS, '-O/dev/null']

/** When the files were first and last touched, seen from a commit. */
export function readTimes(
  run: Run,
  head: string,
  files: readonly TreeFile[],
  kind: TreeKind,
): Promise<Map<string, PathTimes>> {
  const paths = new Set(files.map((file) => file.path))
  const literal = [...paths].map((path) => `:(top,literal)${path}`)
  // A path that is not UTF-8 has lost its bytes and can no longer be named.
  const named = literal.length <= MAX_LITERAL_PATHS && !literal.some((path) => path.includes('\ufffd'))
  const pathspecs = named ? literal : kind.pathspecs
  const log = ['log', ...TOUCH_OPTIONS, `--format=${TIMES_FORMAT}`, '--end-of-options', head, '--']
  return parsePathTimes(run([...log, ...pathspecs]), (path) => paths.has(path))
}

export function readBlobs(run: Run, ids: readonly string[]): AsyncGenerator<BlobText> {
  return parseBlobs(run(['cat-file', '--batch'], lines(ids)))
}

function lines(values: readonly string[]): string {
  return values.map((value) => `${value}\n`).join('')
}
