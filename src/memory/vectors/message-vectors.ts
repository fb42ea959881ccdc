/**
 * Stores and deletes the vectors of messages: an int16 vector and a sketch for
 * each chunk, always together. The caller must run these functions inside a
 * transaction. Changing or deleting a message deletes its vectors.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import { toInt16Vector } from '../../vectors/int16-vector.ts'
import { row, run, type Database } from '../store/message-database.ts'
import type { Store } from '../store/store-state.ts'
import { addSketches, dropSketches, listOrphans, RECORD_BYTES, sketchBytes } from './packed-sketches.ts'

/** A range of a message's content, in UTF-16 units, and its vector. */
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

/** Whether the store has a model. Without one there are no vectors, and no other function needs to be called. */
export function hasVectors({ vectors_model }: Store): boolean {
  return vectors_model !== ''
}

/** Replaces the vectors of live messages. */
export function putVectors(database: Database, messages: readonly MessageVectors[]): void {
  dropVectors(
    database,
    messages.map(({ sequence }) => sequence),
  )
  const numbered = messages.flatMap(({ sequence, session, chunks }) =>
    chunks.map((chunk, at) => ({ ...chunk, session, chunk: sequence * CHUNKS_PER_DOCUMENT + at })),
  )
  for (const { chunk, start, chars, vector } of numbered) {
    run(database, 'INSERT INTO vectors VALUES (?, ?, ?, ?)', chunk, start, chars, toInt16Vector(vector))
  }
  addSketches(database, numbered)
}

/** Deletes the vectors of messages; their vectors are no longer pending. */
export function dropVectors(database: Database, sequences: readonly number[]): void {
  for (const sequence of sequences) {
    const first = sequence * CHUNKS_PER_DOCUMENT
    run(database, 'DELETE FROM vectors WHERE chunk BETWEEN ? AND ?', first, first + CHUNKS_PER_DOCUMENT - 1)
    run(database, 'DELETE FROM pending_vectors WHERE sequence = ?', sequence)
  }
  dropSketches(database, sequences)
}

/** Deletes the vectors of a message whose content changed and marks new ones as pending. */
export function invalidateVectors(database: Database, { vectors_upto }: Store, sequence: number): void {
  dropVectors(database, [sequence])
  // A message after vectors_upto is pending without being listed.
  if (sequence <= vectors_upto) markVectorsPending(database, sequence)
}

/** Lists a message up to vectors_upto as pending, due now. */
export function markVectorsPending(database: Database, sequence: number): void {
  run(database, 'INSERT OR REPLACE INTO pending_vectors VALUES (?, 0, 0)', sequence)
}

/** Deletes vectors and pending entries without a live message. */
export function pruneVectors(database: Database): void {
  dropVectors(database, listOrphans(database))
  run(
    database,
    `DELETE FROM pending_vectors WHERE NOT EXISTS (
      SELECT 1 FROM messages m WHERE m.sequence = pending_vectors.sequence AND m.deleted = 0)`,
  )
}

/** Bytes of all vectors and sketches; all vectors have the same length. */
export function vectorBytes(database: Database): number {
  const bytes = sketchBytes(database)
  const each = row<{ bytes: number }>(database, 'SELECT length(vector) AS bytes FROM vectors LIMIT 1')?.bytes ?? 0
  return bytes + (bytes / RECORD_BYTES) * each
}
