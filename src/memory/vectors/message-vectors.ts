/**
 * Vectors of messages: the exact one of each chunk in a row, and its sketch.
 * They come and go together, and only inside a transaction that somebody else
 * began. A message that is changed or deleted takes its vectors with it.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import { toSteps } from '../../vectors/int16-vector.ts'
import { row, run, type Database } from '../store/message-database.ts'
import type { Store } from '../store/store-state.ts'
import { addSketches, dropSketches, listOrphans, RECORD_BYTES, sketchBytes } from './packed-sketches.ts'

/** A stretch of a message's content, in UTF-16 units, and the vector of what it says. */
export interface VectorChunk {
  readonly start: number
  readonly chars: number
  /** Of unit length. */
  readonly vector: Float32Array
}

export interface MessageVectors {
  readonly sequence: number
  readonly session: number
  readonly chunks: readonly VectorChunk[]
}

/** Whether the store holds anything of vectors, in use or not: without, nothing here needs to be called. */
export function hasVectors({ vectors_model }: Store): boolean {
  return vectors_model !== ''
}

/** Puts the vectors of live messages in place of any that are there. */
export function putVectors(database: Database, messages: readonly MessageVectors[]): void {
  dropVectors(
    database,
    messages.map(({ sequence }) => sequence),
  )
  const numbered = messages.flatMap(({ sequence, session, chunks }) =>
    chunks.map((chunk, at) => ({ ...chunk, session, chunk: sequence * CHUNKS_PER_DOCUMENT + at })),
  )
  for (const { chunk, start, chars, vector } of numbered) {
    run(database, 'INSERT INTO vectors VALUES (?, ?, ?, ?)', chunk, start, chars, toSteps(vector))
  }
  addSketches(database, numbered)
}

/** Drops the vectors of these messages and what they owe. */
export function dropVectors(database: Database, sequences: readonly number[]): void {
  for (const sequence of sequences) {
    const first = sequence * CHUNKS_PER_DOCUMENT
    run(database, 'DELETE FROM vectors WHERE chunk BETWEEN ? AND ?', first, first + CHUNKS_PER_DOCUMENT - 1)
    run(database, 'DELETE FROM pending_vectors WHERE sequence = ?', sequence)
  }
  dropSketches(database, sequences)
}

/** A message says something else now: its vectors are of no use, and new ones are owed. */
export function invalidateVectors(database: Database, { vectors_upto }: Store, sequence: number): void {
  dropVectors(database, [sequence])
  // A message behind the mark owes anyway.
  if (sequence <= vectors_upto) markVectorsPending(database, sequence)
}

/** Lists a message that the mark has passed as owing, to be settled at once. */
export function markVectorsPending(database: Database, sequence: number): void {
  run(database, 'INSERT OR REPLACE INTO pending_vectors VALUES (?, 0, 0)', sequence)
}

/** Drops what is of no live message. */
export function pruneVectors(database: Database): void {
  dropVectors(database, listOrphans(database))
  run(
    database,
    `DELETE FROM pending_vectors WHERE NOT EXISTS (
      SELECT 1 FROM messages m WHERE m.sequence = pending_vectors.sequence AND m.deleted = 0)`,
  )
}

/** Bytes of vectors and sketches. */
export function vectorBytes(database: Database): number {
  const bytes = sketchBytes(database)
  const each = row<{ bytes: number }>(database, 'SELECT length(vector) AS bytes FROM vectors LIMIT 1')?.bytes ?? 0
  return bytes + (bytes / RECORD_BYTES) * each
}
