/** The request and the summary of a run, for polls and laps alike. */
import type { Surface, SurfaceState } from '../../base/vocabulary.ts'

export interface WalkRequest {
  /** A configured repository, `owner/name`; absent: all. */
  readonly repository?: string
  /** Absent: all nine. */
  readonly surface?: Surface
  /** Requests that the run may make. */
  readonly requests?: number
  /** Begin a new round although the last one is not complete. */
  readonly restart?: boolean
  /** Ask although GitHub said to wait. */
  readonly force?: boolean
  /** Compare and count only: nothing is written, and the walk begins at its beginning. */
  readonly dryRun?: boolean
  /**
   * The clock leaves a failed surface alone until its time, and begins a lap once a
   * day; an operator's call never waits for that.
   */
  readonly isClock?: boolean
}

export interface SurfaceReport {
  readonly repository: string
  readonly surface: Surface
  readonly state: SurfaceState
  readonly error?: string
}

export interface WalkCounts {
  readonly written: number
  readonly unchanged: number
  readonly stale: number
  readonly removed: number
  /** Reads that were queued. */
  readonly pending: number
  /** Rows that a lap compared. */
  readonly checked: number
}

export interface WalkSummary extends WalkCounts {
  /** Every surface of the request was read to its end in this round. */
  readonly done: boolean
  readonly requests: number
  /** All that is left waits for so long. */
  readonly retryAfterMs?: number
  readonly surfaces: readonly SurfaceReport[]
}

export const NO_COUNTS: WalkCounts = { written: 0, unchanged: 0, stale: 0, removed: 0, pending: 0, checked: 0 }

export function addCounts(one: WalkCounts, other: Partial<WalkCounts>): WalkCounts {
  return {
    written: one.written + (other.written ?? 0),
    unchanged: one.unchanged + (other.unchanged ?? 0),
    stale: one.stale + (other.stale ?? 0),
    removed: one.removed + (other.removed ?? 0),
    pending: one.pending + (other.pending ?? 0),
    checked: one.checked + (other.checked ?? 0),
  }
}
