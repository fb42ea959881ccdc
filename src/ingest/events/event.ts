/**
 * The changes that a delivery of a webhook brings. Readers are pure: they know the
 * payload alone. A payload without the thing that its event is about changes nothing.
 */
import type { DocumentChange, RepositoryName } from '../../documents/document.ts'
import type { PendingRead } from '../surfaces/surface.ts'

export interface EventReading {
  readonly changes: readonly DocumentChange[]
  /** The rest, to be read from GitHub. */
  readonly pending: readonly PendingRead[]
}

export type EventPayload = Readonly<Record<string, unknown>>

/** `repository` is the one that the delivery is about, by its id. */
export type EventReader = (payload: EventPayload, repository: RepositoryName) => EventReading

export const NO_CHANGE: EventReading = { changes: [], pending: [] }

/** Both readings, in this order. */
export function joinReadings(first: EventReading, second: EventReading): EventReading {
  return { changes: [...first.changes, ...second.changes], pending: [...first.pending, ...second.pending] }
}
