/**
 * Writes a message. Equal writes make two messages, unless they share an
 * idempotency key: then the second writes nothing and gets the first message in
 * its present state.
 */
import { sha256 } from '../../base/hash.ts'
import { invalid, type Failure } from '../../base/failure.ts'
import { ok, refuse } from '../../base/result.ts'
import type { WriteMessageAnswer, WriteMessageArguments } from '../../contracts/tools/write-message.ts'
import { findLive } from '../store/live-message.ts'
import { row, run, type Database } from '../store/message-database.ts'
import { IDEMPOTENCY_MS } from '../limits.ts'
import { newMetadata, toMessage, type NewMessage } from '../store/message-row.ts'
import { nextId, timeOf } from './message-id.ts'
import { insertMessage } from './put-message.ts'
import { runChange, readStore, type StoreChange } from '../store/store-state.ts'

/** Refuses with CONFLICT for an idempotency key that was used with other arguments within IDEMPOTENCY_MS. */
export function writeMessage(database: Database, args: WriteMessageArguments) {
  return runChange<WriteMessageAnswer>(database, () => {
    const { session_id, role, content, idempotency_key: key } = args
    const metadata = newMetadata(args.metadata)
    const digest = key === undefined ? '' : sha256(JSON.stringify([session_id, role, content, metadata]))
    const written = key === undefined ? undefined : findKeyedWrite(database, key)
    if (written !== undefined) return written.digest === digest ? repeated(database, written) : keyConflict(key)
    const store = readStore(database)
    const message_id = nextId(store.last_id, database.now())
    const timestamp = timeOf(message_id)
    const message: NewMessage = {
      message_id,
      session_id,
      timestamp,
      role,
      content,
      revision: 1,
      updated_at: timestamp,
      metadata,
    }
    const bytes = insertMessage(database, store, store.last_sequence + 1, message)
    run(database, 'UPDATE store SET last_id = ?', message_id)
    if (key !== undefined) putKey(database, { key, digest, message_id })
    return { answer: ok({ status: 'OK', message }), wrote: { calls: 1, bytes } }
  })
}

/** The first write with a key. */
interface KeyedWrite {
  readonly digest: string
  readonly message_id: string
}

function findKeyedWrite(database: Database, key: string): KeyedWrite | undefined {
  const since = database.now() - IDEMPOTENCY_MS
  return row(database, 'SELECT digest, message_id FROM idempotency WHERE key = ? AND written_at > ?', key, since)
}

/** Stores a key and deletes those that are older than IDEMPOTENCY_MS. */
function putKey(database: Database, { key, digest, message_id }: KeyedWrite & { readonly key: string }): void {
  const now = database.now()
  run(database, 'DELETE FROM idempotency WHERE written_at <= ?', now - IDEMPOTENCY_MS)
  run(database, 'INSERT INTO idempotency VALUES (?, ?, ?, ?)', key, digest, message_id, now)
}

/** The message of the first write with the key, in its present state. */
function repeated(database: Database, { message_id }: KeyedWrite): StoreChange<WriteMessageAnswer> {
  const message = findLive(database, message_id)
  if (message === undefined) return { answer: ok({ status: 'OK', deduplicated: true, deleted: true, message_id }) }
  return { answer: ok({ status: 'OK', deduplicated: true, message: toMessage(message) }) }
}

function keyConflict(key: string | undefined): StoreChange<WriteMessageAnswer> {
  const { message, hint } = invalid(
    'idempotency_key',
    `${JSON.stringify(key?.slice(0, 40).toWellFormed())} was used for a write with another session_id, role, content or metadata`,
    'Use a new key for a new message.',
  )
  const failure: Failure = { code: 'CONFLICT', message, ...(hint !== undefined && { hint }) }
  return { answer: refuse(failure) }
}
