/**
 * The state of each surface as status and runs report it: what its own walk
 * recorded, unless the name of its repository leads nowhere at the moment.
 */
import type { SurfaceState } from '../../base/vocabulary.ts'
import type { SurfaceRead } from '../../index/ingestion/surface-reads.ts'

/** Of a configured repository: why it could not be found, if so. */
interface NameTrouble {
  readonly error?: string
  /** Absent: GitHub has no such repository for us. */
  readonly retryAtMs?: number
}

export interface ReportedState {
  readonly state: SurfaceState
  readonly error?: string
  readonly retryAtMs?: number
}

/** `read` is the row of the surface's poll, or of the lap that is being run. */
export function reportState(read: SurfaceRead | undefined, trouble: NameTrouble | undefined): ReportedState {
  if (trouble?.error !== undefined) {
    const { error, retryAtMs } = trouble
    return { state: retryAtMs === undefined ? 'unreadable' : 'waiting', error, ...(retryAtMs && { retryAtMs }) }
  }
  if (read === undefined) return { state: 'reading' }
  const { state, lastError: error, retryAtMs } = read
  return { state, ...(error !== undefined && { error }), ...(retryAtMs !== undefined && { retryAtMs }) }
}
