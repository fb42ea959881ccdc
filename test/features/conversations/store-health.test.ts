/** Health of a store: its counts, what damage it reports, and how calls on a damaged store end. */
import { beforeEach, describe, expect, test } from 'vitest'
import { codeOf, TestStore, value } from '../../support/memory-world.ts'
import { configure, NO_EMBEDDER, usedStore } from '../../support/message-vectors.ts'

beforeEach(() => configure(NO_EMBEDDER))

describe('health', () => {
  test('the counts of a new store are 0', async () => {
    const { log_size, memory_estimate, snapshot_size, ...health } = await new TestStore().health()
    expect(health).toEqual({
      status: 'OK',
      format_version: 2,
      active_messages: 0,
      deleted_messages: 0,
      last_sequence: 0,
      update_records: 0,
      dead_bytes: 0,
      io: { write_bytes: 0, write_calls: 0, flush_calls: 0, truncate_calls: 0, replace_calls: 0 },
      recovered_tail: false,
      snapshot_valid: true,
      last_error: '',
    })
    expect(log_size).toBeGreaterThan(0)
    expect(snapshot_size).toBe(memory_estimate.search_index_bytes)
  })

  test('health counts changes, and its byte counts add up', async () => {
    const store = new TestStore()
    const [first, second] = [await store.write('one'), await store.write('two')]
    await store.write('three')
    await store.update(first.message_id, { content: 'uno' })
    await store.delete(second.message_id)
    const health = await store.health()
    expect(health).toMatchObject({
      active_messages: 2,
      deleted_messages: 1,
      update_records: 1,
      last_sequence: 5,
      io: { write_calls: 5, flush_calls: 5, truncate_calls: 0, replace_calls: 0 },
    })
    expect(health.dead_bytes).toBeGreaterThan(3)
    const { total_bytes, ...parts } = health.memory_estimate
    expect(total_bytes).toBe(Object.values(parts).reduce((sum, bytes) => sum + bytes, 0))
    for (const number of [...Object.values(health), ...Object.values(parts), ...Object.values(health.io)]) {
      if (typeof number === 'number') expect(Number.isInteger(number) && number >= 0).toBe(true)
    }
  })

  test('reads change no count of health', async () => {
    const store = await usedStore()
    const { message_id } = value(await store.history()).history[0]!
    const before = await store.health()
    for (let at = 0; at < 100; at += 1) {
      await store.search('apricot')
      await store.content(message_id)
    }
    await store.context(message_id)
    await store.sessions()
    expect(await store.health()).toEqual(before)
  })

  test.each([
    ['rows of the word index are gone', 'DELETE FROM words_1 WHERE rowid > 9000'],
    ['the word index is gone', 'DROP TABLE words_1'],
    ['signals are gone', 'DELETE FROM signals_1'],
  ])('health is DEGRADED when %s, until a rebuild', async (_, damage) => {
    const store = await usedStore()
    await store.sql(damage)
    await store.restart()
    const health = await store.health()
    expect(health).toMatchObject({ status: 'DEGRADED', snapshot_valid: false })
    expect(health.last_error).toMatch(/rebuild_index/)
    value(await store.rebuild())
    expect(await store.health()).toMatchObject({ status: 'OK', snapshot_valid: true, last_error: '' })
    expect(await store.found('apricot')).toEqual(['apricot'])
  })

  test('an index of another version of the analysis is rebuilt by the alarm', async () => {
    const store = await usedStore()
    await store.sql('UPDATE store SET signals_version = 0')
    expect(await store.health()).toMatchObject({ status: 'DEGRADED', snapshot_valid: false })
    await store.restart()
    await store.history()
    await store.ring()
    expect(await store.health()).toMatchObject({ status: 'OK', snapshot_valid: true, io: { replace_calls: 1 } })
    expect(await store.found('apricot')).toEqual(['apricot'])
  })

  test('a search in a damaged index is refused without a word of SQL', async () => {
    const store = await usedStore()
    await store.sql('DROP TABLE words_1')
    const answer = await store.search('apricot')
    expect(codeOf(answer)).toBe('CORRUPT_STORE')
    expect(JSON.stringify(answer)).not.toMatch(/words_1|sqlite|select/i)
    expect(value(await store.history()).history).toHaveLength(4)
  })
})

test('a store without its row of counters refuses every call with CORRUPT_STORE', async () => {
  const store = await usedStore()
  await store.sql('DELETE FROM store')
  expect(codeOf(await store.tryWrite('x'))).toBe('CORRUPT_STORE')
  expect(codeOf(await store.history())).toBe('CORRUPT_STORE')
  expect(codeOf(await store.rebuild())).toBe('CORRUPT_STORE')
})
