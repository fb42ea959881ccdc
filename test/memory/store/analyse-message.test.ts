/** The analysis of a message: index columns, traits, and the version by which stores know them. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256 } from '../../../src/base/hash.ts'
import { termKey } from '../../../src/fts/packed-terms.ts'
import { SIGNALS_VERSION, toSignals, type SearchedMessage } from '../../../src/memory/store/analyse-message.ts'
import { unpackFields, unpackTraits } from '../../../src/ranking/conversations/message-signals.ts'
import { runs } from '../../support/runs.ts'

/** Digest of the signals of the messages below, by version of the analysis. */
const DIGESTS: Readonly<Record<number, string>> = { 4: 'XSoyqu6kcmgVjZofU_WRU40eRzt7Y4guuiNzF6KxuO0' }

/** Messages of several scripts, speakers and shapes. */
const SPOKEN: readonly SearchedMessage[] = [
  { role: 'user', content: 'Ann Lee: did you see three of the herons yesterday, or only 2?', tags: [] },
  { role: 'assistant', content: 'They went home; the children’s tickets were bought twice.', tags: [] },
  { role: 'system', content: '', summary: 'Nothing was said', tags: ['empty'] },
  {
    role: 'user',
    content: 'POL-358: `readTerms()` in src/text/question/question-terms.ts throws at v2.10.3',
    tags: ['bug fix'],
  },
  { role: 'user', content: 'Café Müller, naïve façade, STRASSE und Straße, ﬁne Ångström', tags: ['Çédille'] },
  {
    role: 'user',
    content: '昨日は東京で抹茶ラーメンを３杯食べました。ｶﾀｶﾅも。',
    summary: '食事の記録',
    tags: ['日記'],
  },
  { role: 'user', content: 'OAuth2 の状態は ¥12,000 と 12_000、らーめんの statuses', tags: ['aliases'] },
  { role: 'assistant', content: '我们下周三去图书馆借两本书，好不好？', tags: [] },
  { role: 'user', content: '어제 도서관에서 책을 두 권 빌렸습니다.', tags: ['독서'] },
  { role: 'user', content: 'เมื่อวานฉันกินข้าวผัดสองจานที่ตลาด', tags: [] },
  { role: 'user', content: 'Вчера мы купили три книги об Ёлках', tags: [] },
  { role: 'user', content: 'اشترينا كِتابًا أمس، וקראנו שני ספרים; मैंने दो किताबें पढ़ीं', tags: [] },
  { role: 'user', content: '🎉👩‍👩‍👧 !!! \u0000 \ud800 ***', tags: ['🎉'] },
  { role: 'user', content: 'A long paragraph about the lamp on the desk. '.repeat(60), summary: 'lighting', tags: [] },
]

const TALK = { role: 'user', tags: [] } as const

test('the signals of messages change only with SIGNALS_VERSION', () => {
  const digest = sha256(JSON.stringify(SPOKEN.map(toSignals)))
  expect(digest, 'the signals of messages have changed: increase SIGNALS_VERSION').toBe(DIGESTS[SIGNALS_VERSION])
})

test('the words of content, summary and tags are in columns of their own', () => {
  const { chunks } = toSignals({
    role: 'user',
    content: 'We went to POL-358',
    summary: 'Tickets',
    tags: ['café', 'a b'],
  })
  expect(chunks.map(({ columns }) => columns)).toEqual([
    { content: 'we went to pol 358 ＿ go ＿ pol358', summary: 'tickets ＿ ticket ＿ ～ticke', tags: 'cafe ＿ a b' },
  ])
})

test('content in an unspaced script has words, bigrams and characters as terms', () => {
  const [chunk] = toSignals({ ...TALK, content: '抹茶🎉' }).chunks
  expect(chunk?.columns.content).toBe('抹茶 🎉 ＿ ～抹茶 ＿ ～抹 ～茶')
})

test('a long message has several chunks, and the first one has summary and tags', () => {
  const content = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} speaks of lamps and of nothing else.`).join(
    '\n\n',
  )
  const { chunks } = toSignals({ ...TALK, content, summary: 'lighting', tags: ['home'] })
  expect(chunks.length).toBeGreaterThan(2)
  expect(chunks.map(({ columns }) => columns.tags)).toEqual(['home', ...chunks.slice(1).map(() => '')])
  expect(chunks.map(({ columns }) => columns.summary)[1]).toBe('')
  for (const { start, chars, columns } of chunks.slice(1)) {
    expect(content.slice(start, start + chars)).toContain('Paragraph')
    expect(columns.content).toContain('lamp')
  }
})

test('the signals of an ordinary message are about as long as the message', () => {
  const content =
    'Ann: Yes! I bought the lamp at the flea market two weeks ago, together with a chair that my sister had wanted for ages.'
  const { traits, chunks } = toSignals({ ...TALK, content })
  expect(traits.length + chunks[0]!.terms.length).toBeLessThan(content.length * 1.5)
})

test('packed traits unpack to the same traits', () => {
  const { traits } = toSignals({ role: 'assistant', content: 'Ann Lee: did you see 3 of them yesterday?', tags: [] })
  expect(unpackTraits(traits)).toEqual({
    role: 'assistant',
    speaker: [termKey('ann'), termKey('lee')],
    isQuestion: true,
    hasTime: true,
    hasNumber: true,
  })
})

test('the chunks of any text cover it, and the columns have every packed term', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 })
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 3 }), (content, summary, tags) => {
      const { chunks } = toSignals({ role: 'user', content, summary, tags })
      expect(chunks[0]?.start).toBe(0)
      expect(chunks.at(-1)!.start + chunks.at(-1)!.chars).toBe(content.length)
      for (const { columns, terms, length } of chunks) {
        const keys = [new Set<number>(), new Set<number>(), new Set<number>()]
        unpackFields(terms, (key, count, field) => {
          expect(count).toBeGreaterThan(0)
          keys[field]!.add(key)
        })
        for (const [field, name] of (['content', 'summary', 'tags'] as const).entries()) {
          const words = new Set(columns[name].split(' ').map(termKey))
          expect([...keys[field]!].filter((key) => !words.has(key))).toEqual([])
        }
        expect(Number.isInteger(length)).toBe(true)
      }
    }),
    { numRuns: runs(200) },
  )
})
