/** The text of a message by bytes: no character is ever cut, and what is read together is what was written. */
import { describe, expect, test } from 'vitest'
import { utf8Bytes } from '../../../src/base/utf8.ts'
import { codeOf, TestStore, value } from '../../support/memory-world.ts'

const MIB = 1_048_576

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
