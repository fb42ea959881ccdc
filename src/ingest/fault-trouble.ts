/** How a fault of GitHub's is recorded: its state, its reason, and when to try again. */
import type { SurfaceState } from '../base/vocabulary.ts'
import type { GitHubFault } from '../github/github.ts'
import { FIRST_BACKOFF_MS, MAX_READ_BACKOFF_MS } from './limits.ts'

export interface Trouble {
  readonly state: SurfaceState
  readonly error: string
  readonly retryAtMs: number
}

/** `attempts` are the failures in a row before this one. */
export function toTrouble(fault: Exclude<GitHubFault, { kind: 'spent' }>, attempts: number, nowMs: number): Trouble {
  const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(attempts, 20), MAX_READ_BACKOFF_MS)
  switch (fault.kind) {
    case 'waiting':
      return { state: 'waiting', error: fault.reason, retryAtMs: fault.untilMs }
    case 'fault':
      return { state: 'waiting', error: fault.reason, retryAtMs: nowMs + backoffMs }
    case 'refused':
      // A bad credential is one fault of many surfaces; a permission that is missing is this surface's own.
      return {
        state: fault.status === 403 || fault.status === 404 ? 'unreadable' : 'waiting',
        error: fault.reason,
        retryAtMs: nowMs + backoffMs,
      }
    default:
      throw new Error(`no such fault: ${JSON.stringify(fault satisfies never)}`)
  }
}
