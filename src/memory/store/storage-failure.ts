/** What storage throws, as a refusal that says nothing of SQL. */
import type { Failure } from '../../base/failure.ts'
import { StoreDamage } from './message-database.ts'

const DAMAGED: Failure = {
  code: 'CORRUPT_STORE',
  message: 'The message store does not read back as it was written.',
  hint: 'get_system_health tells more; rebuild_index makes the search index anew.',
}

const DAMAGED_MESSAGE: Pick<Failure, 'code' | 'hint'> = {
  code: 'CORRUPT_STORE',
  hint: 'delete_message lets it go; then rebuild_index and everything else goes on.',
}

const damagedMessage = (id: string): string => `The message ${id} does not read back as it was written.`

const FULL: Failure = { code: 'IO_ERROR', message: 'The message store is full and takes nothing new.' }

const FAILED: Failure = { code: 'IO_ERROR', message: 'The message store could not be read or written.' }

/** Undefined for what storage did not throw. */
export function toStorageFailure(error: unknown): Failure | undefined {
  if (error instanceof StoreDamage) {
    return error.messageId === undefined ? DAMAGED : { ...DAMAGED_MESSAGE, message: damagedMessage(error.messageId) }
  }
  const text = error instanceof Error ? error.message : ''
  if (/SQLITE_FULL|disk is full/.test(text)) return FULL
  if (/SQLITE_CORRUPT|SQLITE_NOTADB|malformed|no such (?:fts5 )?table|vtable constructor failed/.test(text))
    return DAMAGED
  return /SQLITE_/.test(text) ? FAILED : undefined
}
