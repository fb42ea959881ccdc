/** The content view: chunks never split a character, and together they are the bytes that were written. */
import { describe, expect, test } from 'vitest'
import { utf8Bytes } from '../../../src/base/utf8.ts'
import { codeOf, TestStore, value } from '../../support/memory-world.ts'

const MIB = 1_048_576

describe('the content view', () => {
  const MIXED = 'aあ😀b'

  test.each([
    [4, ['aあ', '😀', 'b'], [4, 8, 9]],
    [2, ['a', 'あ', '😀', 'b'], [1, 4, 8, 9]],
    [1, ['a', 'あ', '😀', 'b'], [1, 4, 8, 9]],
    [9, [MIXED], [9]],
  ])('content read in chunks of %i bytes never splits a character', async (content_limit, contents, nexts) => {
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

  test('a chunk starts at the start of a character or at the end of the content', async () => {
    const store = new TestStore()
    const { message_id } = await store.write(MIXED)
    for (const content_offset of [2, 3, 5, 6, 7, 10, 2 ** 31 - 1]) {
      expect(codeOf(await store.content(message_id, { content_offset }))).toBe('VALIDATION_ERROR')
    }
    const { content_range } = value(await store.content(message_id, { content_offset: 9 }))
    expect(content_range).toMatchObject({ content: '', complete: true, next_content_offset: 9 })
  })

  test('a chunk ends at a code point, also inside a grapheme', async () => {
    const store = new TestStore()
    const { message_id } = await store.write('e\u0301')
    const read = async (content_offset: number) =>
      value(await store.content(message_id, { content_offset, content_limit: 1 })).content_range.content
    expect([await read(0), await read(1)]).toEqual(['e', '\u0301'])
  })

  test('a chunk keeps a byte order mark and U+0000', async () => {
    const store = new TestStore()
    const { message_id } = await store.write('\ufeff\0x')
    expect(value(await store.content(message_id)).content_range.content).toBe('\ufeff\0x')
    expect(value(await store.content(message_id, { content_offset: 3 })).content_range.content).toBe('\0x')
  })

  test('the chunks of one mebibyte are together the written bytes', async () => {
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

  test('NOT_FOUND comes before CONFLICT, and CONFLICT before an invalid offset', async () => {
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

test('history and content together return all bytes of a session of twelve mebibytes', async () => {
  const store = new TestStore()
  // Fifteen bytes, repeated as often as they fit.
  const written = [...'abcdefghijkl'].map((letter) => `${letter}aあ😀é\n\u0000"\\`.repeat(69_905))
  expect(utf8Bytes(written.join(''))).toBe(12 * (MIB - 1))
  for (const content of written) await store.write(content)
  const { messages } = await store.walk({ limit: 1000 })
  expect(messages.map(({ content }, at) => content === written[at])).toEqual(written.map(() => true))
  for (const [at, { message_id, revision: expected_revision }] of messages.entries()) {
    let read = ''
    for (let content_offset = 0; ;) {
      const range = { content_offset, content_limit: 65_536, expected_revision }
      const { content_range } = value(await store.content(message_id, range))
      read += content_range.content
      content_offset = content_range.next_content_offset
      if (content_range.complete) break
    }
    expect(read === written[at]).toBe(true)
  }
}, 120_000)
