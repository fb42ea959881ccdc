import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { termKey } from '../../src/base/packed-terms.ts'
import { toSignals } from '../../src/memory/signals.ts'
import { unpackFields, unpackTraits } from '../../src/ranking/message-signals.ts'
import { runs } from '../support/runs.ts'

const TALK = { role: 'user', tags: [] } as const

test('columns hold the words of content, summary and tags apart', () => {
  const { pieces } = toSignals({
    role: 'user',
    content: 'We went to POL-358',
    summary: 'Tickets',
    tags: ['café', 'a b'],
  })
  expect(pieces.map(({ columns }) => columns)).toEqual([
    { content: 'we go to pol 358 pol358', summary: 'ticket ～ticke', tags: 'cafe a b' },
  ])
})

test('content in unspaced scripts is found by words, pairs and characters', () => {
  const [piece] = toSignals({ ...TALK, content: '抹茶🎉' }).pieces
  expect(piece?.columns.content).toBe('抹茶 🎉 ～抹茶 ～抹 ～茶')
})

test('a long message has pieces; the first carries summary and tags', () => {
  const content = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} speaks of lamps and of nothing else.`).join(
    '\n\n',
  )
  const { pieces } = toSignals({ ...TALK, content, summary: 'lighting', tags: ['home'] })
  expect(pieces.length).toBeGreaterThan(2)
  expect(pieces.map(({ columns }) => columns.tags)).toEqual(['home', ...pieces.slice(1).map(() => '')])
  expect(pieces.map(({ columns }) => columns.summary)[1]).toBe('')
  for (const { start, chars, columns } of pieces.slice(1)) {
    expect(content.slice(start, start + chars)).toContain('Paragraph')
    expect(columns.content).toContain('lamp')
  }
})

test('what is stored of an ordinary message is about as long as the message', () => {
  const content =
    'Ann: Yes! I bought the lamp at the flea market two weeks ago, together with a chair that my sister had wanted for ages.'
  const { traits, pieces } = toSignals({ ...TALK, content })
  expect(traits.length + pieces[0]!.terms.length).toBeLessThan(content.length * 1.5)
})

test('traits are read back as they were made', () => {
  const { traits } = toSignals({ role: 'assistant', content: 'Ann Lee: did you see 3 of them yesterday?', tags: [] })
  expect(unpackTraits(traits)).toEqual({
    role: 'assistant',
    speaker: [termKey('ann'), termKey('lee')],
    isQuestion: true,
    hasTime: true,
    hasNumber: true,
  })
})

test('any text gives pieces that cover it, and every term of a column is in the forward index', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 })
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 3 }), (content, summary, tags) => {
      const { pieces } = toSignals({ role: 'user', content, summary, tags })
      expect(pieces[0]?.start).toBe(0)
      expect(pieces.at(-1)!.start + pieces.at(-1)!.chars).toBe(content.length)
      for (const { columns, terms, length } of pieces) {
        const keys = [new Set<number>(), new Set<number>(), new Set<number>()]
        unpackFields(terms, (key, count, field) => {
          expect(count).toBeGreaterThan(0)
          keys[field]!.add(key)
        })
        for (const [field, name] of (['content', 'summary', 'tags'] as const).entries()) {
          const words = columns[name].split(' ').filter((word) => word !== '')
          expect(new Set(words.map(termKey))).toEqual(keys[field])
        }
        expect(Number.isInteger(length)).toBe(true)
      }
    }),
    { numRuns: runs(200) },
  )
})
