/**
 * The queries of a repository, each one git command and its parser. Starts no
 * process: the `Run` of the caller does. Names and ids from outside are passed
 * behind `--end-of-options` or on standard input.
 */
import { NEWLINE, NUL, readAll, splitRecords, toText } from './bytes.ts'
import type { FileBlob } from './blobs.ts'
import { parseBlobs } from './blobs.ts'
import { decodeText } from './encoding/decode-text.ts'
import type { Run } from './git-command.ts'
import { GitError } from './git-command.ts'
import type { CommitFiles, FilePatch } from './patches.ts'
import { parsePatches, PATCH_FORMAT } from './patches.ts'
import type { PathTimes } from './path-times.ts'
import { parsePathTimes, TIMES_FORMAT } from './path-times.ts'
import type { Tag } from './tags.ts'
import { parseTags, TAG_FORMAT } from './tags.ts'
import type { TreeFile, TreeKind } from './git-tree.ts'
import { parseTree } from './git-tree.ts'
import { MAX_LITERAL_PATHS, MAX_SUBJECT_BYTES } from './limits.ts'
import { unquotePath } from './quoted-path.ts'

/** The place of a repository and the kind of checkout. */
interface RepositoryPlace {
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
  readonly isMerge: boolean
}

export async function readPlace(run: Run): Promise<RepositoryPlace> {
  const flags = ['--is-bare-repository', '--is-shallow-repository', '--absolute-git-dir', '--git-common-dir']
  const output = await readAll(run(['rev-parse', '--path-format=absolute', ...flags]))
  const [bare, shallow, gitFolder = '', commonFolder = ''] = output.split('\n')
  // An older git repeats the option that it does not know.
  if (bare !== 'true' && bare !== 'false') throw new GitError('rev-parse', 'git 2.31 or newer is needed', undefined)
  return { bare: bare === 'true', shallow: shallow === 'true', gitFolder, commonFolder }
}

/** The commit of HEAD; undefined in a repository without commits. */
export function readHead(run: Run): Promise<string | undefined> {
  return readQuiet(run, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
}

/** The top folder of the working tree; undefined in a bare repository. */
export function readTopFolder(run: Run): Promise<string | undefined> {
  return readQuiet(run, 'rev-parse', '--path-format=absolute', '--show-toplevel')
}

/** The branch for web addresses of documents: the remote's default branch, else the one checked out. */
export async function readBranch(run: Run): Promise<string | undefined> {
  const remote = await readQuiet(run, 'symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD')
  if (remote !== undefined) return remote.replace(/^origin\//, '')
  return readQuiet(run, 'symbolic-ref', '--quiet', '--short', 'HEAD')
}

/** The address of the `origin` remote, with `insteadOf` applied. Uses no network. */
export async function readOriginAddress(run: Run): Promise<string | undefined> {
  const address = await readQuiet(run, 'ls-remote', '--get-url', 'origin')
  // Without such a remote git takes its name for an address.
  return address === 'origin' ? undefined : address
}

/** The output without its newline; undefined when git fails or prints nothing. */
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
  /** The beginning of the first paragraph of the message, on one line. */
  readonly subject: string
}

/** The subjects of commits that are no merges, newest first. */
export async function listSubjects(run: Run, limit?: number): Promise<Subject[]> {
  const count = limit === undefined ? [] : [`--max-count=${limit}`]
  return parseSubjects(run(['log', ...count, '--no-merges', ...NO_PROGRAMS, SUBJECT_FORMAT]))
}

/** The subjects of these commits, in their order. */
export async function readSubjects(run: Run, commits: readonly string[]): Promise<Subject[]> {
  if (commits.length === 0) return []
  const log = ['log', '--no-walk=unsorted', ...NO_PROGRAMS, SUBJECT_FORMAT, '--stdin']
  return parseSubjects(run(log, lines(commits)))
}

const SUBJECT_FORMAT = '--format=%H %s'

/** Git takes the whole first paragraph for the subject, so a line may be of any length. */
async function parseSubjects(output: AsyncIterable<Uint8Array>): Promise<Subject[]> {
  const subjects: Subject[] = []
  for await (const line of splitRecords(output, NEWLINE, MAX_SUBJECT_BYTES)) {
    const text = toText(line)
    const space = text.indexOf(' ')
    if (space >= 0) subjects.push({ sha: text.slice(0, space), subject: text.slice(space + 1).replace(/\ufffd$/, '') })
  }
  return subjects
}

/** The tags of commits, in git's order. A tag of a file or a tree is not a release. */
export async function listTags(run: Run): Promise<Tag[]> {
  const fields: string[] = []
  // Git converts no tag's message: each field is decoded by itself.
  for await (const field of splitRecords(run(['for-each-ref', `--format=${TAG_FORMAT}`, 'refs/tags']), NUL)) {
    fields.push(decodeText(field))
  }
  const refs = parseTags(fields.join('\0'))
  if (refs.length === 0) return []
  const objects = refs.map(({ target }) => `${target}^{commit}`)
  const peeled = (await readAll(run(['cat-file', '--batch-check'], lines(objects)))).split('\n')
  return refs.flatMap((ref, at) => {
    const [commitSha = '', type] = (peeled[at] ?? '').split(' ')
    return type === 'commit' ? [{ ...ref, commitSha }] : []
  })
}

/** The ids that name a commit of this repository. */
export async function findCommits(run: Run, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const output = await readAll(run(['cat-file', '--batch-check'], lines(ids)))
  const found = output.split('\n').map((line) => line.split(' '))
  return new Set(found.flatMap(([id = '', type]) => (type === 'commit' ? [id] : [])))
}

/** The commits that are not an ancestor of another one in the list. */
export async function findIndependent(run: Run, ids: readonly string[]): Promise<string[]> {
  if (ids.length < 2) return [...ids]
  const output = await readAll(run(['merge-base', '--independent', '--end-of-options', ...ids]))
  return output.split('\n').filter((line) => line !== '')
}

/**
 * Commits reachable from `from` and not from `not`, newest first by committer
 * date. The order depends on these commits alone, so the number of commits read
 * is a stable place in it.
 */
export async function* listCommits(run: Run, from: string, not: readonly string[]): AsyncGenerator<ListedCommit> {
  const revisions = lines([from, ...not.map((id) => `^${id}`)])
  const output = run(['rev-list', '--parents', '--timestamp', '--stdin'], revisions)
  for await (const line of splitRecords(output, NEWLINE)) {
    const [seconds = '', sha = '', ...parents] = toText(line).split(' ')
    yield { sha, committedAt: Number(seconds) * 1000, isMerge: parents.length > 1 }
  }
}

export interface CommitParents {
  readonly sha: string
  readonly parents: readonly string[]
}

/** Commits reachable from these, each before its parents, and otherwise newest first by committer date. */
export async function* listAncestry(run: Run, from: readonly string[]): AsyncGenerator<CommitParents> {
  if (from.length === 0) return
  const output = run(['rev-list', '--date-order', '--parents', '--stdin'], lines(from))
  for await (const line of splitRecords(output, NEWLINE)) {
    const [sha = '', ...parents] = toText(line).split(' ')
    yield { sha, parents }
  }
}

/**
 * Lost commits: reachable from these, but not from HEAD or any branch, remote
 * branch or tag. The boundary is their parents that are not lost.
 */
export async function listLost(
  run: Run,
  ids: readonly string[],
): Promise<{ readonly lost: string[]; readonly boundary: string[] }> {
  if (ids.length === 0) return { lost: [], boundary: [] }
  const kept = ['--not', 'HEAD', '--exclude=refs/stash', '--all', '--not']
  const output = await readAll(run(['rev-list', '--boundary', ...kept, '--end-of-options', ...ids]))
  const listed = output.split('\n').filter((line) => line !== '')
  return {
    lost: listed.filter((line) => !line.startsWith('-')),
    boundary: listed.flatMap((line) => (line.startsWith('-') ? [line.slice(1)] : [])),
  }
}

/** For every command that compares: no setting can switch off a driver of the repository, whose name is unknown here. */
const NO_PROGRAMS = ['--no-ext-diff', '--no-textconv']

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
  return parsePatches(run(['diff-tree', ...PATCH_OPTIONS, '-p'], lines(commits)), encodingOf)
}

/**
 * Commits of any kind with the files that they changed: like `readPatches`, with
 * empty patches. A merge changed the files that differ from all its parents.
 */
export function readChangedFiles(run: Run, commits: readonly string[]): AsyncGenerator<CommitFiles | FilePatch> {
  return parsePatches(run(['diff-tree', ...PATCH_OPTIONS, '-c'], lines(commits)))
}

/** Commits of any kind, as `readChangedFiles` yields them, in the given order. Renames are not looked for, which reads no blob. */
export async function* readWithoutPatches(run: Run, commits: readonly string[]): AsyncGenerator<CommitFiles> {
  const output = run(['diff-tree', ...PATCH_OPTIONS, '-c', '--no-renames'], lines(commits))
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

/** `kind` names the files: those that are documents, or others that a caller needs. */
export function listTree(run: Run, commit: string, kind: Pick<TreeKind, 'keyOf'>): Promise<TreeFile[]> {
  const output = run(['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit])
  return parseTree(output, kind)
}

/**
 * Paths whose text or times may differ between two commits: those that differ
 * in their trees, and those that any commit between them touched.
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

/** A merge touches the files that differ from all its parents; any other commit touches the files it changed. */
const TOUCH_OPTIONS = ['--full-history', '-c', '--name-only', '--no-renames', ...NO_PROGRAMS, '-O/dev/null']

/** The times of the first and the last commit in the history of `head` that touched each file. */
export function readTimes(
  run: Run,
  head: string,
  files: readonly TreeFile[],
  kind: TreeKind,
): Promise<Map<string, PathTimes>> {
  const paths = new Set(files.map((file) => file.path))
  const literal = [...paths].map((path) => `:(top,literal)${path}`)
  // A path that is not UTF-8 has lost its bytes, so it cannot be passed back to git.
  const canName = literal.length <= MAX_LITERAL_PATHS && !literal.some((path) => path.includes('\ufffd'))
  const pathspecs = canName ? literal : kind.pathspecs
  const log = ['log', ...TOUCH_OPTIONS, `--format=${TIMES_FORMAT}`, '--end-of-options', head, '--']
  return parsePathTimes(run([...log, ...pathspecs]), (path) => paths.has(path))
}

export function readBlobs(run: Run, ids: readonly string[]): AsyncGenerator<FileBlob> {
  return parseBlobs(run(['cat-file', '--batch'], lines(ids)))
}

function lines(values: readonly string[]): string {
  return values.map((value) => `${value}\n`).join('')
}
