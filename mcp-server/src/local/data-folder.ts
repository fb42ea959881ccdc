/**
 * The data folder of this machine, and the lock file in it, which a running
 * server writes. Reads only: nothing here creates or changes a file or uses the
 * network. Ownership of the folder is decided in ownership.ts.
 */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'

/** The content of lock.json. It has no `endpoint` before the owner serves. */
export interface WrittenLock {
  /** The process that owns the folder. */
  readonly pid: number
  /** The URL of the server's /mcp. */
  readonly endpoint?: string
  /** The admin token, new at each start. */
  readonly secret: string
  /** Pid of the runtime that the owner started. It outlives an owner that is killed. */
  readonly runtime?: number
}

/** `text` is the file's content, so that a change between two reads can be detected. */
export type LockReading =
  | { readonly state: 'absent' }
  | { readonly state: 'corrupt'; readonly text: string }
  | { readonly state: 'unreadable'; readonly problem: string }
  | { readonly state: 'present'; readonly lock: WrittenLock; readonly text: string }

interface Machine {
  readonly platform: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * The absolute path that a person typed. npm runs a script in the package's
 * folder and keeps in INIT_CWD the folder it was called from; INIT_CWD counts
 * only for the script that npm itself runs.
 */
export function typedPath(path: string, script = process.argv[1] ?? '', env = process.env): string {
  const { INIT_CWD: calledFrom, npm_lifecycle_event: running } = env
  const isNpmScript = calledFrom !== undefined && running === basename(script, '.ts')
  return isNpmScript ? resolve(calledFrom, path) : resolve(path)
}

/** The folder `--data` names, else the platform's: absolute, not created. */
export function dataFolder(given?: string, machine: Machine = thisMachine()): string {
  if (given !== undefined && given !== '') return typedPath(given)
  const { platform, home, env } = machine
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'kotodama')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'kotodama')
  // The XDG specification says to ignore relative paths.
  const xdg = env['XDG_DATA_HOME']
  return join(xdg !== undefined && xdg.startsWith('/') ? xdg : join(home, '.local', 'share'), 'kotodama')
}

export function lockPath(folder: string): string {
  return join(folder, 'lock.json')
}

/** The state of lock.json. */
export function inspectLock(folder: string, path: string = lockPath(folder)): LockReading {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? { state: 'absent' } : { state: 'unreadable', problem: message }
  }
  const lock = parseLock(text)
  return lock ? { state: 'present', lock, text } : { state: 'corrupt', text }
}

/** True while any process has this pid, also one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function parseLock(text: string): WrittenLock | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { pid, runtime, endpoint, secret } = value as Record<string, unknown>
  if (!isPid(pid) || typeof secret !== 'string' || secret === '') return undefined
  if (runtime !== undefined && !isPid(runtime)) return undefined
  if (endpoint !== undefined && !(typeof endpoint === 'string' && URL.canParse(endpoint))) return undefined
  return { pid, secret, ...(runtime === undefined ? {} : { runtime }), ...(endpoint === undefined ? {} : { endpoint }) }
}

/** Zero and negative numbers would address whole process groups. */
function isPid(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

function thisMachine(): Machine {
  return { platform: process.platform, home: homedir(), env: process.env }
}
