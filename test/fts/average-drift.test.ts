import { expect, test } from 'vitest'
import { hasDrifted, insertedRows } from '../../src/fts/average-drift.ts'

test.each([
  ['', 0],
  ['00', 0],
  ['7F00', 127],
  ['8100', 128],
  ['838060FF', 49_248],
])('The averages record %s begins with %i inserted rows.', (head, rows) => {
  expect(insertedRows(head)).toBe(rows)
})

test('Statistics have drifted when more than twice the live rows were inserted.', () => {
  expect([hasDrifted({ inserted: 20, live: 10 }), hasDrifted({ inserted: 21, live: 10 })]).toEqual([false, true])
  expect(hasDrifted({ inserted: 0, live: 0 })).toBe(false)
})
