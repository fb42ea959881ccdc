/**
 * The marker: a counter of the transactions that removed something, wrote what a
 * webhook delivered, or queued a read. A reader takes the marker before it asks
 * its source; everything with a higher one happened when its answer may already have been made.
 */
import type { Index } from './index-database.ts'

/** SQL of the marker, within a transaction. */
export const MARKER = '(SELECT marker FROM ingestion)'

/** Read it before the first request of a step. */
export async function readMarker({ database }: Index): Promise<number> {
  return (await database.prepare(`SELECT ${MARKER} AS marker`).first<number>('marker')) ?? 0
}

/** Comes before the statements of a transaction that use MARKER. */
export function advanceMarkerStatement(database: D1Database): D1PreparedStatement {
  return database.prepare('UPDATE ingestion SET marker = marker + 1')
}
