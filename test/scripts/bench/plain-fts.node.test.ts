import { afterEach, beforeEach, expect, test } from 'vitest'
import { PlainFts } from '../../../scripts/bench/plain-fts.ts'

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

test('operators, quotes and a question without words are text like any other', () => {
  table.add(['near'], 'NEAR the "AND" gate (x)')
  expect(table.find('NEAR("gate" OR ', 10)).toEqual([['near']])
  expect(table.find('?! "" *', 10)).toEqual([])
})
