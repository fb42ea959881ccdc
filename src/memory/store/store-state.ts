/**
 * The single row of counters and state of a user's store, and the transaction in
 * which every change runs.
 */
import type { Result } from '../../base/result.ts'
import { createIndex } from './message-index.ts'
import { row, run, StoreDamage, type Database } from './message-database.ts'
import { migrate } from './message-schema.ts'
import { SIGNALS_VERSION } from './analyse-message.ts'

export interface Store {
  /** Random; part of the digest of cursors. */
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

const NO_ROW = 'the row of the store is missing'

/** Creates the store, or upgrades it to the newest schema. Throws StoreDamage for an unknown version, and without its row. */
export function openStore(database: Database): void {
  migrate(database)
  if (row(database, 'SELECT 1 FROM store') !== undefined) return
  if (row(database, `SELECT 1 FROM sqlite_master WHERE name = 'words_1'`) !== undefined) throw new StoreDamage(NO_ROW)
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
  if (store === undefined) throw new StoreDamage(NO_ROW)
  return store
}

/** Amounts to add to counters of the store row. */
type Counters = Partial<
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

/** Adds to the given counters; the others stay. */
export function addToCounters(database: Database, amounts: Counters): void {
  const columns = Object.keys(amounts)
  if (columns.length === 0) return
  run(
    database,
    `UPDATE store SET ${columns.map((column) => `${column} = ${column} + ?`).join(', ')}`,
    ...Object.values(amounts),
  )
}

/** Stores the message of the last failure, which get_system_health shows. */
export function putLastError(database: Database, diagnostic: string): void {
  run(database, 'UPDATE store SET last_error = ?', diagnostic)
}

/** The outcome of a change. */
export interface StoreChange<T> {
  readonly answer: Result<T>
  /** Number of changed messages and UTF-8 bytes written; absent when nothing changed. */
  readonly wrote?: { readonly calls: number; readonly bytes: number }
}

/** Runs a change in one transaction and counts it. A refusal commits too, so the work must refuse before its first write. */
export function runChange<T>(database: Database, work: () => StoreChange<T>): Result<T> {
  const { answer, wrote } = database.transaction(work)
  if (wrote !== undefined && wrote.calls > 0) database.io.recordWrite(wrote.calls, wrote.bytes)
  return answer
}
