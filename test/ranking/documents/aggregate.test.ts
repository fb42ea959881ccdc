import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { aggregate } from '../../../src/ranking/documents/aggregate.ts'

/** Rows are `key` and a number; groups are shown as `first(others)`. */
function grouped(rows: string): string {
  const groups = aggregate(rows.split(' '), (row) => row[0])
  return groups.map(({ first, others }) => (others.length === 0 ? first : `${first}(${others.join(' ')})`)).join(' ')
}

test.each([
  ['a1 b1 c1', 'a1 b1 c1'],
  ['a1 b1 a2 c1 b2 a3', 'a1(a2 a3) b1(b2) c1'],
  ['b1 a1 a2', 'b1 a1(a2)'],
])('The rows %s become the groups %s.', (rows, expected) => {
  expect(grouped(rows)).toBe(expected)
})

test('No row is lost, and the best row represents its group.', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 99 })), (rows) => {
      const groups = aggregate(rows, (row) => row % 7)
      expect(groups.flatMap(({ first, others }) => [first, ...others]).sort()).toEqual([...rows].sort())
      expect(groups.map(({ first }) => rows.indexOf(first))).toEqual(
        groups.map(({ first }) => rows.findIndex((row) => row % 7 === first % 7)),
      )
    }),
  )
})
