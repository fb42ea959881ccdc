/**
 * The one row that says what holds for a user's store as a whole, and the way
 * every change goes: one transaction, whose effect is counted once it stands.
 */
import type { Result } from '../../base/result.ts'
import { createIndex } from './message-index.ts'
import { row, run, StoreDamage, type Database } from './message-database.ts'
import { migrate } from './message-schema.ts'
import { SIGNALS_VERSION } from './analyse-message.ts'

export interface Store {
  /** Random; cursors are bound to it. */
  readonly store_key: string
  readonly last_sequence: number
  readonly last_id: string
  readonly update_records: number
  readonly live_messages: number
  readonly dead_messages: number
  readonly content_bytes: number
  readonly metadata_bytes: number
  readonly dead_bytes: number
  readonly chunks: number
  readonly length: number
  readonly generation: number
  readonly signals_version: number
  readonly last_error: string
  readonly vectors_model: string
  readonly vectors_upto: number
  readonly vectors_failures: number
  readonly vectors_not_before: number
}

/** Brings a store to the newest schema, and begins one that is not there yet. */
export function openStore(database: Database): void {
  migrate(database)
  if (row(database, 'SELECT 1 FROM store') !== undefined) return
  database.transaction(() => {
    createIndex(database, 1)
    run(
      database,
      `INSERT INTO store (id, store_key, last_sequence, last_id, update_records, live_messages, dead_messages,
        content_bytes, metadata_bytes, dead_bytes, chunks, length, generation, signals_version, last_error)
      VALUES (1, ?, 0, '', 0, 0, 0, 0, 0, 0, 0, 0, 1, ?, '')`,
      crypto.randomUUID(),
      SIGNALS_VERSION,
    )
  })
}

export function readStore(database: Database): Store {
  const store = row<Store>(database, 'SELECT * FROM store')
  if (store === undefined) throw new StoreDamage('the store has lost its row')
  return store
}

/** Columns of the store row that are counted up and down. */
export type Counters = Partial<
  Record<
    | 'last_sequence'
    | 'update_records'
    | 'live_messages'
    | 'dead_messages'
    | 'content_bytes'
    | 'metadata_bytes'
    | 'dead_bytes'
    | 'chunks'
    | 'length',
    number
  >
>

/** Adds to the counters; what is not named stays. */
export function addToCounters(database: Database, runChange: Counters): void {
  const columns = Object.keys(runChange)
  if (columns.length === 0) return
  run(
    database,
    `UPDATE store SET ${columns.map((column) => `${column} = ${column} + ?`).join(', ')}`,
    ...Object.values(runChange),
  )
}

/** Keeps what a failure was, in words that may be shown; '' forgets it. */
export function putLastError(database: Database, diagnostic: string): void {
  run(database, 'UPDATE store SET last_error = ?', diagnostic)
}

/** What a change came to. */
export interface StoreChange<T> {
  readonly answer: Result<T>
  /** How many messages it touched and with how many bytes; absent when nothing changed. */
  readonly wrote?: { readonly calls: number; readonly bytes: number }
}

/** Runs a change as one transaction and counts it. A refusal inside must come before anything is written. */
export function change<T>(database: Database, work: () => StoreChange<T>): Result<T> {
  const { answer, wrote } = database.transaction(work)
  if (wrote !== undefined && wrote.calls > 0) database.io.recordWrite(wrote.calls, wrote.bytes)
  return answer
}
