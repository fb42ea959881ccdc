/**
 * Writing a message. Equal writes make two messages, unless a key says that
 * they are one: then the second finds the first, as it is by now.
 */
import { sha256 } from '../../base/hash.ts'
import { invalid, type Failure } from '../../base/failure.ts'
import { ok, refuse } from '../../base/result.ts'
import type { WriteMessageAnswer, WriteMessageArguments } from '../../contracts/tools/write-message.ts'
import { row, run, type Database } from '../store/message-database.ts'
import { IDEMPOTENCY_MS } from '../limits.ts'
import { newMetadata, toMessage, type NewMessage } from '../store/message-row.ts'
import { nextId, timeOf } from './message-id.ts'
import { findLive, insertMessage } from './put-message.ts'
import { change, readStore, type StoreChange } from '../store/store-state.ts'

export function writeMessage(database: Database, args: WriteMessageArguments) {
  return change<WriteMessageAnswer>(database, () => {
    const { session_id, role, content, idempotency_key: key } = args
    const metadata = newMetadata(args.metadata)
    const digest = key === undefined ? '' : sha256(JSON.stringify([session_id, role, content, metadata]))
    const written = key === undefined ? undefined : findWritten(database, key)
    if (written !== undefined) return written.digest === digest ? repeated(database, written) : refused(key)
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
    if (key !== undefined) keepKey(database, { key, digest, message_id })
    return { answer: ok({ status: 'OK', message }), wrote: { calls: 1, bytes } }
  })
}

interface Written {
  readonly digest: string
  readonly message_id: string
}

function findWritten(database: Database, key: string): Written | undefined {
  const since = database.now() - IDEMPOTENCY_MS
  return row(database, 'SELECT digest, message_id FROM idempotency WHERE key = ? AND written_at > ?', key, since)
}

/** Keys that have had their day go when a new one comes. */
function keepKey(database: Database, { key, digest, message_id }: Written & { readonly key: string }): void {
  const now = database.now()
  run(database, 'DELETE FROM idempotency WHERE written_at <= ?', now - IDEMPOTENCY_MS)
  run(database, 'INSERT INTO idempotency VALUES (?, ?, ?, ?)', key, digest, message_id, now)
}

/** The message that the key's first write made, as it is by now. */
function repeated(database: Database, { message_id }: Written): StoreChange<WriteMessageAnswer> {
  const message = findLive(database, message_id)
  if (message === undefined) return { answer: ok({ status: 'OK', deduplicated: true, deleted: true, message_id }) }
  return { answer: ok({ status: 'OK', deduplicated: true, message: toMessage(message) }) }
}

function refused(key: string | undefined): StoreChange<WriteMessageAnswer> {
  const { message, hint } = invalid(
    'idempotency_key',
    `${JSON.stringify(key?.slice(0, 40).toWellFormed())} was used for a write with another session_id, role, content or metadata`,
    'Use a new key for a new message.',
  )
  const failure: Failure = { code: 'CONFLICT', message, ...(hint !== undefined && { hint }) }
  return { answer: refuse(failure) }
}
