import { expect, test } from 'vitest'
import { identifierParts, versionTerm } from '../../../src/text/tokenize/identifiers.ts'

/** `word foo 0-3`, one for each part. */
const parts = (name: string): string[] =>
  identifierParts(name).map(({ kind, folded, start, end }) => `${kind} ${folded} ${start}-${end}`)

test.each([
  ['foo_bar', ['word foo 0-3', 'word bar 4-7', 'compound foobar 0-7']],
  ['fooBar', ['word foobar 0-6', 'compound foo 0-3', 'compound bar 3-6']],
  ['HTTPServer', ['word httpserver 0-10', 'compound http 0-4', 'compound server 4-10']],
  ['v1.2.3', ['word 1．2．3 0-6', 'relative 1．2 0-6', 'relative v1 0-6']],
])('The parts of %s are known.', (name, expected) => {
  expect(parts(name)).toEqual(expected)
})

test.each([
  ['v1.2.3', '1．2．3'],
  ['1.2.3-RC.1', '1．2．3－rc．1'],
  ['1', undefined],
  ['1.2 or 1.3', undefined],
])('The version term of %s is %s.', (text, term) => {
  expect(versionTerm(text)).toBe(term)
})
