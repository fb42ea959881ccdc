/**
 * Rebuilds the search index of a store beside the one in use, removes tombstones,
 * and switches to the new index in one transaction: in one step, or in slices
 * between which other calls get an answer. A rebuild that fails changes nothing.
 */
import { hasDrifted } from '../../fts/average-drift.ts'
import { row, rows, run, StoreDamage, type Database } from '../store/message-database.ts'
import { createIndex, indexTables, dropOtherIndexes, insertedChunks, indexMessage } from '../store/message-index.ts'
import {
  MIN_COMPACT_BYTES,
  MIN_COMPACT_SHARE,
  MIN_DRIFT_CHUNKS,
  IDEMPOTENCY_MS,
  MAX_ONE_STEP_BYTES,
  MAX_ONE_STEP_MESSAGES,
  MAX_SLICE_BYTES,
  MAX_SLICE_MESSAGES,
} from '../limits.ts'
import { MESSAGE_COLUMNS, type MessageRow } from '../store/message-row.ts'
import { toIndexed } from '../changes/put-message.ts'
import { readStore, type Store } from '../store/store-state.ts'
import { SIGNALS_VERSION } from '../store/analyse-message.ts'
import { hasVectors, pruneVectors } from '../vectors/message-vectors.ts'

export interface RebuildSummary {
  readonly messages_indexed: number
  /** Removed tombstones, plus updates since the last rebuild. */
  readonly records_removed: number
  readonly bytes_before: number
  readonly bytes_after: number
}

/** Whether a store is small enough to be rebuilt in one step. */
export function isOneStep({ live_messages, content_bytes }: Store): boolean {
  return live_messages <= MAX_ONE_STEP_MESSAGES && content_bytes <= MAX_ONE_STEP_BYTES
}

/**
 * Whether the alarm should rebuild the store: deleted messages take up too much
 * of it, another version of the analysis made its index, or the index was
 * rewritten so often that the statistics of FTS5 have drifted.
 */
export function needsRebuild(database: Database): boolean {
  const { dead_bytes, signals_version, generation, chunks } = readStore(database)
  if (signals_version !== SIGNALS_VERSION) return true
  if (dead_bytes > MIN_COMPACT_BYTES && dead_bytes > database.sql.databaseSize * MIN_COMPACT_SHARE) return true
  const inserted = insertedChunks(database, generation)
  return inserted > MIN_DRIFT_CHUNKS && hasDrifted({ inserted, live: chunks })
}

/** A rebuild in progress. No other change of the store is allowed until it ends or is dropped. */
export class Rebuild {
  readonly #database: Database
  readonly #before: Store
  readonly #bytesBefore: number
  readonly #generation: number
  #done = { after: 0, messages: 0, chunks: 0, length: 0, contentBytes: 0, metadataBytes: 0 }

  /** Creates the tables of the next generation. Throws StoreDamage when the messages themselves are damaged. */
  constructor(database: Database) {
    checkMessages(database)
    this.#database = database
    this.#bytesBefore = database.sql.databaseSize
    this.#before = readStore(database)
    this.#generation = this.#before.generation + 1
    dropOtherIndexes(database, this.#before.generation)
    createIndex(database, this.#generation)
  }

  /** Rebuilds the whole store in one transaction. */
  static inOneStep(database: Database): RebuildSummary {
    const finished = database.transaction(() => {
      const rebuild = new Rebuild(database)
      while (!rebuild.#fill());
      rebuild.#swap()
      return rebuild
    })
    return finished.#summary()
  }

  /** Rebuilds the next slice; the last one switches to the new index. Returns undefined while slices are left. */
  step(): RebuildSummary | undefined {
    const isFilled = this.#database.transaction(() => this.#fill())
    if (!isFilled) return undefined
    this.#database.transaction(() => this.#swap())
    return this.#summary()
  }

  /** Cancels the rebuild: the store stays as it was. */
  drop(): void {
    dropOtherIndexes(this.#database, this.#before.generation)
  }

  /** Indexes the messages of the next slice; true when it was the last. */
  #fill(): boolean {
    const next = rows<{ sequence: number; content_bytes: number }>(
      this.#database,
      'SELECT sequence, content_bytes FROM messages WHERE deleted = 0 AND sequence > ? ORDER BY sequence LIMIT ?',
      this.#done.after,
      MAX_SLICE_MESSAGES,
    )
    let bytes = 0
    for (const { sequence, content_bytes } of next) {
      this.#put(sequence)
      bytes += content_bytes
      if (bytes > MAX_SLICE_BYTES) return false
    }
    return next.length < MAX_SLICE_MESSAGES
  }

  #put(sequence: number): void {
    const message = row<MessageRow>(
      this.#database,
      `SELECT ${MESSAGE_COLUMNS} FROM messages m JOIN sessions s USING (session) WHERE m.sequence = ?`,
      sequence,
    )
    if (message === undefined) throw new StoreDamage('a message has no session')
    const { chunks, length } = indexMessage(this.#database, this.#generation, toIndexed(message))
    const done = this.#done
    done.after = sequence
    done.messages += 1
    done.chunks += chunks
    done.length += length
    done.contentBytes += message.content_bytes
    done.metadataBytes += message.metadata_bytes
  }

  #swap(): void {
    const database = this.#database
    const { messages, chunks, length, contentBytes, metadataBytes } = this.#done
    const { words } = indexTables(this.#generation)
    run(database, `INSERT INTO ${words} (${words}) VALUES ('integrity-check')`)
    run(database, 'DELETE FROM messages WHERE deleted = 1')
    run(database, 'DELETE FROM sessions WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.session = sessions.session)')
    run(
      database,
      `UPDATE sessions SET started_at =
        (SELECT min(timestamp) FROM messages m WHERE m.session = sessions.session AND m.deleted = 0)`,
    )
    if (hasVectors(this.#before)) pruneVectors(database)
    run(database, 'DELETE FROM idempotency WHERE written_at <= ?', database.now() - IDEMPOTENCY_MS)
    run(database, 'DELETE FROM relations')
    run(
      database,
      `INSERT INTO relations SELECT m.sequence, r.key, r.value ->> 'type', r.value ->> 'message_id'
      FROM messages m, json_each(m.relations) r`,
    )
    run(
      database,
      `UPDATE store SET update_records = 0, live_messages = ?, dead_messages = 0, content_bytes = ?, metadata_bytes = ?,
        dead_bytes = 0, chunks = ?, length = ?, generation = ?, signals_version = ?, last_error = ''`,
      messages,
      contentBytes,
      metadataBytes,
      chunks,
      length,
      this.#generation,
      SIGNALS_VERSION,
    )
    dropOtherIndexes(database, this.#generation)
  }

  #summary(): RebuildSummary {
    const { dead_messages, update_records } = this.#before
    this.#database.io.recordRebuild()
    return {
      messages_indexed: this.#done.messages,
      records_removed: dead_messages + update_records,
      bytes_before: this.#bytesBefore,
      bytes_after: this.#database.sql.databaseSize,
    }
  }
}

/** Checks the tables that cannot be derived from others. */
function checkMessages(database: Database): void {
  for (const table of ['messages', 'sessions']) {
    const [first] = rows<{ quick_check: string }>(database, `PRAGMA quick_check(${table})`)
    if (first?.quick_check !== 'ok') throw new StoreDamage(`SQLite reports damage in the table ${table}`)
  }
}
