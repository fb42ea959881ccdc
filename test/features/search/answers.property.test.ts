import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { aggregate } from '../../../src/ranking/documents/aggregate.ts'
import { analyseQuestion } from '../../../src/text/question/question.ts'
import { snippetOf } from '../../../src/text/snippet.ts'
import { analyseText } from '../../../src/text/tokenize/words.ts'
import { runs } from '../../support/runs.ts'

/** Text of many scripts, emoji and names. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom('fooBar', 'foo_bar', 'C++', 'v1.2.3', '検索', 'カナ', '한국어', 'ภาษาไทย', '🚀', 'naïve', '#12'),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom(' ', '\n', '. ', '、'),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(' ').toWellFormed())

test('analysis loses no letter of an unspaced script, no digit and no emoji', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z0-9\u3041-\u3093\u4e00-\u4fff\uac00-\uadff\u{1F600}-\u{1F640} .,_/-]{1,40}$/u),
      (text) => {
        const { words, compounds, bigrams: pairs } = analyseText(text)
        const all = [...words, ...compounds, ...pairs].join(' ')
        for (const character of text) {
          // Not Latin letters: a stem may end otherwise than its word.
          if (/[\p{Lo}\p{N}\p{Extended_Pictographic}]/u.test(character)) expect(all).toContain(character)
        }
        expect(words.length > 0).toBe(/[\p{L}\p{N}_\p{Extended_Pictographic}]/u.test(text.replaceAll('_', '')))
      },
    ),
    { numRuns: runs(300) },
  )
})

test('a snippet is text of its body at its offset', () => {
  fc.assert(
    fc.property(text, fc.constantFrom('foo bar', '検索', '한국어', 'naive', '🚀'), (body, question) => {
      const { text: shown, offset } = snippetOf(body, 0, analyseQuestion(question))
      const bare = (one: string) => one.replaceAll('**', '').replace(/[\s*]/g, '')
      expect(bare(body.slice(offset)).startsWith(bare(shown))).toBe(true)
    }),
    { numRuns: runs(300) },
  )
})

test('aggregation loses no row and keeps the order of first rows', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 30 }), (entities) => {
      const rows = entities.map((entity, rank) => ({ entity, rank }))
      const groups = aggregate(rows, ({ entity }) => entity)
      const all = groups.flatMap(({ first, others }) => [first, ...others])
      expect(all.toSorted((a, b) => a.rank - b.rank)).toEqual(rows)
      expect(groups.map(({ first }) => first.rank)).toEqual(
        groups.map(({ first }) => first.rank).toSorted((a, b) => a - b),
      )
      for (const { first, others } of groups) for (const other of others) expect(other.entity).toBe(first.entity)
    }),
    { numRuns: runs(200) },
  )
})
