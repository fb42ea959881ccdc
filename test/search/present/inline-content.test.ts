import * as fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { sizeOf } from '../../../src/search/present/answer-budget.ts'
import { clearIndex } from '../../support/index-world.ts'
import { runs } from '../../support/runs.ts'
import { ask, hits, owner, put, watched, type Answer, type Line } from '../../support/search-world.ts'

beforeEach(clearIndex)

const AT = '2026-11-29T00:00:00Z'
const doc = (doc_path: string, body: string): Line => ({ type: 'doc', doc_path, body, updated_at: AT })
const wiki = (wiki_path: string, body: string): Line => ({ type: 'wiki_doc', wiki_path, body, updated_at: AT })

/** UTF-16 units of each text that is shown: `doc:a.md 12`. */
const shown = (answer: Answer): string[] =>
  answer.results.flatMap((row, at) => (row.content === undefined ? [] : [`${hits(answer)[at]} ${row.content.length}`]))

const BOTH: readonly Line[] = [{ query: 'zebra' }, {}]

test.each(BOTH)('rows of documentation and wiki pages contain their whole text, other rows none: %o', async (call) => {
  await put([
    doc('a.md', 'zebra crossing'),
    wiki('Zebra-Page', 'zebra "stripes"\n'),
    { type: 'issue', number: 1, title: 'zebra', state: 'open', body: 'zebra', updated_at: AT },
  ])
  const recording = watched()
  const answer = await ask({ ...call, include_content: true }, owner, recording.index)
  expect(recording.trips.length).toBeLessThanOrEqual(2)
  const texts = answer.results.map(({ type, content, content_source, content_truncated, next_content_offset }) =>
    content === undefined ? type : [content, content_source, content_truncated, next_content_offset],
  )
  expect(texts.sort()).toEqual(
    ['issue', ['zebra "stripes"\n', 'index', false, undefined], ['zebra crossing', 'index', false, undefined]].sort(),
  )
  expect(shown(await ask(call))).toEqual([])
})

test.each(BOTH)('the first 5 rows of each type contain their text: %o', async (call) => {
  await put(Array.from({ length: 7 }, (_, at) => [doc(`${at}.md`, 'zebra'), wiki(`P-${at}`, 'zebra')]).flat())
  const answer = await ask({ ...call, top_k: 20, include_content: true })
  for (const type of ['doc', 'wiki_doc']) {
    const texts = answer.results.filter((row) => row.type === type).map(({ content }) => content)
    expect(texts).toEqual([...Array<string>(5).fill('zebra'), undefined, undefined])
  }
})

test.each(BOTH)('the largest texts are cut first, and their rest can be fetched: %o', async (call) => {
  const long = 'zebra 🦓 "line"\n'.repeat(8_000)
  await put([doc('short.md', `zebra ${'x'.repeat(9_000)}`), doc('long.md', long), wiki('Longer', `${long}${long}`)])
  const answer = await ask({ ...call, include_content: true })
  expect(JSON.stringify(answer).length).toBeLessThanOrEqual(100_000)
  expect(JSON.stringify(answer).length).toBeGreaterThan(95_000)
  const byTitle = new Map(answer.results.map((row) => [row.title, row]))
  expect(byTitle.get('short.md')).toMatchObject({ content_truncated: false })
  const cut = byTitle.get('long.md')!
  expect(cut.content_truncated).toBe(true)
  expect(cut.content).toBe(long.slice(0, cut.next_content_offset))
  expect(cut.content!.isWellFormed()).toBe(true)
  const rest = await ask({ vector_ids: [cut.vector_id], content_offset: cut.next_content_offset, content_max_chars: 9 })
  expect(long.startsWith(rest.results[0]!.content, cut.next_content_offset)).toBe(true)
})

test('a row with an empty body contains an empty text', async () => {
  await put([doc('zebra.md', '')])
  expect((await ask({ include_content: true })).results[0]).toMatchObject({ content: '', content_truncated: false })
})

test('for any texts the answer stays within its budget and each text is a head of its body', async () => {
  const size = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 60_000 }))
  const unit = fc.constantFrom('a', '"', '\n', '🦓', '\u0001', '猫')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(size, unit), { minLength: 1, maxLength: 6 }), async (texts) => {
      await clearIndex()
      const bodies = texts.map(([length, character]) => `zebra ${character.repeat(length)}`)
      await put(bodies.map((body, at) => doc(`${at}.md`, body)))
      const answer = await ask({ include_content: true, top_k: 50 })
      expect(JSON.stringify(answer).length).toBeLessThanOrEqual(100_000)
      const whole = answer.results.filter((row) => row.next_content_offset === undefined && row.content !== undefined)
      const most = Math.max(0, ...whole.map((row) => sizeOf(row.content!)))
      for (const row of answer.results) {
        if (row.content === undefined) continue
        expect(bodies[Number.parseInt(row.title!, 10)]!.startsWith(row.content)).toBe(true)
        // A text that is cut is at least as long as any whole one, but for half a character.
        if (row.content_truncated) expect(sizeOf(row.content)).toBeGreaterThanOrEqual(most - 12)
      }
    }),
    { numRuns: runs(12) },
  )
})
