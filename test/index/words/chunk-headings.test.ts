import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { headingIn, headingsAbove, packHeadings } from '../../../src/index/words/chunk-headings.ts'
import { headingOf, sectionsOf } from '../../../src/text/headings.ts'
import { runs } from '../../support/runs.ts'

const BODY = 'Start\n\n# A\n\ntext\n\n## B\n\nmore text\n'
const sections = sectionsOf(BODY)

test('a chunk stores the heading at its start and those inside it', () => {
  const packed = packHeadings(sections, { start: BODY.indexOf('text'), chars: 30 })
  expect(headingIn(packed, BODY.indexOf('text'))).toBe('A')
  expect(headingIn(packed, BODY.indexOf('more'))).toBe('A > B')
})

test('a chunk before the first heading has none at its start', () => {
  const packed = packHeadings(sections, { start: 0, chars: BODY.length })
  expect(headingIn(packed, 0)).toBeUndefined()
  expect(headingIn(packed, BODY.length)).toBe('A > B')
  expect(packHeadings([], { start: 0, chars: 10 })).toBe('')
})

test('the headings above a chunk are those that its own text does not have', () => {
  expect(headingsAbove(sections, 0)).toEqual([])
  expect(headingsAbove(sections, BODY.indexOf('text'))).toEqual(['A'])
  expect(headingsAbove(sections, BODY.indexOf('## B'))).toEqual(['A'])
  expect(headingsAbove(sections, BODY.indexOf('more'))).toEqual(['A', 'B'])
})

test('a chunk has the same heading as the body at each of its offsets', () => {
  const line = fc.constantFrom('# A', '## B', '### C', 'text', 'Title\n=====', '')
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.nat(60), fc.nat(60), (lines, start, chars) => {
      const found = sectionsOf(lines.join('\n'))
      const packed = packHeadings(found, { start, chars })
      for (let offset = start; offset < start + chars; offset += 1) {
        const section = found.findLast(({ start: first }) => first <= offset)
        expect(headingIn(packed, offset)).toBe(section && headingOf(section))
      }
    }),
    { numRuns: runs(200) },
  )
})
