import { expect, test } from 'vitest'
import { readMemoryQuestion } from '../../../src/memory/search/message-question.ts'

/** The candidate terms in order, as `term~weight` if the weight is not 1. */
function terms(text: string): string {
  return readMemoryQuestion(text)
    .candidateTerms.map(({ term, weight }) => (weight === 1 ? term : `${term}~${weight}`))
    .join(' ')
}

test.each([
  ['茶', '茶 ～茶~0.4'],
  ['抹茶', '抹茶 ～抹茶~0.2'],
  ['🎉', '🎉'],
  ['POL-358', 'pol 358 pol358~0.85'],
  ['cafe\u0301', 'cafe'],
  ['Where did he buy her the painting last summer?', 'bui paint last summer ～paint~0.25 ～summe~0.25'],
  ['the painting', 'paint thepaint~0.85'],
  ['***', ''],
  ['#12', '12 ＃12~0.7'],
])('the terms of the question "%s" are as expected', (text, expected) => {
  expect(terms(text)).toBe(expected)
})

test('stop words of a sentence count in the ranking and select no candidates', () => {
  const { terms, candidateTerms: choosing } = readMemoryQuestion('Where is the lamp that I bought?')
  const beside = terms.filter((term) => !choosing.includes(term))
  expect(beside.map(({ term }) => term)).toEqual(['where', 'is', 'the', 'that', 'i'])
  expect(readMemoryQuestion('the lamp').terms).toEqual(readMemoryQuestion('the lamp').candidateTerms)
})

test.each([
  ['When did Ann move?', true],
  ['And when was that', true],
  ['Which year did she move', true],
  ['How long ago was it?', true],
  ['いつ引っ越しましたか', true],
  ['什么时候去的', true],
  ['What did Ann do when she moved?', false],
  ['Where is it?', false],
])('the question "%s" asks for a time: %s', (text, asks) => {
  expect(readMemoryQuestion(text).asksWhen).toBe(asks)
})

test.each([
  ['How many cats has Ann?', true],
  ['How often does she swim', true],
  ['犬は何匹いますか', true],
  ['How does she swim?', false],
])('the question "%s" asks for a number: %s', (text, asks) => {
  expect(readMemoryQuestion(text).asksHowMany).toBe(asks)
})

test.each([
  ['What did you recommend to me for dinner?', 'assistant'],
  ['remind me what you suggested', 'assistant'],
  ['What was your advice on the lamp', 'assistant'],
  ['Which degree did I finish?', 'user'],
  ['my phone number', 'user'],
  ['私の電話番号', 'user'],
  ['What did we decide?', undefined],
  ['What did Ann recommend?', undefined],
])('the question "%s" is answered by a message of: %s', (text, role) => {
  expect(readMemoryQuestion(text).saidBy).toBe(role)
})

test('a capitalised stop word within a question is a possible name', () => {
  expect(readMemoryQuestion('What did Will buy?').names).toEqual(['will'])
  expect(readMemoryQuestion('Will he buy it?').names).toEqual([])
})

test.each([
  ['the "blue lamps" here', [[['blue', 'lamps']]], ['blue', 'lamp', 'here']],
  ['"used one" and “on the”', [[['used', 'one']], [['on', 'the']]], ['use', 'one', 'on~0.1', 'the~0.1']],
  ['"茶"', [[['～茶']]], ['茶', '～茶~0.4']],
  ['a "lamp', [], ['lamp']],
])('the phrases of %s are read, and their words are candidate terms', (text, phrases, expected) => {
  expect(readMemoryQuestion(text).phrases).toEqual(phrases)
  const candidates = terms(text).split(' ')
  for (const term of expected) if (term !== 'here') expect(candidates).toContain(term)
})

test('the longest question is analysed quickly into a bounded number of terms', () => {
  const all = String.fromCodePoint(...Array.from({ length: 1365 }, (_, at) => 0x4e00 + 7 * at))
  for (const text of [all, ...['when ', 'あ', 'you ', 'I', 'paintings ', 'Will, '].map((unit) => unit.repeat(800))]) {
    const start = performance.now()
    const question = readMemoryQuestion(text)
    expect(performance.now() - start).toBeLessThan(500)
    expect(question.terms.length).toBeLessThanOrEqual(160)
  }
})
