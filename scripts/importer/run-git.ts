/**
 * Starts git. The only file that does: arguments and environment come from
 * src/git/command.ts, output streams with the pipe's own back-pressure.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Run, GitError, gitEnvironment } from '../../src/git/command.ts'

/** Enough to recognise what went wrong. */
const MAX_STDERR_CHARS = 8_000

/** A `Run` in a folder; the signal ends every git it started. */
export function gitIn(folder: string, signal?: AbortSignal): Run {
  return (args, input) => streamGit(folder, args, input, signal)
}

async function* streamGit(
  folder: string,
  args: readonly string[],
  input: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted()
  const child = spawn('git', args, {
    cwd: folder,
    env: gitEnvironment(process.env),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const stop = (): void => void child.kill()
  signal?.addEventListener('abort', stop, { once: true })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < MAX_STDERR_CHARS) stderr += text
  })
  // Git may end before it has read all of its input; its exit status says what that means.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input ?? '')
  const spawned = once(child, 'spawn').then(
    () => true,
    () => false,
  )
  const ended = once(child, 'close').then(
    ([code]) => ({ code: (code as number | null) ?? undefined, missing: false }),
    (error: NodeJS.ErrnoException) => ({ code: undefined, missing: error.code === 'ENOENT' }),
  )
  try {
    const started = await Promise.race([spawned, ended.then(() => false)])
    if (started) yield* child.stdout as AsyncIterable<Uint8Array>
    const { code, missing } = await ended
    signal?.throwIfAborted()
    if (code !== 0) throw new GitError(commandOf(args), stderr, code, missing)
  } finally {
    signal?.removeEventListener('abort', stop)
    if (child.exitCode === null && child.signalCode === null) child.kill()
  }
}

/** The command's name among its settings. */
function commandOf(args: readonly string[]): string {
  return args.find((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-c') ?? ''
}
