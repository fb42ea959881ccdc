/**
 * Starts git; a check allows no other file to. Arguments and environment come
 * from git-command.ts. Git is looked for outside the repository. Output streams
 * with the back-pressure of the pipe, and a process without output for too long
 * is ended. Of the user's configuration only `safe.directory` and `insteadOf`
 * have an effect.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { readAll } from './bytes.ts'
import type { Environment, Run } from './git-command.ts'
import { GitError, gitArguments, gitEnvironment, userEnvironment } from './git-command.ts'
import { MAX_IDLE_MS, MAX_SHORT_QUERY_MS, MAX_STDERR_CHARS } from './limits.ts'
import { HISTORY_QUERY, toHistoryEnvironment } from './settings/history-folder.ts'
import { keepConfiguration, toConfiguration, USER_SETTINGS } from './user-settings.ts'

/**
 * The folder in which git is started; `-C` names the one that it reads. The
 * system looks for a program by relative entries of PATH, and Windows by its name
 * alone, from this folder on: in a repository it could find one called git.
 */
const START_FOLDER = dirname(process.execPath)

/** Commands that make patches. */
const COMPARISONS = new Set(['diff', 'diff-tree'])

interface TimeLimits {
  /** Longest wait for the next byte. The time that the reader takes does not count. */
  readonly idleMs?: number
  /** Longest run of one process. */
  readonly totalMs?: number
}

/** A `Run` in a folder. The signal ends every git that it started. */
export function gitIn(path: string, signal?: AbortSignal, limits: TimeLimits = {}): Run {
  // Git is started elsewhere, where a relative path would name another folder.
  const folder = resolve(path)
  let start: Promise<Start> | undefined
  let history: Promise<Environment> | undefined
  return async function* (command, input) {
    // Read once, so that all commands of an import see the same settings.
    start ??= prepare(folder, signal)
    const { options, env } = await start
    const call = (args: readonly string[], variables: Environment): AsyncGenerator<Uint8Array> =>
      streamGit({ args: [...options, ...gitArguments(...args)], env: variables, folder, input, signal, limits })
    const isComparison = COMPARISONS.has(command[0] ?? '')
    if (isComparison) history ??= readAll(call(HISTORY_QUERY, env)).then(toHistoryEnvironment)
    yield* call(command, isComparison ? { ...env, ...(await history) } : env)
  }
}

interface Start {
  readonly options: readonly string[]
  readonly env: Environment
}

/**
 * A bare repository is read only when the folder itself is one: any other one on
 * the way up may be content of a repository. `--git-dir` would skip git's check
 * of who owns it.
 */
async function prepare(folder: string, signal: AbortSignal | undefined): Promise<Start> {
  const env = gitEnvironment(process.env, keepConfiguration(await readUserSettings(signal)))
  if (!isGitFolder(folder)) return { options: ['-c', 'safe.bareRepository=explicit'], env }
  const ceilings = [dirname(realpathSync(folder)), env['GIT_CEILING_DIRECTORIES'] ?? '']
  return {
    options: ['-c', 'safe.bareRepository=all'],
    env: { ...env, GIT_CEILING_DIRECTORIES: ceilings.filter((path) => path !== '').join(delimiter) },
  }
}

/** By git's own rule: a bare repository, or the `.git` of a checkout. */
function isGitFolder(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)))
}

async function readUserSettings(signal: AbortSignal | undefined): Promise<string> {
  const command = ['config', '--null', '--includes', '--get-regexp', USER_SETTINGS]
  const query = {
    args: gitArguments(...command),
    env: userEnvironment(process.env),
    folder: homedir(),
    input: undefined,
    signal,
    limits: { totalMs: MAX_SHORT_QUERY_MS },
  }
  try {
    return toConfiguration(await readAll(streamGit(query)))
  } catch (error) {
    // There is no such setting, or git cannot run at all; the caller's command then reports that.
    if (error instanceof GitError) return ''
    throw error
  }
}

interface GitProcess {
  readonly args: readonly string[]
  readonly env: Environment
  readonly folder: string
  readonly input: string | undefined
  readonly signal: AbortSignal | undefined
  readonly limits: TimeLimits
}

async function* streamGit({ args, env, folder, input, signal, limits }: GitProcess): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted()
  const child = spawn('git', ['-C', folder, ...args], {
    cwd: START_FOLDER,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < MAX_STDERR_CHARS) stderr += text
  })
  // Git may end before it has read all of its input; its exit status shows whether that is a failure.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input ?? '')
  child.stdout.on('error', () => undefined)

  const command = commandOf(args)
  const watch = watchProcess(child, command, signal, limits)
  const spawned = once(child, 'spawn').then(
    () => true,
    () => false,
  )
  const ended = once(child, 'close').then(
    ([code]) => ({ code: (code as number | null) ?? undefined, missing: false }),
    (error: NodeJS.ErrnoException) => ({ code: undefined, missing: error.code === 'ENOENT' }),
  )
  try {
    if (await Promise.race([spawned, ended.then(() => false)])) {
      const chunks = (child.stdout as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
      for (
        let next = await watch.waitFor(chunks.next());
        next.done !== true;
        next = await watch.waitFor(chunks.next())
      ) {
        yield next.value
      }
    }
    const { code, missing } = await watch.waitFor(ended)
    watch.throwIfStopped()
    if (code !== 0) throw new GitError(command, stderr, code, missing)
  } finally {
    watch.release()
  }
}

interface ProcessWatch {
  /** Waits for the next output or the end, for the idle time at most. Throws the reason when the process is stopped meanwhile. */
  waitFor<T>(answer: Promise<T>): Promise<T>
  throwIfStopped(): void
  /** Ends the watch, and the process if it still runs. */
  release(): void
}

/** Stops the process at the signal, and when one of the limits is over. */
function watchProcess(
  child: ChildProcessWithoutNullStreams,
  command: string,
  signal: AbortSignal | undefined,
  { idleMs = MAX_IDLE_MS, totalMs }: TimeLimits,
): ProcessWatch {
  let stopped: { readonly reason: unknown } | undefined
  const stop = (reason: unknown): void => {
    stopped ??= { reason }
    endProcess(child)
  }
  const tooSlow = (message: string) => (): void => stop(new GitError(command, message, undefined))
  const abort = (): void => stop(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const total = totalMs === undefined ? undefined : setTimeout(tooSlow(`took more than ${totalMs / 1000} s`), totalMs)
  return {
    async waitFor(answer) {
      const idle = setTimeout(tooSlow(`gave no output for ${idleMs / 1000} s`), idleMs)
      try {
        return await answer
      } catch (error) {
        throw stopped === undefined ? error : stopped.reason
      } finally {
        clearTimeout(idle)
      }
    },
    throwIfStopped() {
      if (stopped !== undefined) throw stopped.reason
    },
    release() {
      signal?.removeEventListener('abort', abort)
      clearTimeout(total)
      if (child.exitCode === null && child.signalCode === null) endProcess(child)
    },
  }
}

/** The pipes are closed too, because a process that git started may keep them open. Reading leaves no lock behind. */
function endProcess(child: ChildProcessWithoutNullStreams): void {
  child.kill('SIGKILL')
  child.stdin.destroy()
  child.stdout.destroy()
  child.stderr.destroy()
}

/** The command's name among its settings. */
function commandOf(args: readonly string[]): string {
  return args.find((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-c') ?? ''
}
