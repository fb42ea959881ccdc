/** A search without a query lists messages: in order, by all filters, with what is related. */
import { describe, expect, test } from 'vitest'
import { NO_FILTERS, TestStore, value } from '../../support/memory-world.ts'

const superseding = ({ message_id }: { message_id: string }) => ({
  metadata: { relations: [{ type: 'supersedes' as const, message_id }] },
})

describe('a search without a query', () => {
  const list = async (store: TestStore, more: Parameters<TestStore['list']>[0] = {}) =>
    value(await store.list(more)).results.map(({ content }) => content)

  test('lists messages newest first, without scores', async () => {
    const store = new TestStore()
    for (let at = 0; at < 25; at += 1) await store.write(`message ${at}`, { session_id: `${at % 3}` })
    expect(await list(store, { limit: 3 })).toEqual(['message 24', 'message 23', 'message 22'])
    expect(await list(store, { limit: 2, session_id: '0' })).toEqual(['message 24', 'message 21'])
    expect(await list(store, { session_id: 'nowhere' })).toEqual([])
    expect(await list(store, { limit: 100 })).toHaveLength(25)
    for (const detail of ['compact', 'full'] as const) {
      const [result] = value(await store.list({ detail })).results
      expect(result!.relation_count).toBe(0)
      for (const field of ['score', 'score_breakdown', 'matched_fields', 'snippet']) {
        expect(result).not.toHaveProperty(field)
      }
    }
  })

  test('lists only messages that pass all filters', async () => {
    const store = new TestStore()
    const old = await store.write('1', { metadata: { tags: ['a', 'b'], memory_kind: 'episode', importance: 90 } })
    await store.write('2', { metadata: { tags: ['a'], memory_tier: 'long' } })
    await store.write('3', { ...superseding(old), session_id: 't' })
    await store.write('4', { metadata: { tags: ['a'], memory_kind: 'episode' } })
    await store.sql('UPDATE messages SET timestamp = sequence * 10')
    const filtered = (filters: Partial<typeof NO_FILTERS> & { since?: number; until?: number }) =>
      list(store, { filters: { ...NO_FILTERS, ...filters } })
    expect(await filtered({})).toEqual(['4', '3', '2', '1'])
    expect(await filtered({ tags: ['a'] })).toEqual(['4', '2', '1'])
    expect(await filtered({ tags: ['a', 'b'] })).toEqual(['1'])
    expect(await filtered({ kinds: ['episode', 'preference'] })).toEqual(['4', '1'])
    expect(await filtered({ tiers: ['long'], tags: ['a'] })).toEqual(['2'])
    expect(await filtered({ since: 20, until: 40 })).toEqual(['3', '2'])
    expect(await filtered({ hide_superseded: true })).toEqual(['4', '3', '2'])
    expect(await filtered({ hide_superseded: true, kinds: ['episode'] })).toEqual(['4'])
    expect(await list(store, { min_importance: 60 })).toEqual(['1'])
    expect(await list(store, { session_id: 's', filters: { ...NO_FILTERS, tags: ['a'] }, limit: 1 })).toEqual(['4'])
  })

  test('lists a long message once, and nothing of a deleted one', async () => {
    const store = new TestStore()
    await store.write('first', { metadata: { tags: ['a'] } })
    await store.write('a heron at the pond. '.repeat(5000), { metadata: { tags: ['a'] } })
    const { message_id } = await store.write('third', { metadata: { tags: ['a'] } })
    const tagged = { filters: { ...NO_FILTERS, tags: ['a'] }, preview_chars: 7 }
    expect(await list(store, tagged)).toEqual(['third', 'a heron', 'first'])
    await store.delete(message_id)
    expect(await list(store, tagged)).toEqual(['a heron', 'first'])
    expect(await list(store, { preview_chars: 7 })).toEqual(['a heron', 'first'])
    value(await store.rebuild())
    expect(await list(store, tagged)).toEqual(['a heron', 'first'])
  })

  test('names superseded and related messages, and adds neighbours', async () => {
    const store = new TestStore()
    const old = await store.write('old')
    const next = await store.write('new', superseding(old))
    const { results } = value(await store.list({ context_size: 1, detail: 'compact' }))
    expect(results.map(({ content }) => content)).toEqual(['new', 'old'])
    expect(results[1]).toMatchObject({
      superseded_by: next.message_id,
      related: [{ type: 'supersedes', direction: 'incoming', message_id: next.message_id }],
      context_preview: { before: [], after: [{ content: 'new' }] },
    })
  })
})
