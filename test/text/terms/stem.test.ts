import { expect, test } from 'vitest'
import { MAX_TERM_CHARS } from '../../../src/text/limits.ts'
import { toTerm } from '../../../src/text/terms/stem.ts'

test.each([
  ['indexes', 'indexing'],
  ['connection', 'connected'],
])('The words %s and %s have one term.', (one, other) => {
  expect(toTerm(one)).toBe(toTerm(other))
})

test.each([
  'alias aliases aliased',
  'typealias typealiases',
  'status statuses',
  'bus buses',
  'class classes',
  'query queries',
  'index indexes indices',
  'virus viruses',
  'canvas canvases',
  'bias biases biased',
  'focus focuses focused',
  'radius radii radiuses',
  'lens lenses',
  'analysis analyses analysed',
  'parenthesis parentheses',
  'tie ties tied',
  'menu menus',
  'gpu gpus',
  'axis axes',
  'quiz quizzes',
  'child children',
  'database databases',
  'cache caches cached',
])('The forms %s have one term.', (forms) => {
  const [first = '', ...others] = forms.split(' ')
  for (const other of others) expect(toTerm(other)).toBe(toTerm(first))
})

test.each([
  ['basis', 'base'],
  ['corpus', 'corp'],
  ['thesis', 'these'],
])('The words %s and %s have different terms.', (one, other) => {
  expect(toTerm(one)).not.toBe(toTerm(other))
})

test.each(['v2', 'ab', '検索', 'c＋＋', 'x'.repeat(MAX_TERM_CHARS)])('The word %s is its own term.', (word) => {
  expect(toTerm(word)).toBe(word)
})

test('A word that is too long becomes a short term that differs by its end.', () => {
  const [one, other] = ['1', '2'].map((end) => toTerm(`${'x'.repeat(500)}${end}`))
  expect(one!.length).toBeLessThanOrEqual(MAX_TERM_CHARS)
  expect(one).not.toBe(other)
})
