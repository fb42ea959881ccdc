import { afterEach, beforeEach, expect, test } from 'vitest'
import { shareOfSessions } from '../../../scripts/bench/memory/conversation-set.ts'
import { PlainFts } from '../../../scripts/bench/plain-fts.ts'
import { mean } from '../../../scripts/bench/quality.ts'
import { PEOPLE, sessionsOf } from '../../support/mixed-people.ts'

let table: PlainFts
beforeEach(() => void (table = new PlainFts()))
afterEach(() => table.close())

test('any word of the question is enough, and words are compared by their stems', () => {
  table.add(['tea'], 'Brewing tea takes water')
  table.add(['coffee'], 'Grinding coffee takes time')
  table.add(['milk'], 'Milk')
  expect(table.find('who brews?', 10)).toEqual([['tea']])
  expect(table.find('take milk', 10)).toHaveLength(3)
  expect(table.find('take milk', 1)).toEqual([['milk']])
})

test('a word that stands twice in the question counts twice', () => {
  for (const [name, text] of Object.entries({ tea: 'tea leaf', milk: 'milk leaf', a: 'x y', b: 'x z', c: 'y z' })) {
    table.add([name], text)
  }
  expect(table.find('tea milk milk', 1)).toEqual([['milk']])
  expect(table.find('tea tea milk', 1)).toEqual([['tea']])
})

test('text without spaces is searched by its words', () => {
  table.add(['ja'], '東京都の天気予報を確認する')
  table.add(['zh'], '测试数据库连接')
  table.add(['th'], 'ภาษาไทยเขียนติดกัน')
  expect(table.find('天気', 10)).toEqual([['ja']])
  expect(table.find('数据库', 10)).toEqual([['zh']])
  expect(table.find('ภาษา', 10)).toEqual([['th']])
})

test('a question may be about one session', () => {
  table.add(['first'], 'tea for two', 'one')
  table.add(['second'], 'tea and tea for three', 'two')
  expect(table.find('tea', 10)).toEqual([['second'], ['first']])
  expect(table.find('tea', 10, 'one')).toEqual([['first']])
  expect(table.find('tea', 10, 'three')).toEqual([])
})

test('operators, quotes and a question without words are text like any other', () => {
  table.add(['near'], 'NEAR the "AND" gate (x)')
  expect(table.find('NEAR("gate" OR ', 10)).toEqual([['near']])
  expect(table.find('?! "" *', 10)).toEqual([])
})

test.each(['Ingrid', 'Rafael'] as const)(
  'of the sessions of %s it finds the share that ours is compared with',
  (person) => {
    const { messages, questions } = sessionsOf(person)
    const sessionOf = new Map(messages.map(({ id, session }) => [id, session]))
    for (const { id, text } of messages) table.add([id], text)
    const shares = questions.map(({ text, evidence }) =>
      shareOfSessions(evidence, table.find(text, 10).flat(), sessionOf),
    )
    expect(mean(shares)).toBeCloseTo(PEOPLE[person].plainShare, 3)
  },
)
