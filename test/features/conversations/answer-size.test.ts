/** How many bytes compact answers take, and how the contents of search results are cut to fit. */
import { describe, expect, test } from 'vitest'
import { utf8Bytes } from '../../../src/base/utf8.ts'
import { TestStore } from '../../support/memory-world.ts'

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

describe('the size of an answer', () => {
  test('a short message takes at most 350 bytes around its content', async () => {
    const store = new TestStore()
    const metadata = { tags: ['heron', 'pond'], summary: 'a heron', importance: 90 }
    for (let at = 0; at < 40; at += 1) {
      await store.write(`heron number ${at}`, { role: 'assistant', metadata: at % 2 === 0 ? metadata : {} })
    }
    const results = await store.askSearch({ query: 'the heron of the pond', limit: 40 })
    expect(results).toHaveLength(40)
    for (const result of results) expect(bytesAround(result)).toBeLessThanOrEqual(350)
    const [{ message_id }] = results
    await store.update(message_id, { content: 'a changed heron' })
    const { history } = await store.askRead({ view: 'history', session_id: 's' })
    for (const message of history) expect(bytesAround(message)).toBeLessThanOrEqual(350)
    const { message } = await store.askRead({ view: 'context', message_id })
    expect(bytesAround(message)).toBeLessThanOrEqual(350)
    for (const listed of await store.askSearch({ limit: 40 })) expect(bytesAround(listed)).toBeLessThanOrEqual(350)
  })

  test('a search over long turns of an assistant takes at most 12 kB', async () => {
    const store = new TestStore()
    for (let at = 0; at < 30; at += 1) {
      await store.write(`How do I feed the heron of pond ${at}?`, { session_id: `conversation-2026-11-${at}` })
      await store.write(longTurn(at), { session_id: `conversation-2026-11-${at}`, role: 'assistant' })
    }
    const sizes = []
    for (const query of ['heron feed log', 'check the time of the plan', 'note the pond', 'shall I go on?']) {
      const results = await store.askSearch({ query })
      expect(results).toHaveLength(10)
      sizes.push(utf8Bytes(JSON.stringify({ results })))
      expect(sizes.at(-1)).toBeLessThanOrEqual(12_000)
    }
    expect(Math.max(...sizes)).toBeGreaterThan(6_000)
    const full = await store.askSearch({ query: 'heron feed log', detail: 'full', limit: 10 })
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
    const results = await store.askSearch({ query })
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
    const [one] = await store.askSearch({ query, limit: 1 })
    expect([...one.content]).toHaveLength(600)
    const [listed] = await store.askSearch({ session_id: 'conversation-2026-11-3' })
    expect([...listed.content]).toHaveLength(600)
    expect(utf8Bytes(JSON.stringify({ results: await store.askSearch({}) }))).toBeLessThanOrEqual(12_000)
    const whole = await store.askSearch({ query, preview_chars: 550 })
    for (const result of whole) expect([...result.content]).toHaveLength(550)
  })

  test('more results than ten take at most 1,200 bytes each together, neighbours not counted', async () => {
    const store = new TestStore()
    for (let at = 0; at < 30; at += 1) await store.write(`鷺${'の餌を記録してください。'.repeat(100)}`)
    for (const limit of [11, 25]) {
      const results = await store.askSearch({ query: '鷺', limit, context_size: 1 })
      expect(results).toHaveLength(limit)
      const bytes = utf8Bytes(
        JSON.stringify({ results: results.map((result) => ({ ...result, context_preview: undefined })) }),
      )
      expect(bytes).toBeLessThanOrEqual(1_200 * limit)
      expect(bytes).toBeGreaterThan(1_000 * limit)
    }
  })

  test('short results stay whole beside long ones that are cut', async () => {
    const store = new TestStore()
    for (let at = 0; at < 9; at += 1) await store.write(`鷺${'の餌を記録してください。'.repeat(100)}`)
    await store.write('鷺')
    const results = await store.askSearch({ query: '鷺' })
    expect(results).toHaveLength(10)
    const short = results.find(({ content }) => content === '鷺')
    expect(short).not.toHaveProperty('content_truncated')
    expect(short).not.toHaveProperty('snippet')
  })
})
