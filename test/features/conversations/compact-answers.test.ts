/** The compact form of answers: what it keeps, what it omits, and how many bytes it takes. */
import { describe, expect, test } from 'vitest'
import { parseReadMessagesArguments } from '../../../src/contracts/tools/read-messages.ts'
import { parseSearchMessagesArguments } from '../../../src/contracts/tools/search-messages.ts'
import { utf8Bytes } from '../../../src/base/utf8.ts'
import { memory, TestStore, value } from '../../support/memory-world.ts'
import { accepted } from '../../support/parsed.ts'

const UNKNOWN = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

/** Calls as the tools do, with the defaults of the contract. */
async function search(store: TestStore, args: object): Promise<any[]> {
  return value(await memory.search(store.user, accepted(parseSearchMessagesArguments(args)))).results
}
async function read(store: TestStore, args: object): Promise<any> {
  return value(await memory.read(store.user, accepted(parseReadMessagesArguments(args))))
}

/** UTF-8 bytes of a message in an answer beside its content, its session_id and its metadata. */
function bytesAround(message: object): number {
  return utf8Bytes(JSON.stringify({ ...message, content: '', session_id: '', metadata: undefined }))
}

/** Answer of an assistant as they are: headings, lists, code. */
function longTurn(at: number): string {
  const steps = Array.from(
    { length: 14 },
    (_, step) =>
      `${step + 1}. **Step ${step + 1}**: check the heron feed no. ${at * 7 + step} and note the "time" in the log.`,
  )
  const code = '```sh\nfeed --list | sort\nfeed --add "heron"\n```'
  return [`## Plan ${at}`, `The herons of pond ${at} need a plan.`, ...steps, code, 'Shall I go on?'].join('\n\n')
}

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
    const { history } = await read(store, { view: 'history', session_id: 's1' })
    expect(history).toEqual([plain])
    expect(Date.parse(history[0].timestamp_text)).toBe(timestamp)
    const [result] = await search(store, { query: 'heron' })
    expect(result).toEqual({
      ...plain,
      score: expect.any(Number),
      score_breakdown: { content: expect.any(Number) },
      matched_fields: ['content'],
      relation_count: 0,
      session_more: 0,
    })
    expect(await read(store, { view: 'context', message_id })).toEqual({
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
    const { history } = await read(store, { view: 'history', session_id: 's' })
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
    const { message } = await read(store, { view: 'context', message_id })
    expect(message).toMatchObject({
      timestamp: 1_700_000_000_000,
      timestamp_text: '2023-11-14T22:13:20Z',
      updated_at: 1_700_000_000_250,
      updated_at_text: '2023-11-14T22:13:20.250Z',
    })
    await store.sql('UPDATE messages SET timestamp = ?, updated_at = ?, revision = 2', timestamp, timestamp)
    const { message: unchanged } = await read(store, { view: 'context', message_id })
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
    const { history } = await read(store, { view: 'history', session_id: 's' })
    expect(history[0].timestamp).toBe(Number.MAX_SAFE_INTEGER)
  })

  test('keeps the whole content in history and context, and the full form has every field', async () => {
    const store = new TestStore()
    const { message_id } = await store.write('あ'.repeat(5000))
    for (const detail of ['compact', 'full']) {
      const { history } = await read(store, { view: 'history', session_id: 's', detail })
      expect([...history[0].content]).toHaveLength(5000)
      expect(history[0].content_bytes).toBeUndefined()
      const { message } = await read(store, { view: 'context', message_id, detail })
      expect([...message.content]).toHaveLength(5000)
    }
    const { history } = await read(store, { view: 'history', session_id: 's', detail: 'full' })
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
    const [result] = await search(store, { query: 'heron 鷺' })
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
    const [result] = await search(store, { query: 'heron' })
    expect(result.content).not.toContain('heron')
    expect(result.snippet).toContain('**heron**')
  })

  test('preview_chars replaces the 600 code points and always adds the size', async () => {
    const store = new TestStore()
    await store.write('heron '.repeat(500))
    const sizes = async (preview_chars: number) => {
      const [result] = await search(store, { query: 'heron', preview_chars })
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
    const compact = await search(store, { query: 'grey heron', limit: 20 })
    const full = await search(store, { query: 'grey heron', limit: 20, detail: 'full' })
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
    const [result] = await search(store, { query: 'heron', context_size: 1 })
    const [before] = result.context_preview.before
    expect([before.content.length, before.content_bytes, before.metadata]).toEqual([600, 2000, undefined])
  })

  test('without a limit there are 10 results, and 20 in the full form', async () => {
    const store = new TestStore()
    for (let at = 0; at < 25; at += 1) await store.write(`heron ${at}`)
    expect(await search(store, { query: 'heron' })).toHaveLength(10)
    expect(await search(store, { query: 'heron', detail: 'full' })).toHaveLength(20)
    expect(await search(store, { query: 'heron', limit: 25 })).toHaveLength(25)
    expect(await search(store, {})).toHaveLength(10)
  })
})

test('a compact session counts only kinds that occur, and has its times as text', async () => {
  const store = new TestStore()
  await store.write('x', { metadata: { memory_kind: 'preference' } })
  await store.write('y')
  const { timestamp } = await store.write('z')
  const { sessions } = await read(store, { view: 'sessions' })
  expect(sessions[0]).toMatchObject({ session_id: 's', message_count: 3, last_message_at: timestamp })
  expect(sessions[0].kind_counts).toEqual({ conversation: 2, preference: 1 })
  expect(Date.parse(sessions[0].last_message_at_text)).toBe(timestamp)
  expect(Date.parse(sessions[0].started_at_text)).toBe(sessions[0].started_at)
})

describe('the size of an answer', () => {
  test('a short message takes at most 350 bytes around its content', async () => {
    const store = new TestStore()
    const metadata = { tags: ['heron', 'pond'], summary: 'a heron', importance: 90 }
    for (let at = 0; at < 40; at += 1) {
      await store.write(`heron number ${at}`, { role: 'assistant', metadata: at % 2 === 0 ? metadata : {} })
    }
    const results = await search(store, { query: 'the heron of the pond', limit: 40 })
    expect(results).toHaveLength(40)
    for (const result of results) expect(bytesAround(result)).toBeLessThanOrEqual(350)
    const [{ message_id }] = results
    await store.update(message_id, { content: 'a changed heron' })
    const { history } = await read(store, { view: 'history', session_id: 's' })
    for (const message of history) expect(bytesAround(message)).toBeLessThanOrEqual(350)
    const { message } = await read(store, { view: 'context', message_id })
    expect(bytesAround(message)).toBeLessThanOrEqual(350)
    for (const listed of await search(store, { limit: 40 })) expect(bytesAround(listed)).toBeLessThanOrEqual(350)
  })

  test('a search over long turns of an assistant takes at most 12 kB', async () => {
    const store = new TestStore()
    for (let at = 0; at < 30; at += 1) {
      await store.write(`How do I feed the heron of pond ${at}?`, { session_id: `conversation-2026-11-${at}` })
      await store.write(longTurn(at), { session_id: `conversation-2026-11-${at}`, role: 'assistant' })
    }
    const sizes = []
    for (const query of ['heron feed log', 'check the time of the plan', 'note the pond', 'shall I go on?']) {
      const results = await search(store, { query })
      expect(results).toHaveLength(10)
      sizes.push(utf8Bytes(JSON.stringify({ results })))
      expect(sizes.at(-1)).toBeLessThanOrEqual(12_000)
    }
    expect(Math.max(...sizes)).toBeGreaterThan(6_000)
    const full = await search(store, { query: 'heron feed log', detail: 'full', limit: 10 })
    expect(utf8Bytes(JSON.stringify({ results: full }))).toBeGreaterThan(1.3 * sizes[0]!)
  })

  test.each([
    ['of Japanese', '鷺の餌を時間どおりに記録し、必要に応じて量を調整してください。'.repeat(40), '鷺の餌の記録'],
    ['of Chinese with bold words', '请**按时**记录苍鹭的食物。\n\n'.repeat(80), '苍鹭 食物 记录'],
    ['of Korean', '왜가리의 먹이를 제시간에 기록해 주세요. '.repeat(60), '왜가리 먹이'],
    ['of code', '\t"heron": "x",\r\n\t"pond": "y",\r\n'.repeat(80), 'heron pond'],
    ['of emoji', '🪿🦩 heron '.repeat(200), 'heron'],
    ['of just 600 characters', '鷺'.repeat(600), '鷺'],
  ])('ten long turns %s take at most 12 kB, and one has its 600 characters', async (_, content, query) => {
    const store = new TestStore()
    for (let at = 0; at < 12; at += 1) {
      await store.write(content, { session_id: `conversation-2026-11-${at}`, role: 'assistant' })
    }
    const results = await search(store, { query })
    expect(results).toHaveLength(10)
    const bytes = utf8Bytes(JSON.stringify({ results }))
    expect(bytes).toBeLessThanOrEqual(12_000)
    expect(bytes).toBeGreaterThan(11_000)
    for (const result of results) {
      expect(content.startsWith(result.content) && result.content.isWellFormed()).toBe(true)
      expect([...result.content].length).toBeGreaterThanOrEqual(100)
      expect(result).toMatchObject({ content_bytes: utf8Bytes(content), content_truncated: true })
      expect(result.snippet.length).toBeLessThanOrEqual(160)
    }
    const [one] = await search(store, { query, limit: 1 })
    expect([...one.content]).toHaveLength(600)
    const [listed] = await search(store, { session_id: 'conversation-2026-11-3' })
    expect([...listed.content]).toHaveLength(600)
    expect(utf8Bytes(JSON.stringify({ results: await search(store, {}) }))).toBeLessThanOrEqual(12_000)
    const whole = await search(store, { query, preview_chars: 550 })
    for (const result of whole) expect([...result.content]).toHaveLength(550)
  })

  test('short results stay whole beside long ones that are cut', async () => {
    const store = new TestStore()
    for (let at = 0; at < 9; at += 1) await store.write(`鷺${'の餌を記録してください。'.repeat(100)}`)
    await store.write('鷺')
    const results = await search(store, { query: '鷺' })
    expect(results).toHaveLength(10)
    const short = results.find(({ content }) => content === '鷺')
    expect(short).not.toHaveProperty('content_truncated')
    expect(short).not.toHaveProperty('snippet')
  })

  test('a result in the full form has the whole content and none of the compact fields', async () => {
    const store = new TestStore()
    const { message_id } = await store.write(longTurn(1))
    const [result] = await search(store, { query: 'heron', detail: 'full' })
    expect(result).toMatchObject({ message_id, content: longTurn(1), metadata: { tags: [], importance: 50 } })
    expect(Object.keys(result)).toEqual(
      expect.arrayContaining(['updated_at', 'snippet', 'score_breakdown', 'relation_count', 'matched_fields']),
    )
    for (const added of ['timestamp_text', 'content_bytes', 'related', 'superseded_by']) {
      expect(result).not.toHaveProperty(added)
    }
  })
})
