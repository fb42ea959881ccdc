/** Questions to a store whose common words are in more messages than a lookup scores. */
import { beforeAll, expect, test } from 'vitest'
import { MAX_CANDIDATE_ROWS } from '../../../src/memory/limits.ts'
import { NO_FILTERS, TestStore, value } from '../../support/memory-world.ts'

const MESSAGES = 1.5 * MAX_CANDIDATE_ROWS
const store = new TestStore()

// Their contents are `row 1`, `row 2` ...; `row 77` has `needle`. They are of the first session and of the year 1970.
beforeAll(async () => {
  await store.write('the first')
  await store.write('an old row', { session_id: 'old', metadata: { tags: ['seldom'] } })
  await store.fill(MESSAGES)
  await store.sql('UPDATE store SET last_sequence = ?, live_messages = ?', MESSAGES + 10, MESSAGES + 2)
  value(await store.rebuild())
}, 60_000)

test('a common word is looked up among the newest messages', async () => {
  const numbers = (await store.found('row', { limit: 50 })).map((content) => Number(content.match(/\d+/)?.[0]))
  expect(numbers).toHaveLength(50)
  expect(Math.min(...numbers)).toBeGreaterThan(MESSAGES / 3 - 100)
})

test('a rare word beside a common one finds an old message first', async () => {
  expect((await store.found('which row has the needle'))[0]).toBe('needle in row 77')
})

test.each([
  ['a session', { session_id: 'old' }],
  ['a tag', { filters: { ...NO_FILTERS, tags: ['seldom'] } }],
  ['a window of time', { filters: { ...NO_FILTERS, since: 1_000 } }],
  ['a phrase', { query: 'row "an old"' }],
])('a common word finds an old message of %s', async (_, args) => {
  expect(await store.found('row', args)).toEqual(['an old row'])
})
