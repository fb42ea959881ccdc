/** The order of messages with equal scores. */
import { expect, test } from 'vitest'
import { compareTies, type TieKeys } from '../../../src/ranking/conversations/tie-order.ts'

test('ties are ordered by importance, then the newer, then the smaller id', () => {
  const ties: readonly TieKeys[] = [
    { importance: 50, timestamp: 1, id: 'd' },
    { importance: 50, timestamp: 2, id: 'b' },
    { importance: 50, timestamp: 1, id: 'c' },
    { importance: 60, timestamp: 0, id: 'a' },
  ]
  expect(ties.toSorted(compareTies).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
})
