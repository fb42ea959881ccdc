/** Turns an error thrown by storage into a refusal that mentions no SQL. */
import { isDiskFull } from '../../base/disk-full.ts'
import type { Failure } from '../../base/failure.ts'
import { StoreDamage } from './message-database.ts'

const DAMAGED: Failure = {
  code: 'CORRUPT_STORE',
  message: 'The message store is damaged: stored data cannot be read back.',
  hint: 'get_system_health reports details; rebuild_index rebuilds the search index.',
}

const DAMAGED_MESSAGE: Pick<Failure, 'code' | 'hint'> = {
  code: 'CORRUPT_STORE',
  hint: 'Remove it with delete_message; then rebuild_index and all other calls work again.',
}

const damagedMessage = (id: string): string => `The message ${id} is damaged: it cannot be read back.`

const FULL: Failure = { code: 'IO_ERROR', message: 'The message store is full and accepts no new data.' }

const FAILED: Failure = { code: 'IO_ERROR', message: 'The message store could not be read or written.' }

/** Undefined for an error that storage did not throw. */
export function toStorageFailure(error: unknown): Failure | undefined {
  if (error instanceof StoreDamage) {
    return error.messageId === undefined ? DAMAGED : { ...DAMAGED_MESSAGE, message: damagedMessage(error.messageId) }
  }
  const text = error instanceof Error ? error.message : ''
  if (isDiskFull(error)) return FULL
  if (/SQLITE_CORRUPT|SQLITE_NOTADB|malformed|no such (?:fts5 )?table|vtable constructor failed/.test(text))
    return DAMAGED
  return /SQLITE_/.test(text) ? FAILED : undefined
}
