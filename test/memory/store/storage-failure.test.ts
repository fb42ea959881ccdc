/** Errors of storage as refusals: the code by the kind of error, and no word of SQL. */
import { expect, test } from 'vitest'
import { StoreDamage } from '../../../src/memory/store/message-database.ts'
import { toStorageFailure } from '../../../src/memory/store/storage-failure.ts'

test.each([
  ['database or disk is full: SQLITE_FULL', 'IO_ERROR', 'full'],
  ['disk I/O error: SQLITE_IOERR', 'IO_ERROR', 'could not be read or written'],
  ['database disk image is malformed: SQLITE_CORRUPT', 'CORRUPT_STORE', 'damaged'],
  ['no such table: words_1: SQLITE_ERROR', 'CORRUPT_STORE', 'damaged'],
  ['vtable constructor failed: words_1', 'CORRUPT_STORE', 'damaged'],
])('the error "%s" is %s: %s', (message, code, words) => {
  const failure = toStorageFailure(new Error(message))
  expect(failure?.code).toBe(code)
  expect(failure?.message).toContain(words)
  expect(JSON.stringify(failure)).not.toMatch(/sqlite|words_1|table/i)
})

test('damage of one message names the message, damage of the store does not', () => {
  const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
  expect(toStorageFailure(new StoreDamage('tags are not JSON', id))?.message).toContain(id)
  expect(toStorageFailure(new StoreDamage('the row of the store is missing'))).toMatchObject({ code: 'CORRUPT_STORE' })
})

test('an error that storage did not throw gives undefined', () => {
  expect(toStorageFailure(new TypeError('x is not a function'))).toBeUndefined()
  expect(toStorageFailure('text')).toBeUndefined()
})
