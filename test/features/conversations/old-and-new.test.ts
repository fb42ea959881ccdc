/** Old and new: superseded messages, related messages, and searches without a query. */
import { describe, expect, test } from 'vitest'
import type { RelationType } from '../../../src/base/vocabulary.ts'
import { NO_FILTERS, TestStore, value } from '../../support/memory-world.ts'

const UNKNOWN = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

const to = (type: RelationType, ...targets: { message_id: string }[]) => ({
  metadata: { relations: targets.map(({ message_id }) => ({ type, message_id })) },
})

/** Content of each result and, after an arrow, of the message that supersedes it. */
async function found(store: TestStore, query: string): Promise<string[]> {
  const { results } = value(await store.search(query))
  const contentOf = new Map(results.map(({ message_id, content }) => [message_id, content]))
  return results.map(({ content, superseded_by: by }) =>
    by === undefined ? content : `${content} -> ${contentOf.get(by) ?? 'not found'}`,
  )
}

describe('a superseded message', () => {
  test('stands below the one that supersedes it, although it answers the words better', async () => {
    const store = new TestStore()
    const old = await store.write('The heron feed costs 5 crowns.')
    for (let at = 0; at < 30; at += 1) await store.write(`talk of part ${at}`, { session_id: 't' })
    await store.write(
      'By the way, about the price of the feed: it is 7 crowns since the spring, said the man at the shop.',
      {
        session_id: 'u',
        ...to('supersedes', old),
      },
    )
    const { results } = value(await store.search('what does the heron feed cost?'))
    expect(results.map(({ session_id }) => session_id)).toEqual(['u', 's'])
    expect(results[1]!.superseded_by).toBe(results[0]!.message_id)
    expect(results[1]!.score).toBeLessThan(results[0]!.score!)
    expect(results[0]).not.toHaveProperty('superseded_by')
  })

  test('names the newest message of a chain, also when a link of it is in another session or does not match', async () => {
    const store = new TestStore()
    const first = await store.write('heron 1')
    const second = await store.write('stork 2', { session_id: 't', ...to('supersedes', first) })
    const third = await store.write('heron 3', to('supersedes', second))
    const { results } = value(await store.search('heron'))
    expect(results.map(({ content, superseded_by }) => [content, superseded_by])).toEqual([
      ['heron 3', undefined],
      ['heron 1', third.message_id],
    ])
    const { results: storks } = value(await store.search('stork'))
    expect(storks[0]).toMatchObject({ content: 'stork 2', superseded_by: third.message_id })
  })

  test('a chain is ordered from the newest to the oldest', async () => {
    const store = new TestStore()
    let last = await store.write('heron heron heron 0')
    for (let at = 1; at < 6; at += 1)
      last = await store.write(`${'long '.repeat(at)}heron ${at}`, to('supersedes', last))
    const { results } = value(await store.search('heron'))
    expect(results.map(({ content }) => content.at(-1))).toEqual(['5', '4', '3', '2', '1', '0'])
    expect(results.map(({ superseded_by }) => superseded_by)).toEqual([undefined, ...Array(5).fill(last.message_id)])
    for (let at = 1; at < 6; at += 1) expect(results[at]!.score).toBeLessThan(results[at - 1]!.score!)
  })

  test('follows the deletion, the update and the expiry of the one that supersedes it', async () => {
    const store = new TestStore()
    const old = await store.write('heron old')
    const next = await store.write('heron new', to('supersedes', old))
    expect(await found(store, 'heron')).toEqual(['heron new', 'heron old -> heron new'])
    await store.update(next.message_id, { metadata: { relations: [] } })
    expect((await found(store, 'heron')).toSorted()).toEqual(['heron new', 'heron old'])
    await store.update(next.message_id, to('supersedes', old))
    expect(await found(store, 'heron')).toEqual(['heron new', 'heron old -> heron new'])
    await store.update(next.message_id, { metadata: { expires_at: Date.now() + 50 } })
    await new Promise((resolve) => setTimeout(resolve, 80))
    expect(await found(store, 'heron')).toEqual(['heron old'])
    const again = await store.write('heron again', to('supersedes', old))
    await store.delete(again.message_id)
    value(await store.rebuild())
    expect(await found(store, 'heron')).toEqual(['heron old'])
  })

  test('of two newer messages, the newest is named, and both stand above', async () => {
    const store = new TestStore()
    const old = await store.write('heron')
    await store.write('a heron of many other words, the first', to('supersedes', old))
    const newest = await store.write('a heron of many other words, the second', to('supersedes', old))
    const { results } = value(await store.search('heron'))
    expect(results[2]).toMatchObject({ content: 'heron', superseded_by: newest.message_id })
  })

  test('in a circle, the newest counts', async () => {
    const store = new TestStore()
    const first = await store.write('heron 1')
    const second = await store.write('a heron, more or less 2', to('supersedes', first))
    await store.update(first.message_id, to('supersedes', second))
    expect(await found(store, 'heron')).toEqual(['a heron, more or less 2', 'heron 1 -> a heron, more or less 2'])
  })

  test('is in place when only other relations lead to it, or the newer one does not match', async () => {
    const store = new TestStore()
    const old = await store.write('heron')
    await store.write('a heron with other words', to('derived_from', old))
    expect(await found(store, 'heron')).toEqual(['heron', 'a heron with other words'])
    await store.write('stork', to('supersedes', old))
    expect(await found(store, 'heron')).toEqual(['heron -> not found', 'a heron with other words'])
  })

  test('is found below by signs that are searched literally', async () => {
    const store = new TestStore()
    const old = await store.write('***', { metadata: { importance: 99 } })
    await store.write('*** new', to('supersedes', old))
    expect(await found(store, '***')).toEqual(['*** new', '*** -> *** new'])
    expect(value(await store.search('***', { limit: 1 })).results.map(({ content }) => content)).toEqual(['*** new'])
  })

  test('long chains and many newer messages are answered', async () => {
    const store = new TestStore()
    let last = await store.write('heron 0')
    const root = last
    for (let at = 1; at <= 150; at += 1) last = await store.write(`heron ${at}`, to('supersedes', last, root))
    const { results } = value(await store.search('heron', { limit: 100 }))
    expect(results).toHaveLength(100)
    for (const { message_id, superseded_by } of results) {
      expect(superseded_by).toBe(message_id === last.message_id ? undefined : last.message_id)
    }
  })
})

describe('the related messages of a result', () => {
  test('are those it declares, in order, and then those that declare it, at most five', async () => {
    const store = new TestStore()
    const [a, b, c] = [await store.write('a'), await store.write('b'), await store.write('c', { session_id: 't' })]
    const { message_id } = await store.write('heron', {
      metadata: {
        relations: [
          { type: 'depends_on', message_id: c.message_id },
          { type: 'related_to', message_id: UNKNOWN },
          { type: 'derived_from', message_id: a.message_id },
          { type: 'depends_on', message_id: c.message_id },
        ],
      },
    })
    const related = async () => value(await store.search('heron')).results[0]?.related
    const outgoing = [
      { type: 'depends_on', direction: 'outgoing', message_id: c.message_id },
      { type: 'derived_from', direction: 'outgoing', message_id: a.message_id },
    ]
    expect(await related()).toEqual(outgoing)
    await store.update(b.message_id, to('supersedes', { message_id }, { message_id }))
    const incoming = [{ type: 'supersedes', direction: 'incoming', message_id: b.message_id }]
    expect(await related()).toEqual([...outgoing, ...incoming])
    const more = []
    for (let at = 0; at < 4; at += 1) more.push(await store.write(`more ${at}`, to('related_to', { message_id })))
    const rest = more.map((one) => ({ type: 'related_to', direction: 'incoming', message_id: one.message_id }))
    expect(await related()).toEqual([...outgoing, ...incoming, ...rest.slice(0, 2)])
    await store.delete(c.message_id)
    await store.delete(b.message_id)
    expect(await related()).toEqual([outgoing[1], ...rest])
  })

  test('are absent when there are none', async () => {
    const store = new TestStore()
    await store.write('heron')
    await store.write('egret', to('related_to', { message_id: UNKNOWN }))
    const { results } = value(await store.search('heron egret'))
    for (const result of results) expect(result).not.toHaveProperty('related')
  })
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
    await store.write('3', { ...to('supersedes', old), session_id: 't' })
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
    const next = await store.write('new', to('supersedes', old))
    const { results } = value(await store.list({ context_size: 1, detail: 'compact' }))
    expect(results.map(({ content }) => content)).toEqual(['new', 'old'])
    expect(results[1]).toMatchObject({
      superseded_by: next.message_id,
      related: [{ type: 'supersedes', direction: 'incoming', message_id: next.message_id }],
      context_preview: { before: [], after: [{ content: 'new' }] },
    })
  })
})
