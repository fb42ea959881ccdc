/** The four ways of reading: history and sessions page by page, content by bytes, a message among others. */
import { describe, expect, test } from 'vitest'
import { utf8Bytes } from '../../src/base/utf8.ts'
import { ANSWER_BYTES } from '../../src/memory/limits.ts'
import { codeOf, TestStore, value } from '../support/memory.ts'

const UNKNOWN = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const MIB = 1_048_576

async function written(store: TestStore, contents: readonly string[], session_id = 's') {
  const messages = []
  for (const content of contents) messages.push(await store.write(content, { session_id }))
  return messages
}

describe('history', () => {
  test('comes in order, page by page, and ends without a cursor even when the last page is full', async () => {
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

  test('of a session that is not there, or emptied, is empty', async () => {
    const store = new TestStore()
    expect(value(await store.history({ session_id: 'nowhere' }))).toEqual({ history: [] })
    const { message_id } = await store.write('x')
    await store.delete(message_id)
    expect(value(await store.history())).toEqual({ history: [] })
  })

  test('goes on where it was, whatever happened since', async () => {
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

  test('takes no cursor of another session, time, view or making', async () => {
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

  test('is bounded by time: since is inside, until is not', async () => {
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

  test('cuts a page at the size of an answer, and walks on to every message', async () => {
    const store = new TestStore()
    for (let at = 0; at < 12; at += 1) await store.write(String.fromCharCode(97 + at).repeat(MIB))
    const first = value(await store.history({ limit: 1000 }))
    expect(utf8Bytes(JSON.stringify(first))).toBeLessThanOrEqual(ANSWER_BYTES)
    expect(first.history.length).toBeLessThan(12)
    expect(first.history.length).toBeGreaterThan(5)
    const { messages } = await store.walk({ limit: 1000 })
    expect(messages.map(({ content }) => content[0])).toEqual([...'abcdefghijkl'])
    expect(messages.every(({ content }) => content.length === MIB)).toBe(true)
  })

  test('makes progress with a message that fills an answer by itself', async () => {
    const store = new TestStore()
    await store.write('\u0001'.repeat(MIB))
    await store.write('\u0001'.repeat(MIB))
    const { messages, pages } = await store.walk()
    expect([messages.length, pages]).toEqual([2, 2])
  })

  test('shows beginnings, in code points, where they are asked for', async () => {
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

describe('content', () => {
  const MIXED = 'aあ😀b'

  test.each([
    [4, ['aあ', '😀', 'b'], [4, 8, 9]],
    [2, ['a', 'あ', '😀', 'b'], [1, 4, 8, 9]],
    [1, ['a', 'あ', '😀', 'b'], [1, 4, 8, 9]],
    [9, [MIXED], [9]],
  ])('in stretches of %i bytes never cuts a character', async (content_limit, contents, nexts) => {
    const store = new TestStore()
    const { message_id } = await store.write(MIXED)
    let content_offset = 0
    for (const [at, content] of contents.entries()) {
      const { content_range } = value(await store.content(message_id, { content_offset, content_limit }))
      expect(content_range).toEqual({
        message_id,
        revision: 1,
        total_bytes: 9,
        content_offset,
        next_content_offset: nexts[at],
        complete: nexts[at] === 9,
        content,
      })
      content_offset = content_range.next_content_offset
    }
  })

  test('begins at the beginning of a character, or at the end', async () => {
    const store = new TestStore()
    const { message_id } = await store.write(MIXED)
    for (const content_offset of [2, 3, 5, 6, 7, 10, 2 ** 31 - 1]) {
      expect(codeOf(await store.content(message_id, { content_offset }))).toBe('VALIDATION_ERROR')
    }
    const { content_range } = value(await store.content(message_id, { content_offset: 9 }))
    expect(content_range).toMatchObject({ content: '', complete: true, next_content_offset: 9 })
  })

  test('goes by code points, not by what is seen as one', async () => {
    const store = new TestStore()
    const { message_id } = await store.write('e\u0301')
    const read = async (content_offset: number) =>
      value(await store.content(message_id, { content_offset, content_limit: 1 })).content_range.content
    expect([await read(0), await read(1)]).toEqual(['e', '\u0301'])
  })

  test('keeps a byte order mark and U+0000', async () => {
    const store = new TestStore()
    const { message_id } = await store.write('\ufeff\0x')
    expect(value(await store.content(message_id)).content_range.content).toBe('\ufeff\0x')
    expect(value(await store.content(message_id, { content_offset: 3 })).content_range.content).toBe('\0x')
  })

  test('of a mebibyte walks to the same bytes', async () => {
    const store = new TestStore()
    const content = 'aあ😀é'.repeat(104_857)
    const { message_id } = await store.write(content)
    let read = ''
    for (let content_offset = 0; ;) {
      const { content_range } = value(await store.content(message_id, { content_offset, content_limit: 65_536 }))
      read += content_range.content
      content_offset = content_range.next_content_offset
      if (content_range.complete) break
    }
    expect(read === content).toBe(true)
  })

  test('says that a message is unknown before that a revision is stale, and that before that an offset is wrong', async () => {
    const store = new TestStore()
    const { message_id } = await store.write('x'.repeat(10_000))
    expect(value(await store.content(message_id)).content_range.next_content_offset).toBe(4096)
    await store.update(message_id, { content: 'y'.repeat(10_000) })
    const stale = { expected_revision: 1, content_offset: 999_999 }
    expect(codeOf(await store.content(message_id, stale))).toBe('CONFLICT')
    expect(codeOf(await store.content(message_id, { ...stale, expected_revision: 2 }))).toBe('VALIDATION_ERROR')
    await store.delete(message_id)
    expect(codeOf(await store.content(message_id, stale))).toBe('NOT_FOUND')
  })
})

describe('context', () => {
  test('has the nearest neighbours in order, and only what is asked for', async () => {
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

  /** Links as `type direction depth content`; a deleted one as `... (gone)`. */
  async function links(store: TestStore, message_id: string, more: Parameters<TestStore['context']>[1] = {}) {
    const { relations } = value(await store.context(message_id, { before: 0, after: 0, relation_depth: 2, ...more }))
    return relations.map((entry) => {
      const what = 'message' in entry ? entry.message.content : `(${entry.status})`
      return `${entry.type} ${entry.direction} ${entry.depth} ${what}`
    })
  }

  test('follows relations both ways, to the depth and of the types asked for', async () => {
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

  test('ends on a circle, and tells a link declared twice once', async () => {
    const store = new TestStore()
    const [a, b] = await written(store, ['A', 'B'])
    const to = (message_id: string) => [{ type: 'related_to' as const, message_id }]
    await store.update(a!.message_id, { metadata: { relations: [...to(b!.message_id), ...to(b!.message_id)] } })
    await store.update(b!.message_id, { metadata: { relations: to(a!.message_id) } })
    expect(await links(store, a!.message_id)).toEqual(['related_to outgoing 1 B', 'related_to incoming 1 B'])
  })

  test('calls deleted what was deleted or never was, before a rebuild and after', async () => {
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

  test('holds at most fifty messages and says that it was cut', async () => {
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

  test('keeps the nearest of what does not fit', async () => {
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
    expect(utf8Bytes(JSON.stringify(context))).toBeLessThanOrEqual(ANSWER_BYTES)
  })
})

describe('sessions', () => {
  test('come in the order they began, then of their ids by bytes, one page after another', async () => {
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

  test('count live messages by kind and say when and about what', async () => {
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

  test('without a live message are not there, and come back with one', async () => {
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

test('a session of twelve mebibytes walks through history and content to the same bytes', async () => {
  const store = new TestStore()
  // Fifteen bytes, again and again to the last that fit.
  const written = [...'abcdefghijkl'].map((letter) => `${letter}aあ😀é\n\u0000"\\`.repeat(69_905))
  expect(utf8Bytes(written.join(''))).toBe(12 * (MIB - 1))
  for (const content of written) await store.write(content)
  const { messages } = await store.walk({ limit: 1000 })
  expect(messages.map(({ content }, at) => content === written[at])).toEqual(written.map(() => true))
  for (const [at, { message_id, revision: expected_revision }] of messages.entries()) {
    let read = ''
    for (let content_offset = 0; ;) {
      const stretch = { content_offset, content_limit: 65_536, expected_revision }
      const { content_range } = value(await store.content(message_id, stretch))
      read += content_range.content
      content_offset = content_range.next_content_offset
      if (content_range.complete) break
    }
    expect(read === written[at]).toBe(true)
  }
}, 120_000)
