/** The context view: neighbours and relations of a message, the nearest first when the answer is full. */
import { describe, expect, test } from 'vitest'
import { utf8Bytes } from '../../../src/base/utf8.ts'
import { MAX_ANSWER_BYTES } from '../../../src/memory/limits.ts'
import { TestStore, value, written } from '../../support/memory-world.ts'

const UNKNOWN = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const MIB = 1_048_576

describe('the context view', () => {
  test('context has as many of the nearest neighbours as requested, in order', async () => {
    const store = new TestStore()
    const messages = await written(store, ['1', '2', '3', '4', '5'])
    await written(store, ['elsewhere'], 't')
    const around = async (before: number, after: number) => {
      const { chronological_context: near, ...rest } = value(
        await store.context(messages[2]!.message_id, { before, after }),
      )
      expect(rest).toEqual({
        message: messages[2],
        relations: [],
        session: { session_id: 's', message_count: 5 },
        truncated: false,
      })
      return [near.before, near.after].map((side) => side.map(({ content }) => content).join(''))
    }
    expect(await around(0, 0)).toEqual(['', ''])
    expect(await around(1, 2)).toEqual(['2', '45'])
    expect(await around(10, 10)).toEqual(['12', '45'])
  })

  /** Links as `type direction depth content`; for a deleted target `... (gone)`. */
  async function links(store: TestStore, message_id: string, more: Parameters<TestStore['context']>[1] = {}) {
    const { relations } = value(await store.context(message_id, { before: 0, after: 0, relation_depth: 2, ...more }))
    return relations.map((entry) => {
      const what = 'message' in entry ? entry.message.content : `(${entry.status})`
      return `${entry.type} ${entry.direction} ${entry.depth} ${what}`
    })
  }

  test('context follows relations in both directions, to the requested depth and of the requested types', async () => {
    const store = new TestStore()
    const [c, b] = await written(store, ['C', 'B'], 'elsewhere')
    const a = await store.write('A', { metadata: { relations: [{ type: 'derived_from', message_id: b!.message_id }] } })
    await store.update(b!.message_id, { metadata: { relations: [{ type: 'supersedes', message_id: c!.message_id }] } })
    expect(await links(store, a.message_id)).toEqual(['derived_from outgoing 1 B', 'supersedes outgoing 2 C'])
    expect(await links(store, a.message_id, { relation_depth: 1 })).toEqual(['derived_from outgoing 1 B'])
    expect(await links(store, a.message_id, { relation_depth: 0 })).toEqual([])
    expect(await links(store, c!.message_id, { relation_depth: 1 })).toEqual(['supersedes incoming 1 B'])
    expect(await links(store, a.message_id, { relation_types: ['supersedes'] })).toEqual([])
    expect(await links(store, b!.message_id)).toEqual(['supersedes outgoing 1 C', 'derived_from incoming 1 A'])
  })

  test('a circle of relations ends, and a relation declared twice is returned once', async () => {
    const store = new TestStore()
    const [a, b] = await written(store, ['A', 'B'])
    const to = (message_id: string) => [{ type: 'related_to' as const, message_id }]
    await store.update(a!.message_id, { metadata: { relations: [...to(b!.message_id), ...to(b!.message_id)] } })
    await store.update(b!.message_id, { metadata: { relations: to(a!.message_id) } })
    expect(await links(store, a!.message_id)).toEqual(['related_to outgoing 1 B', 'related_to incoming 1 B'])
  })

  test('a target that is deleted or never existed has the status deleted, before and after a rebuild', async () => {
    const store = new TestStore()
    const b = await store.write('B', { metadata: { relations: [{ type: 'depends_on', message_id: UNKNOWN }] } })
    const a = await store.write('A', {
      metadata: {
        relations: [
          { type: 'depends_on', message_id: b.message_id },
          { type: 'related_to', message_id: UNKNOWN },
        ],
      },
    })
    await store.delete(b.message_id)
    const expected = [
      { type: 'depends_on', direction: 'outgoing', depth: 1, message_id: b.message_id, status: 'deleted' },
      { type: 'related_to', direction: 'outgoing', depth: 1, message_id: UNKNOWN, status: 'deleted' },
    ]
    expect(value(await store.context(a.message_id, { relation_depth: 2 })).relations).toEqual(expected)
    value(await store.rebuild())
    expect(value(await store.context(a.message_id, { relation_depth: 2 })).relations).toEqual(expected)
  })

  test('context has at most fifty messages and reports that it is truncated', async () => {
    const store = new TestStore()
    const messages = await written(
      store,
      Array.from({ length: 21 }, (_, at) => `near ${at}`),
    )
    const root = messages[10]!
    const relations = [{ type: 'related_to' as const, message_id: root.message_id }]
    for (let at = 0; at < 60; at += 1) await store.write(`far ${at}`, { session_id: 't', metadata: { relations } })
    const context = value(await store.context(root.message_id, { before: 10, after: 10 }))
    expect(context.truncated).toBe(true)
    expect(context.chronological_context.before).toHaveLength(10)
    expect(context.chronological_context.after).toHaveLength(10)
    expect(context.relations).toHaveLength(29)
  })

  test('the farthest messages are omitted when the answer is full', async () => {
    const store = new TestStore()
    const messages = []
    for (let at = 0; at < 9; at += 1) messages.push(await store.write(`${at}${'\u0001'.repeat(MIB / 4)}`))
    const context = value(await store.context(messages[4]!.message_id, { before: 10, after: 10 }))
    const near = (side: { content: string }[]) => side.map(({ content }) => content[0])
    expect(context.truncated).toBe(true)
    expect([near(context.chronological_context.before), near(context.chronological_context.after)]).toEqual([
      ['2', '3'],
      ['5', '6'],
    ])
    expect(utf8Bytes(JSON.stringify(context))).toBeLessThanOrEqual(MAX_ANSWER_BYTES)
  })
})
