/**
 * Where this machine keeps the index and the key to it: the platform's folder
 * for a user's data, and `lock.json` in it, which a running server writes. Shared
 * by every script. Nothing here creates or changes anything.
 */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** What a running server says about itself. `secret` is the admin token. */
export interface Lock {
  readonly pid: number
  readonly endpoint: string
  readonly secret: string
}

export interface Machine {
  readonly platform: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The folder `--data` names, else the platform's: absolute, not created. */
export function dataFolder(given?: string, machine: Machine = thisMachine()): string {
  if (given !== undefined && given !== '') return resolve(given)
  const { platform, home, env } = machine
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'kotodama')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'kotodama')
  // The XDG specification has relative paths ignored.
  const xdg = env['XDG_DATA_HOME']
  return join(xdg !== undefined && xdg.startsWith('/') ? xdg : join(home, '.local', 'share'), 'kotodama')
}

/** The lock in a data folder; undefined when there is none or it cannot be read as one. */
export function readLock(folder: string): Lock | undefined {
  let lock: unknown
  try {
    lock = JSON.parse(readFileSync(join(folder, 'lock.json'), 'utf8'))
  } catch {
    return undefined
  }
  if (typeof lock !== 'object' || lock === null) return undefined
  const { pid, endpoint, secret } = lock as Record<string, unknown>
  if (typeof pid !== 'number' || typeof endpoint !== 'string' || typeof secret !== 'string') return undefined
  return { pid, endpoint, secret }
}

function thisMachine(): Machine {
  return { platform: process.platform, home: homedir(), env: process.env }
}
