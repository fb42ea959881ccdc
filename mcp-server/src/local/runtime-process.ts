/**
 * The workerd process of an embedded Worker: reports its pid when it starts, and
 * ends one that its owner left behind. Ends a process only when its command line
 * says workerd, because the system reuses pids.
 */
import { spawnSync, type ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from './data-folder.ts'

const END_MS = 5_000
const LOOK_AGAIN_MS = 50

/** Reports the start and the end of each workerd that this process spawns, until the returned function is called. */
export function watchRuntimes(onPid: (pid: number) => void, onExit: (pid: number) => void): () => void {
  const listener = (message: unknown): void => {
    const { process: child } = message as { process: ChildProcess }
    // The message comes before the process has started.
    child.once('spawn', () => {
      const { pid } = child
      if (pid === undefined || !/workerd/.test(child.spawnfile)) return
      onPid(pid)
      child.once('exit', () => onExit(pid))
    })
  }
  subscribe('child_process', listener)
  return () => void unsubscribe('child_process', listener)
}

/** Ends the process if it is alive and is workerd. False when it is still there after 5 s. */
export async function endRuntime(pid: number): Promise<boolean> {
  if (!isAlive(pid) || !/workerd/.test(commandOf(pid))) return true
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended, or belongs to another user; the loop below finds out.
  }
  for (let waited = 0; waited < END_MS; waited += LOOK_AGAIN_MS) {
    if (!isAlive(pid) || commandOf(pid) === '') return true
    await sleep(LOOK_AGAIN_MS)
  }
  return false
}

/** The command line of a process; empty for one that has ended but is not collected yet. */
function commandOf(pid: number): string {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    } catch {
      return ''
    }
  }
  const [command, args] =
    process.platform === 'win32'
      ? (['tasklist', ['/FI', `PID eq ${pid}`, '/NH', '/FO', 'CSV']] as const)
      : (['ps', ['-p', String(pid), '-o', 'command=']] as const)
  return spawnSync(command, args, { encoding: 'utf8', timeout: 5_000 }).stdout ?? ''
}
