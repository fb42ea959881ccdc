import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutCode } from '../../src/text/markdown-code.ts'
import { runs } from '../support/runs.ts'

test.each([
  ['a `#12` b', 'a ` b'],
  ['`a` and ``b ` c`` end', '` and ` end'],
  ['`` `#1` ``', '`'],
  ['an `unclosed #12', 'an `unclosed #12'],
  ['`a`` b', '`a`` b'],
  ['``a` b` c', '``a` c'],
  ['over\n`two\nlines` #1', 'over\n` #1'],
  ['`one\n\ntwo` #1', '`one\n\ntwo` #1'],
  ['- `one\n- two` #1', '- `one\n- two` #1'],
  ['\\`a` #1', '\\`a` #1'],
  ['\\``a` #1', '\\`` #1'],
  ['\\\\`a` #1', '\\\\` #1'],
  ['`a\\` #1', '` #1'],
  ['``` inline ``` #1', '` #1'],
  ['```\ncode `x\n```\n`y` #1', '\n\n` #1'],
  ['    indented #1', '    indented #1'],
])('The prose of %j is %j.', (markdown, prose) => {
  expect(withoutCode(markdown)).toBe(prose)
})

test('Runs below the minimum length are ordinary text.', () => {
  expect(withoutCode('`a <b>`_ and ``c``', 2)).toBe('`a <b>`_ and `')
})

/** The rule as CommonMark words it: at each run, the next run of the same length closes; else it is literal. */
function model(paragraph: string): string {
  let [rest, at] = ['', 0]
  while (at < paragraph.length) {
    const run = /^`+/.exec(paragraph.slice(at))?.[0]
    if (run === undefined) {
      const length = paragraph[at] === '\\' ? 2 : 1
      rest += paragraph.slice(at, at + length)
      at += length
      continue
    }
    const closer = new RegExp(`(?<!\`)${run}(?!\`)`).exec(paragraph.slice(at + run.length))
    rest += closer === null ? run : '`'
    at += run.length + (closer === null ? 0 : closer.index + run.length)
  }
  return rest
}

test('A paragraph loses the spans that the definition of CommonMark gives it.', () => {
  const paragraph = fc.string({ unit: fc.constantFrom('`', '`', 'a', '\\', ' '), maxLength: 24 })
  fc.assert(
    fc.property(paragraph, (text) => {
      expect(withoutCode(`x${text}`)).toBe(model(`x${text}`))
    }),
    { numRuns: runs(500) },
  )
})

test.each([
  ['runs of many lengths', Array.from({ length: 700 }, (_, at) => '`'.repeat(at + 1)).join(' ')],
  ['single backticks', '`'.repeat(250_000)],
  ['open spans', '` '.repeat(125_000)],
  ['open fences', '```\n~~~\n'.repeat(31_000)],
  ['fences with backticks in the info string', '``` `\n'.repeat(42_000)],
  ['escaped backticks', '\\`'.repeat(125_000)],
  ['backslashes', `${'\\'.repeat(249_999)}\``],
  ['paragraphs', '`\n\n'.repeat(83_000)],
])('250 kB of %s take less than two seconds, so time is not quadratic.', (_, text) => {
  const start = performance.now()
  withoutCode(text)
  expect(performance.now() - start).toBeLessThan(2000)
})
