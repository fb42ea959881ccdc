/**
 * Gives a data folder one owner, because two servers on one database would
 * contradict each other. The owner is named in lock.json (0600), which is written
 * under another name and then linked into place, so that it is never read half.
 *
 * An owner that died leaves its lock, and after a kill also its runtime; the
 * next owner ends that runtime first.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, constants, copyFileSync, linkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ok, refuse, type Result } from '../../../src/base/result.ts'
import { inspectLock, isAlive, lockPath, type LockReading, type WrittenLock } from './data-folder.ts'
import { makeFolder } from './make-folder.ts'
import { probe } from './probe-server.ts'
import { endRuntime } from './runtime-process.ts'

/** Every start has succeeded or failed within this time. */
const STARTING_MS = 60_000
const LOOK_AGAIN_MS = 200

export interface Ownership {
  /** The admin token of this server. */
  readonly secret: string
  /** Writes the runtime's pid into the lock, for the next owner in case this one is killed. */
  ranRuntime(pid: number): void
  /** Writes the endpoint into the lock. False when the folder has another owner meanwhile. */
  serves(endpoint: string): boolean
  /** Removes the lock if it is still this owner's. Safe to call twice and at exit. */
  release(): void
}

/**
 * Takes the folder, and makes it first where it is missing (0700). Refuses, with
 * the endpoint, while another server owns it; waits while another start is in
 * progress. `say` receives sentences about waiting and about a lock taken over.
 */
export async function claimFolder(folder: string, say: (sentence: string) => void): Promise<Result<Ownership>> {
  const lock: WrittenLock = { pid: process.pid, secret: randomBytes(32).toString('base64url') }
  let waited = false
  for (;;) {
    const made = prepare(folder)
    if (!made.ok) return made
    const placed = place(folder, lock)
    if (!placed.ok) return placed
    if (placed.value) return ok(ownership(folder, lock))
    const reading = inspectLock(folder)
    const free = await vacate(folder, reading)
    if (!free.ok) return free
    if (free.value !== undefined && remove(folder, reading)) say(free.value)
    if (free.value !== undefined || reading.state !== 'present') continue
    if (!waited) say(`Another server is starting on this folder (pid ${reading.lock.pid}); waiting for it.`)
    waited = true
    await sleep(LOOK_AGAIN_MS)
  }
}

function prepare(folder: string): Result<void> {
  try {
    makeFolder(folder)
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
    return ok(undefined)
  } catch (error) {
    return unusable(folder, error)
  }
}

/** Puts the lock in place. False when there is one. */
function place(folder: string, lock: WrittenLock): Result<boolean> {
  const own = ownPath(folder)
  try {
    writeWhole(own, lock)
    placeWhole(own, lockPath(folder))
    return ok(true)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return ok(false)
    return unusable(folder, error)
  } finally {
    rmSync(own, { force: true })
  }
}

/**
 * Decides whether the lock that was read may be removed. A sentence: yes, with
 * the reason. Undefined: read again, because the lock is gone or its owner is
 * starting. A refusal: its owner is alive.
 */
async function vacate(folder: string, reading: LockReading): Promise<Result<string | undefined>> {
  if (reading.state === 'absent') return ok(undefined)
  if (reading.state === 'unreadable') return unusable(folder, new Error(reading.problem))
  if (reading.state === 'corrupt') return ok('lock.json could not be read as a lock; taking the folder over.')
  const { pid, endpoint, runtime } = reading.lock
  // This process's own pid was reused, as happens in containers.
  if (pid === process.pid || !isAlive(pid)) {
    if (runtime !== undefined && !(await endRuntime(runtime))) {
      return refuse({
        code: 'CONFLICT',
        message: `The server that had ${folder} was killed and its runtime, process ${runtime}, does not end.`,
        hint: 'End that process and start again.',
      })
    }
    return ok(`The server that had this folder (pid ${pid}) is gone; taking the folder over.`)
  }
  if (endpoint === undefined) return judgeStart(folder, pid)
  const answer = await probe(endpoint)
  if (answer === 'closed' || answer === 'other') {
    return ok(`Process ${pid} is not the server that had this folder; taking the folder over.`)
  }
  const still = answer === 'silent' ? ', but it does not answer: end that process and start again' : ''
  return refuse({
    code: 'CONFLICT',
    message: `Already running at ${endpoint} (pid ${pid}, data in ${folder})${still}.`,
  })
}

function judgeStart(folder: string, pid: number): Result<string | undefined> {
  const written = statSync(lockPath(folder), { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
  const isOver = Date.now() - written > STARTING_MS
  return ok(isOver ? `The start that had this folder (pid ${pid}) never ended; taking the folder over.` : undefined)
}

/** Removes the lock that was read, and only that one: another lock that was placed meanwhile is put back. */
function remove(folder: string, reading: LockReading): boolean {
  const aside = join(folder, `.lock-${process.pid}-gone`)
  try {
    renameSync(lockPath(folder), aside)
  } catch {
    return false
  }
  const taken = inspectLock(folder, aside)
  const same = 'text' in taken && 'text' in reading && taken.text === reading.text
  if (!same) putBack(aside, lockPath(folder))
  rmSync(aside, { force: true })
  return same
}

function putBack(from: string, to: string): void {
  try {
    placeWhole(from, to)
  } catch {
    // A third start has placed its lock. The second one finds out when it writes its endpoint.
  }
}

/** Throws EEXIST when `to` exists. Some file systems have no links; a copy is nearly as safe. */
function placeWhole(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    copyFileSync(from, to, constants.COPYFILE_EXCL)
  }
}

function ownership(folder: string, first: WrittenLock): Ownership {
  let lock = first
  const isOurs = (): boolean => {
    const reading = inspectLock(folder)
    return reading.state === 'present' && reading.lock.secret === lock.secret
  }
  const update = (changes: Partial<WrittenLock>): boolean => {
    if (!isOurs()) return false
    lock = { ...lock, ...changes }
    writeWhole(ownPath(folder), lock)
    renameSync(ownPath(folder), lockPath(folder))
    return true
  }
  return {
    secret: first.secret,
    ranRuntime: (runtime) => void update({ runtime }),
    serves: (endpoint) => update({ endpoint }),
    release: () => {
      if (isOurs()) rmSync(lockPath(folder), { force: true })
    },
  }
}

function ownPath(folder: string): string {
  return join(folder, `.lock-${process.pid}`)
}

function writeWhole(path: string, lock: WrittenLock): void {
  writeFileSync(path, `${JSON.stringify(lock)}\n`, { mode: 0o600 })
  // The mode above applies to a new file only.
  chmodSync(path, 0o600)
}

function unusable(
  folder: string,
  error: unknown,
): { readonly ok: false; readonly failure: { code: 'IO_ERROR'; message: string; hint: string } } {
  const { code, message } = error as NodeJS.ErrnoException
  const reasons: Record<string, string> = {
    EACCES: 'no permission to use it',
    EPERM: 'no permission to use it',
    EROFS: 'it is on a read-only file system',
    ENOSPC: 'the disk is full',
    ENOTDIR: 'it is not a folder',
    EEXIST: 'it is not a folder',
    ENOENT: 'no folder can be made there',
  }
  return {
    ok: false,
    failure: {
      code: 'IO_ERROR',
      message: `The data folder ${folder} cannot be used: ${reasons[code ?? ''] ?? message}.`,
      hint: 'Choose another with --data DIR.',
    },
  }
}
