/** Filters of a search by words: exact, and applied before the best messages are taken. */
import { describe, expect, test } from 'vitest'
import { NO_FILTERS, TestStore } from '../../support/memory-world.ts'

describe('the filters', () => {
  const tagged = (tags: string[]) => ({ filters: { ...NO_FILTERS, tags } })

  test('a session filter hides messages of other sessions', async () => {
    const store = new TestStore()
    await store.write('heron one', { session_id: 'a' })
    await store.write('heron two', { session_id: 'b' })
    expect(await store.found('heron', { session_id: 'a' })).toEqual(['heron one'])
    expect(await store.found('heron', { session_id: 'A' })).toEqual([])
    expect(await store.found('heron', { session_id: 'nowhere' })).toEqual([])
  })

  test('a message must have all tags of the filter, compared exactly', async () => {
    const store = new TestStore()
    await store.write('heron', { metadata: { tags: ['a', 'b', "it's", 'two words'] } })
    await store.write('heron of no tag')
    for (const tags of [['a'], ['a', 'b'], ["it's"], ['two words']]) {
      expect([tags, await store.found('heron', tagged(tags))]).toEqual([tags, ['heron']])
    }
    for (const tags of [['a', 'c'], ['A'], ['two'], ['*']]) expect(await store.found('heron', tagged(tags))).toEqual([])
  })

  test('a message must have one of the kinds and one of the tiers, discard included', async () => {
    const store = new TestStore()
    await store.write('heron 1', { metadata: { memory_kind: 'episode', memory_tier: 'discard' } })
    await store.write('heron 2', { metadata: { memory_kind: 'preference', memory_tier: 'long' } })
    await store.write('heron 3')
    const found = async (filters: Partial<typeof NO_FILTERS>) =>
      (await store.found('heron', { filters: { ...NO_FILTERS, ...filters } })).toSorted()
    expect(await found({})).toEqual(['heron 1', 'heron 2', 'heron 3'])
    expect(await found({ kinds: ['episode', 'preference'] })).toEqual(['heron 1', 'heron 2'])
    expect(await found({ tiers: ['long', 'short'] })).toEqual(['heron 2', 'heron 3'])
    expect(await found({ kinds: ['episode'], tiers: ['long'] })).toEqual([])
  })

  test('results are filtered by importance and time', async () => {
    const store = new TestStore()
    for (const importance of [50, 60, 100]) await store.write(`heron ${importance}`, { metadata: { importance } })
    expect((await store.found('heron', { min_importance: 60 })).toSorted()).toEqual(['heron 100', 'heron 60'])
    await store.sql('UPDATE messages SET timestamp = sequence * 10')
    const between = async (times: { since?: number; until?: number }) =>
      (await store.found('heron', { filters: { ...NO_FILTERS, ...times } })).toSorted()
    expect(await between({ since: 20 })).toEqual(['heron 100', 'heron 60'])
    expect(await between({ until: 20 })).toEqual(['heron 50'])
  })

  test('hide_superseded excludes messages that a live message supersedes', async () => {
    const store = new TestStore()
    const old = await store.write('the heron stands')
    const relations = [{ type: 'supersedes' as const, message_id: old.message_id }]
    const { message_id } = await store.write('the heron flew', { metadata: { relations } })
    const hidden = { filters: { ...NO_FILTERS, hide_superseded: true } }
    expect(await store.found('heron', hidden)).toEqual(['the heron flew'])
    expect((await store.found('heron')).toSorted()).toEqual(['the heron flew', 'the heron stands'])
    await store.delete(message_id)
    expect(await store.found('heron', hidden)).toEqual(['the heron stands'])
  })

  test('a rare message that passes the filters is found among many that do not', async () => {
    const store = new TestStore()
    for (let at = 0; at < 400; at += 1) await store.write(`heron ${at}`)
    await store.write('a heron in a long tale of many other birds', {
      session_id: 'rare',
      metadata: { tags: ['rare'], importance: 99 },
    })
    for (let at = 0; at < 400; at += 1) await store.write(`heron ${at}`)
    const [tale] = ['a heron in a long tale of many other birds']
    expect(await store.found('heron', { session_id: 'rare', limit: 1 })).toEqual([tale])
    expect(await store.found('heron', { ...tagged(['rare']), limit: 1 })).toEqual([tale])
    expect(await store.found('heron', { min_importance: 99, limit: 1 })).toEqual([tale])
    expect(await store.found('heron', { limit: 100 })).toHaveLength(100)
  })
})
