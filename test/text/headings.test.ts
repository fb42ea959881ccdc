import { expect, test } from 'vitest'
import { headingAt, sectionsOf } from '../../src/text/headings.ts'

const paths = (body: string): string[] => sectionsOf(body).map(({ path }) => path.join(' > '))

test.each([
  [
    'Markdown',
    '# Guide\n\nText\n\n## Setup\n\n### On a laptop\n\n## Use\n',
    ['Guide', 'Guide > Setup', 'Guide > Setup > On a laptop', 'Guide > Use'],
  ],
  [
    'closing signs, links, code and anchors',
    '## `start` ##\n\n# [4.6.0](https://x.test/a) (2026-01-02) {#v460}\n',
    ['start', '4.6.0 (2026-01-02)'],
  ],
  ['underlined headings', 'Guide\n=====\n\nSetup\n-----\n\nText\n', ['Guide', 'Guide > Setup']],
  ['reStructuredText', 'Guide\n=====\n\nDetails\n~~~~~~~\n', ['Guide', 'Guide > Details']],
  ['AsciiDoc', '= Guide\n\n== Setup\n', ['Guide', 'Guide > Setup']],
  ['HTML', '<h1 align="center">Guide</h1>\n<h2>Setup <small>now</small></h2>\n', ['Guide', 'Guide > Setup now']],
  ['carriage returns', '# Guide\r\n\r\n## Setup\r\n', ['Guide', 'Guide > Setup']],
  ['skipped levels', '# A\n### B\n## C\n', ['A', 'A > B', 'A > C']],
  ['Japanese', '# 導入\n\n## 設定\n', ['導入', '導入 > 設定']],
])('%s: each heading begins a section below its parents', (_, body, expected) => {
  expect(paths(body)).toEqual(expected)
})

test.each([
  ['fenced code', '```sh\n# not a heading\n```\n'],
  ['a longer fence around a shorter one', '````md\n```\n# no\n```\n# no\n````\n'],
  ['front matter', '---\ntitle: x\n---\n\ntext\n'],
  ['a rule after a list item', '- item\n---\n'],
  ['a table', '| a | b |\n| --- | --- |\n'],
  ['an issue number', '#12 is closed\n'],
  ['an empty heading', '##\n\n## \n'],
  ['a block of AsciiDoc', '[source]\n----\ncode\n----\n\n// a comment\n------\ncode\n------\n.Title\n----\n'],
])('%s has no heading', (_, body) => {
  expect(paths(body)).toEqual([])
})

test('the heading of an offset is that of its section', () => {
  const body = 'Before\n\n# A\n\ntext\n\n## B\n\nmore\n'
  const sections = sectionsOf(body)
  expect(headingAt(sections, 0)).toBeUndefined()
  expect(headingAt(sections, body.indexOf('# A'))).toBe('A')
  expect(headingAt(sections, body.indexOf('text'))).toBe('A')
  expect(headingAt(sections, body.indexOf('more'))).toBe('A > B')
})

test('an underlined heading begins at its text', () => {
  const body = 'intro\n\nSetup\n-----\n'
  expect(sectionsOf(body)).toEqual([{ start: body.indexOf('Setup'), path: ['Setup'] }])
})

test('a long heading is cut', () => {
  expect(sectionsOf(`# ${'word '.repeat(60)}`)[0]?.path[0]?.length).toBeLessThanOrEqual(100)
})

test('a body of a megabyte of headings and open fences takes linear time', () => {
  expect(sectionsOf('## [x\n'.repeat(170_000))).toHaveLength(170_000)
  expect(sectionsOf('~~~\n'.repeat(250_001))).toEqual([])
  expect(sectionsOf('---\n'.repeat(250_000))).toEqual([])
})
