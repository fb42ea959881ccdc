/** The compact form of answers: what it keeps and what it omits. */
import { describe, expect, test } from 'vitest'
import { utf8Bytes } from '../../../src/base/utf8.ts'
import { TestStore, value } from '../../support/memory-world.ts'

const UNKNOWN = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

describe('a compact message', () => {
  test('has no field that says nothing', async () => {
    const store = new TestStore()
    const { message_id, timestamp } = await store.write('a heron', { session_id: 's1' })
    const plain = {
      message_id,
      session_id: 's1',
      timestamp,
      timestamp_text: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/),
      role: 'user',
      content: 'a heron',
      revision: 1,
    }
    const { history } = await store.askRead({ view: 'history', session_id: 's1' })
    expect(history).toEqual([plain])
    expect(Date.parse(history[0].timestamp_text)).toBe(timestamp)
    const [result] = await store.askSearch({ query: 'heron' })
    expect(result).toEqual({
      ...plain,
      score: expect.any(Number),
      score_breakdown: { content: expect.any(Number) },
      matched_fields: ['content'],
      relation_count: 0,
      session_more: 0,
    })
    expect(await store.askRead({ view: 'context', message_id })).toEqual({
      message: plain,
      chronological_context: { before: [], after: [] },
      relations: [],
      session: { session_id: 's1', message_count: 1 },
      truncated: false,
    })
  })

  test('has the metadata that is set, and nothing of the rest', async () => {
    const store = new TestStore()
    const relations = [{ type: 'related_to' as const, message_id: UNKNOWN }]
    const given = [
      {},
      { tags: [], importance: 50, memory_tier: 'short', memory_kind: 'conversation', summary: null },
      { tags: ['a'] },
      { importance: 0 },
      { memory_tier: 'long', memory_kind: 'preference' },
      { summary: 'birds', tool_call_id: 't' },
      { relations, source_message_ids: [UNKNOWN] },
      { expires_at: 4_102_444_800_000 },
    ] as const
    for (const metadata of given) await store.write('x', { metadata: metadata as object })
    const { history } = await store.askRead({ view: 'history', session_id: 's' })
    expect(history.map(({ metadata }: { metadata: unknown }) => metadata)).toEqual([
      undefined,
      undefined,
      ...given.slice(2),
    ])
    expect(history.at(-1).expires_at_text).toBe('2100-01-01T00:00:00Z')
  })

  test('has the time of its last change only when that is another time than that of the write', async () => {
    const store = new TestStore()
    const { message_id, timestamp } = await store.write('x')
    await store.sql('UPDATE messages SET timestamp = ?, updated_at = ?', 1_700_000_000_000, 1_700_000_000_250)
    const { message } = await store.askRead({ view: 'context', message_id })
    expect(message).toMatchObject({
      timestamp: 1_700_000_000_000,
      timestamp_text: '2023-11-14T22:13:20Z',
      updated_at: 1_700_000_000_250,
      updated_at_text: '2023-11-14T22:13:20.250Z',
    })
    await store.sql('UPDATE messages SET timestamp = ?, updated_at = ?, revision = 2', timestamp, timestamp)
    const { message: unchanged } = await store.askRead({ view: 'context', message_id })
    expect(unchanged.revision).toBe(2)
    expect(Object.keys(unchanged)).not.toContain('updated_at')
  })

  test('a message of a time beyond RFC 3339 is still answered', async () => {
    const store = new TestStore()
    await store.write('x')
    await store.sql(
      'UPDATE messages SET timestamp = ?, updated_at = ?',
      Number.MAX_SAFE_INTEGER,
      Number.MAX_SAFE_INTEGER,
    )
    const { history } = await store.askRead({ view: 'history', session_id: 's' })
    expect(history[0].timestamp).toBe(Number.MAX_SAFE_INTEGER)
  })

  test('keeps the whole content in history and context, and the full form has every field', async () => {
    const store = new TestStore()
    const { message_id } = await store.write('あ'.repeat(5000))
    for (const detail of ['compact', 'full']) {
      const { history } = await store.askRead({ view: 'history', session_id: 's', detail })
      expect([...history[0].content]).toHaveLength(5000)
      expect(history[0].content_bytes).toBeUndefined()
      const { message } = await store.askRead({ view: 'context', message_id, detail })
      expect([...message.content]).toHaveLength(5000)
    }
    const { history } = await store.askRead({ view: 'history', session_id: 's', detail: 'full' })
    expect(history).toEqual(value(await store.history()).history)
    expect(history[0].metadata.importance).toBe(50)
  })
})

describe('a compact search result', () => {
  test.each([
    ['heron '.repeat(99) + 'herons', 600, false],
    ['heron '.repeat(100) + 'x', 601, true],
    ['鷺'.repeat(600), 600, false],
    ['鷺'.repeat(601), 601, true],
    ['😀 heron'.repeat(300), 2100, true],
  ])('its content is cut to 600 code points (case %#)', async (content, chars, isCut) => {
    const store = new TestStore()
    await store.write(content)
    expect([...content]).toHaveLength(chars)
    const [result] = await store.askSearch({ query: 'heron 鷺' })
    expect([...result.content]).toHaveLength(Math.min(chars, 600))
    expect(content.startsWith(result.content)).toBe(true)
    if (isCut) {
      expect([result.content_bytes, result.content_truncated]).toEqual([utf8Bytes(content), true])
      expect(result.snippet.length).toBeLessThanOrEqual(240)
    } else {
      for (const field of ['snippet', 'content_bytes', 'content_truncated']) expect(result).not.toHaveProperty(field)
    }
  })

  test('the snippet shows the match that the cut content does not', async () => {
    const store = new TestStore()
    await store.write(`${'nothing of interest here. '.repeat(200)}The heron stood still. ${'More words. '.repeat(200)}`)
    const [result] = await store.askSearch({ query: 'heron' })
    expect(result.content).not.toContain('heron')
    expect(result.snippet).toContain('**heron**')
  })

  test('preview_chars replaces the 600 code points and always adds the size', async () => {
    const store = new TestStore()
    await store.write('heron '.repeat(500))
    const sizes = async (preview_chars: number) => {
      const [result] = await store.askSearch({ query: 'heron', preview_chars })
      return [result.content.length, result.content_bytes, result.content_truncated, 'snippet' in result]
    }
    expect(await sizes(0)).toEqual([0, 3000, true, true])
    expect(await sizes(700)).toEqual([700, 3000, true, true])
    expect(await sizes(4096)).toEqual([3000, 3000, false, false])
  })

  test('scores have four significant digits, and the breakdown has only the matching fields', async () => {
    const store = new TestStore()
    for (let at = 0; at < 20; at += 1) await store.write(`talk of pond ${at} and its heron`, { session_id: `${at}` })
    await store.write('a grey heron', { metadata: { tags: ['heron'], summary: 'birds' } })
    const compact = await store.askSearch({ query: 'grey heron', limit: 20 })
    const full = await store.askSearch({ query: 'grey heron', limit: 20, detail: 'full' })
    expect(compact.map(({ message_id }) => message_id)).toEqual(full.map(({ message_id }) => message_id))
    for (const [at, { score, score_breakdown, matched_fields }] of compact.entries()) {
      expect(score).toBe(Number(full[at].score.toPrecision(4)))
      expect(score).toBeGreaterThan(0)
      expect(Object.keys(score_breakdown)).toEqual(matched_fields)
      for (const field of matched_fields) {
        expect(score_breakdown[field]).toBe(Number(full[at].score_breakdown[field].toPrecision(4)))
      }
    }
    expect(compact[0].matched_fields).toEqual(['content', 'tags'])
    expect(Object.keys(full[0].score_breakdown)).toEqual(['content', 'summary', 'tags'])
  })

  test('neighbours are compact too, and cut', async () => {
    const store = new TestStore()
    await store.write('x'.repeat(2000))
    await store.write('heron')
    const [result] = await store.askSearch({ query: 'heron', context_size: 1 })
    const [before] = result.context_preview.before
    expect([before.content.length, before.content_bytes, before.metadata]).toEqual([600, 2000, undefined])
  })

  test('without a limit there are 10 results, and 20 in the full form', async () => {
    const store = new TestStore()
    for (let at = 0; at < 25; at += 1) await store.write(`heron ${at}`)
    expect(await store.askSearch({ query: 'heron' })).toHaveLength(10)
    expect(await store.askSearch({ query: 'heron', detail: 'full' })).toHaveLength(20)
    expect(await store.askSearch({ query: 'heron', limit: 25 })).toHaveLength(25)
    expect(await store.askSearch({})).toHaveLength(10)
  })

  test('a result in the full form has the whole content and none of the compact fields', async () => {
    const store = new TestStore()
    const content = 'the heron stands at the pond. '.repeat(40)
    const { message_id } = await store.write(content)
    const [result] = await store.askSearch({ query: 'heron', detail: 'full' })
    expect(result).toMatchObject({ message_id, content, metadata: { tags: [], importance: 50 } })
    expect(Object.keys(result)).toEqual(
      expect.arrayContaining(['updated_at', 'snippet', 'score_breakdown', 'relation_count', 'matched_fields']),
    )
    for (const added of ['timestamp_text', 'content_bytes', 'related', 'superseded_by']) {
      expect(result).not.toHaveProperty(added)
    }
  })
})

test('a write and an update answer in the full form', async () => {
  const store = new TestStore()
  const first = await store.write('a heron')
  const { message } = value(await store.update(first.message_id, { content: 'two herons' }))
  expect(value(await store.history({ detail: 'full' })).history).toEqual([message])
  expect(first).toEqual({ ...message, content: 'a heron', revision: 1, updated_at: first.timestamp })
  expect(message.metadata).toMatchObject({ tags: [], importance: 50 })
})

test('a compact session counts only kinds that occur, and has its times as text', async () => {
  const store = new TestStore()
  await store.write('x', { metadata: { memory_kind: 'preference' } })
  await store.write('y')
  const { timestamp } = await store.write('z')
  const { sessions } = await store.askRead({ view: 'sessions' })
  expect(sessions[0]).toMatchObject({ session_id: 's', message_count: 3, last_message_at: timestamp })
  expect(sessions[0].kind_counts).toEqual({ conversation: 2, preference: 1 })
  expect(Date.parse(sessions[0].last_message_at_text)).toBe(timestamp)
  expect(Date.parse(sessions[0].started_at_text)).toBe(sessions[0].started_at)
})
