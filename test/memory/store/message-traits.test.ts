import { expect, test } from 'vitest'
import { termKey } from '../../../src/fts/packed-terms.ts'
import { endsAsQuestion, hasNumber, hasTime, speakerKeys } from '../../../src/memory/store/message-traits.ts'

test.each([
  ['Ann: hello', 'ann'],
  ['**Ann Lee:** hello', 'ann lee'],
  ['[9 May, 10:15] Ann (from work): hello', 'ann'],
  ['Dr. Okafor: next please', 'okafor'],
  ["O'Brien: hello", 'o brien'],
  ['田中：はい', '田中'],
  ['hello Ann', ''],
  ['https://example.org', ''],
  ['10:15 works for me', ''],
  ['There are four things to say: one', ''],
  ['', ''],
])('the speaker of the content "%s" is found', (content, names) => {
  expect(speakerKeys(content)).toEqual(names === '' ? [] : names.split(' ').map(termKey))
})

test.each([
  ['Are you well?', true],
  ['元気ですか？', true],
  ['Really?! 😀 ', true],
  ['He asked "why?"', true],
  ['Why? Because.', false],
  ['Fine.', false],
  ['', false],
])('the content "%s" ends as a question: %s', (content, asks) => {
  expect(endsAsQuestion(content)).toBe(asks)
})

test.each([
  ['I saw her yesterday', true],
  ['two weeks ago', true],
  ['on 3 March', false],
  ['in March', true],
  ['March 3', true],
  ['We march on', false],
  ['I may come', false],
  ['the 14th', true],
  ['at 5pm', true],
  ['since 1998', true],
  ['last weekend', true],
  ['先週の土曜日', true],
  ['昨天去了', true],
  ['지난주에', true],
  ['I like tea', false],
])('the content "%s" mentions a time: %s', (content, mentions) => {
  expect(hasTime(content)).toBe(mentions)
})

test.each([
  ['I have three cats', true],
  ['saw it twice', true],
  ['12 of them', true],
  ['三人で行った', true],
  ['some cats', false],
  ['anyone there', false],
])('the content "%s" mentions a number: %s', (content, mentions) => {
  expect(hasNumber(content)).toBe(mentions)
})

test('long contents of repeated characters are analysed quickly', () => {
  for (const unit of ['a', 'a ', ' ', '*', 'a: ', '?', '“', '1', '9th ']) {
    const content = unit.repeat(1_000_000 / unit.length)
    const start = performance.now()
    speakerKeys(content)
    endsAsQuestion(content)
    hasTime(content)
    hasNumber(content)
    expect(performance.now() - start).toBeLessThan(1000)
  }
})
