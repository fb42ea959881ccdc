/**
 * Reports the state of a store: counts, bytes by purpose, and whether the search
 * index agrees with the messages. It repairs nothing.
 */
import type { GetSystemHealthAnswer } from '../../contracts/tools/get-system-health.ts'
import { row, type Database } from '../store/message-database.ts'
import { indexTables } from '../store/message-index.ts'
import { readStore, type Store } from '../store/store-state.ts'
import { SIGNALS_VERSION } from '../store/analyse-message.ts'
import { hasVectors, vectorBytes } from '../vectors/message-vectors.ts'

/** Version of the format of messages and answers. SCHEMA_VERSION is the version of the tables. */
const FORMAT_VERSION = 2

/** Estimated bytes of a row beside its texts: integers, key, b-tree and its share of indexes. */
const MESSAGE_ROW_BYTES = 150
const HISTORY_ROW_BYTES = 40
const RELATION_ROW_BYTES = 90

export function readHealth(database: Database): GetSystemHealthAnswer {
  const store = readStore(database)
  const found = inspect(database, store)
  const lastError = store.last_error || found.diagnostic
  const all = store.live_messages + store.dead_messages
  const bytes = {
    store_entries_bytes: all * MESSAGE_ROW_BYTES,
    body_bytes: store.content_bytes + store.dead_bytes,
    metadata_bytes: store.metadata_bytes,
    search_index_bytes: found.indexBytes,
    history_index_bytes: store.live_messages * HISTORY_ROW_BYTES,
    relation_index_bytes: found.relations * RELATION_ROW_BYTES,
  }
  const { writeBytes, writeCalls, flushCalls, replaceCalls } = database.io
  return {
    status: lastError === '' ? 'OK' : 'DEGRADED',
    format_version: FORMAT_VERSION,
    log_size: database.sql.databaseSize,
    snapshot_size: found.indexBytes,
    active_messages: store.live_messages,
    deleted_messages: store.dead_messages,
    last_sequence: store.last_sequence,
    update_records: store.update_records,
    dead_bytes: store.dead_bytes,
    memory_estimate: { total_bytes: Object.values(bytes).reduce((sum, part) => sum + part, 0), ...bytes },
    io: {
      write_bytes: writeBytes,
      write_calls: writeCalls,
      flush_calls: flushCalls,
      truncate_calls: 0,
      replace_calls: replaceCalls,
    },
    recovered_tail: false,
    snapshot_valid: found.diagnostic === '',
    last_error: lastError,
  }
}

interface Inspection {
  /** Bytes of the word index, the signals and the vectors. */
  readonly indexBytes: number
  readonly relations: number
  /** The fault of the search index; '' when it agrees with the messages. */
  readonly diagnostic: string
}

const DAMAGED = 'The search index cannot be read; rebuild_index rebuilds it.'
const DIFFERS = 'The search index does not agree with the messages; rebuild_index rebuilds it.'
const OUTDATED = 'The search index is of another version; rebuild_index rebuilds it.'

function inspect(database: Database, store: Store): Inspection {
  const { words, signals } = indexTables(store.generation)
  const relations = row<{ count: number }>(database, 'SELECT count(*) AS count FROM relations')?.count ?? 0
  try {
    const found = row<{ words: number; signals: number; messages: number; live: number; bytes: number }>(
      database,
      `SELECT (SELECT count(*) FROM ${words}_docsize) AS words,
        (SELECT count(*) FROM ${signals}) AS signals,
        (SELECT count(*) FROM ${signals} WHERE chunk = 0) AS messages,
        (SELECT count(*) FROM messages INDEXED BY messages_in_session WHERE deleted = 0) AS live,
        (SELECT coalesce(sum(length(block)), 0) FROM ${words}_data)
        + (SELECT coalesce(sum(length(terms) + length(traits)), 0) FROM ${signals}) AS bytes`,
    )
    // Reads the vocabulary through the index itself; a damaged index throws here.
    row(database, `SELECT rowid FROM ${words} WHERE ${words} MATCH '"a"' LIMIT 1`)
    const { words: rows = 0, signals: kept = 0, messages = 0, live = 0, bytes = 0 } = found ?? {}
    const agrees = rows === store.chunks && kept === store.chunks && messages === live && live === store.live_messages
    const outdated = store.signals_version === SIGNALS_VERSION ? '' : OUTDATED
    const vectorsBytes = hasVectors(store) ? vectorBytes(database) : 0
    return { indexBytes: bytes + vectorsBytes, relations, diagnostic: agrees ? outdated : DIFFERS }
  } catch {
    return { indexBytes: 0, relations, diagnostic: DAMAGED }
  }
}
