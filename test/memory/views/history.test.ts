/** The history view, page by page: in order, each message once, also when the store changes meanwhile. */
import { describe, expect, test } from 'vitest'
import { utf8Bytes } from '../../../src/base/utf8.ts'
import { MAX_ANSWER_BYTES } from '../../../src/memory/limits.ts'
import { codeOf, TestStore, value, written } from '../../support/memory-world.ts'

const MIB = 1_048_576

describe('the history view', () => {
  test('history comes in order and page by page, and the last page has no cursor even when it is full', async () => {
    const store = new TestStore()
    await written(store, ['1', '2', '3', '4', '5', '6'])
    const sizes = []
    let cursor: string | undefined
    const seen: string[] = []
    do {
      const page = value(await store.history({ limit: 2, ...(cursor !== undefined && { cursor }) }))
      sizes.push(page.history.length)
      seen.push(...page.history.map(({ content }) => content))
      cursor = page.nextCursor
      expect('nextCursor' in page).toBe(cursor !== undefined)
    } while (cursor !== undefined)
    expect(sizes).toEqual([2, 2, 2])
    expect(seen).toEqual(['1', '2', '3', '4', '5', '6'])
  })

  test('the history of an unknown or emptied session is empty', async () => {
    const store = new TestStore()
    expect(value(await store.history({ session_id: 'nowhere' }))).toEqual({ history: [] })
    const { message_id } = await store.write('x')
    await store.delete(message_id)
    expect(value(await store.history())).toEqual({ history: [] })
  })

  test('a cursor continues after deletes, writes, updates, a rebuild and a restart', async () => {
    const store = new TestStore()
    const [, second] = await written(store, ['1', '2', '3', '4'])
    const first = value(await store.history({ limit: 2 }))
    await store.delete(second!.message_id)
    const [last] = await written(store, ['5'])
    await store.update(last!.message_id, { content: 'five' })
    value(await store.rebuild())
    await store.restart()
    const rest = value(await store.history({ limit: 3, cursor: first.nextCursor! }))
    expect(rest.history.map(({ content }) => content)).toEqual(['3', '4', 'five'])
    expect(rest.nextCursor).toBeUndefined()
  })

  test('a cursor of another session, time window or view, or a forged one, is refused', async () => {
    const store = new TestStore()
    await written(store, ['1', '2', '3'])
    await written(store, ['1', '2', '3'], 't')
    const { nextCursor = '' } = value(await store.history({ limit: 1 }))
    const { nextCursor: ofSessions = '' } = value(await store.sessions({ limit: 1 }))
    const half = nextCursor.slice(0, -4)
    for (const cursor of ['x', half, `${nextCursor}A`, ofSessions, Buffer.from('["a",1]').toString('base64url')]) {
      expect(codeOf(await store.history({ cursor }))).toBe('VALIDATION_ERROR')
    }
    expect(codeOf(await store.history({ session_id: 't', cursor: nextCursor }))).toBe('VALIDATION_ERROR')
    expect(codeOf(await store.history({ since: 0, cursor: nextCursor }))).toBe('VALIDATION_ERROR')
    expect(codeOf(await store.history({ until: 9e15, cursor: nextCursor }))).toBe('VALIDATION_ERROR')
    expect(codeOf(await store.sessions({ cursor: nextCursor }))).toBe('VALIDATION_ERROR')
    expect(codeOf(await store.history({ cursor: nextCursor, preview_chars: 1, limit: 7 }))).toBe('ok')
  })

  test('order desc is the exact reverse, page by page, through deletes and a restart', async () => {
    const store = new TestStore()
    const messages = await written(store, ['1', '2', '3', '4', '5', '6', '7'])
    await written(store, ['elsewhere'], 't')
    for (const limit of [1, 2, 3, 7, 100]) {
      const { messages: reversed } = await store.walk({ order: 'desc', limit })
      expect(reversed.map(({ content }) => content)).toEqual(['7', '6', '5', '4', '3', '2', '1'])
    }
    const first = value(await store.history({ order: 'desc', limit: 2 }))
    await store.delete(messages[5]!.message_id)
    await store.delete(messages[4]!.message_id)
    await written(store, ['8'])
    await store.restart()
    const rest = value(await store.history({ order: 'desc', limit: 9, cursor: first.nextCursor! }))
    expect(rest.history.map(({ content }) => content)).toEqual(['4', '3', '2', '1'])
    expect(rest).not.toHaveProperty('nextCursor')
    await store.sql('UPDATE messages SET timestamp = sequence * 10')
    const within = value(await store.history({ order: 'desc', since: 20, until: 50 }))
    expect(within.history.map(({ content }) => content)).toEqual(['4', '3', '2'])
    expect(value(await store.history({ order: 'desc', session_id: 'nowhere' }))).toEqual({ history: [] })
  })

  test('a cursor of one order is refused in the other', async () => {
    const store = new TestStore()
    await written(store, ['1', '2', '3'])
    for (const [order, other] of [['asc', 'desc'] as const, ['desc', 'asc'] as const]) {
      const { nextCursor = '' } = value(await store.history({ order, limit: 1 }))
      expect(codeOf(await store.history({ order: other, cursor: nextCursor }))).toBe('VALIDATION_ERROR')
      expect(codeOf(await store.history({ order, detail: 'compact', cursor: nextCursor }))).toBe('ok')
    }
  })

  test('since is inclusive and until is exclusive', async () => {
    const store = new TestStore()
    const messages = await written(store, ['1', '2', '3'])
    await store.sql('UPDATE messages SET timestamp = sequence * 10')
    const between = async (times: { since?: number; until?: number }) =>
      value(await store.history(times)).history.map(({ content }) => content)
    expect(messages).toHaveLength(3)
    expect(await between({ since: 20 })).toEqual(['2', '3'])
    expect(await between({ until: 20 })).toEqual(['1'])
    expect(await between({ since: 10, until: 30 })).toEqual(['1', '2'])
    expect(await between({ since: 30, until: 30 })).toEqual([])
  })

  test('a page ends at the size limit of an answer, and the walk returns every message', async () => {
    const store = new TestStore()
    for (let at = 0; at < 12; at += 1) await store.write(String.fromCharCode(97 + at).repeat(MIB))
    const first = value(await store.history({ limit: 1000 }))
    expect(utf8Bytes(JSON.stringify(first))).toBeLessThanOrEqual(MAX_ANSWER_BYTES)
    expect(first.history.length).toBeLessThan(12)
    expect(first.history.length).toBeGreaterThan(5)
    const { messages } = await store.walk({ limit: 1000 })
    expect(messages.map(({ content }) => content[0])).toEqual([...'abcdefghijkl'])
    expect(messages.every(({ content }) => content.length === MIB)).toBe(true)
  })

  test('a page contains one message even when it fills the answer', async () => {
    const store = new TestStore()
    await store.write('\u0001'.repeat(MIB))
    await store.write('\u0001'.repeat(MIB))
    const { messages, pages } = await store.walk()
    expect([messages.length, pages]).toEqual([2, 2])
  })

  test('preview_chars cuts each content to that many code points', async () => {
    const store = new TestStore()
    await store.write('😀あa')
    const shown = async (preview_chars: number) => {
      const [message] = value(await store.history({ preview_chars })).history
      return [message?.content, message?.content_bytes, message?.content_truncated]
    }
    expect(await shown(0)).toEqual(['', 8, true])
    expect(await shown(2)).toEqual(['😀あ', 8, true])
    expect(await shown(3)).toEqual(['😀あa', 8, false])
    expect(Object.keys(value(await store.history()).history[0]!)).not.toContain('content_bytes')
  })
})
