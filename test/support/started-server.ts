/**
 * The real `npm start` as a separate process: what it prints and how it ends.
 * `endAll` ends every server started here.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspectLock } from '../../mcp-server/src/local/data-folder.ts'

const PATIENCE_MS = 60_000
const LOOK_AGAIN_MS = 25

export interface StartedServer {
  readonly process: ChildProcess
  readonly folder: string
  readonly out: () => string
  readonly err: () => string
  /** Waits until the output contains the text. Rejects with the whole output when it does not in time. */
  says(text: string | RegExp): Promise<void>
  /** Waits until it serves, and returns its lock. */
  serves(): Promise<Lock>
  /** Ctrl-C as a terminal sends it: to the server and to the processes that it started. */
  interrupt(): void
  /** Waits for the end, and returns the exit code or the signal. */
  ends(): Promise<number | string | null>
}

/** The lock of a server that serves. */
export interface Lock {
  readonly pid: number
  readonly endpoint: string
  readonly secret: string
}

/** Undefined when no server serves on the folder. */
export function readLock(folder: string): Lock | undefined {
  const reading = inspectLock(folder)
  if (reading.state !== 'present') return undefined
  const { pid, endpoint, secret } = reading.lock
  return endpoint === undefined ? undefined : { pid, endpoint, secret }
}

const running = new Set<ChildProcess>()

export function startServer(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): StartedServer {
  const child = spawn(process.execPath, ['mcp-server/src/cli/start.ts', '--data', folder, '--port', '0', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, which a test can signal as a terminal does.
    detached: process.platform !== 'win32',
  })
  running.add(child)
  const written = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.err += text))
  let end: number | string | null | undefined
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('close', (code, signal) => {
      end = code ?? signal
      running.delete(child)
      resolve(end)
    })
  })
  const until = async (what: string, done: () => boolean): Promise<void> => {
    for (let waited = 0; !done(); waited += LOOK_AGAIN_MS) {
      const over =
        waited > PATIENCE_MS ? 'in time' : end !== undefined && !done() ? `before its end (${end})` : undefined
      if (over !== undefined) throw new Error(`not ${over}: ${what}\n${written.out}\n${written.err}`)
      await sleep(LOOK_AGAIN_MS)
    }
  }
  const says = (text: string | RegExp): Promise<void> =>
    until(String(text), () => {
      const all = `${written.out}\n${written.err}`
      return typeof text === 'string' ? all.includes(text) : text.test(all)
    })
  return {
    process: child,
    folder,
    out: () => written.out,
    err: () => written.err,
    says,
    serves: async () => {
      await says('Kotodama serves at')
      const lock = readLock(folder)
      if (lock === undefined) throw new Error(`it serves without a lock\n${written.err}`)
      return lock
    },
    interrupt: () => void process.kill(process.platform === 'win32' ? (child.pid ?? 0) : -(child.pid ?? 0), 'SIGINT'),
    ends: () => within(PATIENCE_MS, ended),
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = sleep(ms, undefined, { ref: false }).then(() => Promise.reject(new Error('it did not end')))
  return Promise.race([work, late])
}

/** Ends the running servers in order, so that no runtime is left behind. */
export async function endAll(): Promise<void> {
  for (const child of running) child.kill('SIGTERM')
  for (let waited = 0; running.size > 0 && waited < PATIENCE_MS; waited += LOOK_AGAIN_MS) await sleep(LOOK_AGAIN_MS)
  for (const child of running) child.kill('SIGKILL')
}
