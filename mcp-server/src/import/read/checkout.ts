/**
 * Opens a folder as a git checkout of any kind, or as a folder without history.
 * A folder that cannot be read is a refusal with the command that helps.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { sha256 } from '../../../../src/base/hash.ts'
import { ok, refuse, type Result } from '../../../../src/base/result.ts'
import { GitError, type Run } from '../../git/git-command.ts'
import { readBranch, readHead, readOriginAddress, readPlace, readTopFolder } from '../../git/git-reader.ts'
import { parseRemote, toLocalName, type Remote } from '../../git/remote.ts'
import { gitIn } from '../../git/run-git.ts'

export interface GitCheckout {
  readonly kind: 'git'
  readonly folder: string
  readonly run: Run
  /** The commit that is read; absent in a repository without commits. */
  readonly head?: string
  /** The branch (or commit) in web addresses of documents. */
  readonly ref: string
  readonly remote?: Remote
  /** `owner/name`, from the remote or the folder. */
  readonly name: string
  /** Commits whose parents a shallow clone lacks. */
  readonly boundary: ReadonlySet<string>
  /** Changes when a shallow clone is deepened; absent in a complete one. */
  readonly shallow?: string
}

interface PlainFolder {
  readonly kind: 'folder'
  readonly folder: string
  readonly name: string
  /** The reason why it is read as a folder, as a sentence. */
  readonly note: string
}

export type Checkout = GitCheckout | PlainFolder

export async function openCheckout(path: string, signal?: AbortSignal): Promise<Result<Checkout>> {
  const folder = resolve(path)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    return refuse({ code: 'NOT_FOUND', message: `${folder} is not a folder.` })
  }
  try {
    return ok(await openGit(folder, gitIn(folder, signal)))
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    return withoutGit(folder, error)
  }
}

async function openGit(folder: string, run: Run): Promise<GitCheckout> {
  const place = await readPlace(run)
  const [head, address] = await Promise.all([readHead(run), readOriginAddress(run)])
  const remote = address === undefined ? undefined : parseRemote(address)
  // Only web addresses on GitHub need a branch.
  const branch = remote?.github === true ? await readBranch(run) : undefined
  const boundary = place.shallow ? readBoundary(place.commonFolder) : []
  return {
    kind: 'git',
    folder,
    run,
    ref: branch ?? head ?? 'HEAD',
    name: remote?.name ?? toLocalName(await projectFolder(run, place.commonFolder)),
    boundary: new Set(boundary),
    ...(head === undefined ? {} : { head }),
    ...(remote === undefined ? {} : { remote }),
    ...(place.shallow ? { shallow: sha256(boundary.join()).slice(0, 12) } : {}),
  }
}

/** All worktrees of a repository are one project, named after the first one's folder. A submodule is named after its own. */
async function projectFolder(run: Run, commonFolder: string): Promise<string> {
  if (basename(commonFolder) === '.git') return basename(dirname(commonFolder))
  return basename((await readTopFolder(run)) ?? commonFolder).replace(/\.git$/, '')
}

function readBoundary(commonFolder: string): string[] {
  const file = join(commonFolder, 'shallow')
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .sort()
}

function withoutGit(folder: string, error: GitError): Result<Checkout> {
  const hasGit = existsSync(join(folder, '.git'))
  const plain = (note: string): Result<Checkout> =>
    ok({ kind: 'folder', folder, name: toLocalName(basename(folder)), note })
  if (error.notFound) {
    if (!hasGit) return plain('Git is not installed; the documents in the folder were read, without history.')
    return refuse({
      code: 'UNAVAILABLE',
      message: 'Git is not installed, or not on the PATH.',
      hint: 'Install it from https://git-scm.com/downloads and run this again.',
    })
  }
  if (/dubious ownership/.test(error.stderr)) {
    const line = /git config --global --add safe\.directory .*/.exec(error.stderr)?.[0]
    return refuse({
      code: 'UNAVAILABLE',
      message: `Git does not trust ${folder}, because another user owns it.`,
      hint: `If you do, run:\n  ${line?.trim() ?? `git config --global --add safe.directory '${folder}'`}`,
    })
  }
  if (/not a git repository/i.test(error.stderr) && !hasGit) {
    return plain('This folder has no git history; the documents in it were read, and no commits.')
  }
  return refuse({ code: 'UNAVAILABLE', message: `Git cannot read ${folder}: ${error.stderr.trim()}` })
}
