/** Ids of messages: strictly increasing, with the time of the clock unless it goes back. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextId, timeOf } from '../../../src/memory/changes/message-id.ts'
import { runs } from '../../support/runs.ts'

test('ids increase strictly for any movement of the clock, and their time is the latest of the clock', () => {
  const clock = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(clock, (times) => {
      let last = ''
      let latest = 0
      for (const now of times) {
        const id = nextId(last, now)
        latest = Math.max(latest, now)
        expect(id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
        expect(id > last).toBe(true)
        expect(timeOf(id)).toBe(latest)
        last = id
      }
    }),
    { numRuns: runs(200) },
  )
})

test('an id within the same millisecond is the last one plus one', () => {
  expect(nextId('01ARZ3NDEKTSV4RRFFQ69G5FAV', timeOf('01ARZ3NDEKTSV4RRFFQ69G5FAV'))).toBe('01ARZ3NDEKTSV4RRFFQ69G5FAW')
  expect(nextId('01ARZ3NDEKTSV4RRFFQ69G5FAZ', 0)).toBe('01ARZ3NDEKTSV4RRFFQ69G5FB0')
})

test('after the last id of a millisecond the next millisecond is used early', () => {
  const last = `01ARZ3NDEK${'Z'.repeat(16)}`
  const id = nextId(last, timeOf(last))
  expect(timeOf(id)).toBe(timeOf(last) + 1)
  expect(id > last).toBe(true)
})
