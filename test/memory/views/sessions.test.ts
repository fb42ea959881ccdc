/** The sessions view: order, pages, and the fields of a session. */
import { describe, expect, test } from 'vitest'
import { codeOf, TestStore, value } from '../../support/memory-world.ts'

describe('the sessions view', () => {
  test('sessions come page by page, ordered by start time and then by the bytes of their ids', async () => {
    const store = new TestStore()
    for (const session of ['b', 'a', '😀', 'あ']) await store.write(`in ${session}`, { session_id: session })
    await store.sql('UPDATE messages SET timestamp = 5')
    await store.sql('UPDATE sessions SET started_at = 5')
    await store.sql(`UPDATE sessions SET started_at = 4 WHERE session_id = 'b'`)
    const seen: string[] = []
    let pages = 0
    for (let cursor: string | undefined; ; pages += 1) {
      const page = value(await store.sessions({ limit: 1, ...(cursor !== undefined && { cursor }) }))
      seen.push(...page.sessions.map(({ session_id }) => session_id))
      if (page.nextCursor === undefined) break
      cursor = page.nextCursor
      await store.write('more', { session_id: 'b' })
    }
    expect(seen).toEqual(['b', 'a', 'あ', '😀'])
    expect(pages).toBe(3)
  })

  test('order desc is the exact reverse, and its cursor is refused in the other order', async () => {
    const store = new TestStore()
    for (const session of ['b', 'a', '😀', 'あ', 'z']) await store.write(`in ${session}`, { session_id: session })
    await store.sql('UPDATE sessions SET started_at = 5')
    await store.sql(`UPDATE sessions SET started_at = 4 WHERE session_id = 'b'`)
    await store.sql(`UPDATE sessions SET started_at = ? WHERE session_id = 'z'`, Number.MAX_SAFE_INTEGER)
    const walk = async (order: 'asc' | 'desc', limit: number) => {
      const seen: string[] = []
      for (let cursor: string | undefined; ;) {
        const page = value(await store.sessions({ order, limit, ...(cursor !== undefined && { cursor }) }))
        seen.push(...page.sessions.map(({ session_id }) => session_id))
        cursor = page.nextCursor
        if (cursor === undefined) return seen
      }
    }
    for (const limit of [1, 2, 5]) {
      expect(await walk('asc', limit)).toEqual(['b', 'a', 'あ', '😀', 'z'])
      expect(await walk('desc', limit)).toEqual(['z', '😀', 'あ', 'a', 'b'])
    }
    for (const [order, other] of [['asc', 'desc'] as const, ['desc', 'asc'] as const]) {
      const { nextCursor = '' } = value(await store.sessions({ order, limit: 1 }))
      expect(codeOf(await store.sessions({ order: other, cursor: nextCursor }))).toBe('VALIDATION_ERROR')
    }
  })

  test('a session has the counts, times and summary of its live messages', async () => {
    const store = new TestStore()
    const first = await store.write('first', { metadata: { memory_kind: 'episode', summary: 'early' } })
    await store.write('second', { metadata: { summary: 'あ'.repeat(200) } })
    const third = await store.write('third')
    const fourth = await store.write('fourth')
    await store.delete(fourth.message_id)
    await store.write('plain', { session_id: 'p' })
    const newest = await store.write('x'.repeat(1000), { session_id: 'p' })
    const { sessions } = value(await store.sessions())
    expect(sessions[0]).toEqual({
      session_id: 's',
      message_count: 3,
      kind_counts: { conversation: 2, episode: 1, semantic: 0, procedure: 0, preference: 0, summary: 0 },
      representative_summary: 'あ'.repeat(170),
      started_at: first.timestamp,
      last_message_at: third.timestamp,
    })
    expect(sessions[1]).toMatchObject({
      session_id: 'p',
      representative_summary: 'x'.repeat(512),
      last_message_at: newest.timestamp,
    })
  })

  test('a session without a live message is not listed until it has one again', async () => {
    const store = new TestStore()
    const { message_id } = await store.write('x')
    await store.delete(message_id)
    expect(value(await store.sessions())).toEqual({ sessions: [] })
    value(await store.rebuild())
    expect(value(await store.sessions())).toEqual({ sessions: [] })
    await store.write('y')
    expect(value(await store.sessions()).sessions[0]).toMatchObject({ session_id: 's', message_count: 1 })
  })
})
