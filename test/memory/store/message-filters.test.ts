/** Filters as tokens of the word index and as SQL conditions. */
import { expect, test } from 'vitest'
import {
  filterConditions,
  tokenGroups,
  untokenedConditions,
  type MessageFilters,
} from '../../../src/memory/store/message-filters.ts'
import { tagToken } from '../../../src/memory/store/message-index.ts'

const NONE: MessageFilters = {
  min_importance: 0,
  filters: { kinds: [], tiers: [], tags: [], hide_superseded: false },
}

const ALL: MessageFilters = {
  session: 7,
  min_importance: 60,
  filters: {
    kinds: ['episode', 'summary'],
    tiers: ['long'],
    tags: ['a', 'b'],
    since: 1,
    until: 9,
    hide_superseded: true,
  },
}

test('no filters give no tokens and no conditions', () => {
  expect(tokenGroups(NONE)).toEqual([])
  expect(filterConditions(NONE)).toEqual({ conditions: [], values: [] })
})

test('alternatives share a group of tokens, and every tag has a group of its own', () => {
  expect(tokenGroups(ALL)).toEqual([['kepisode', 'ksummary'], ['tlong'], [tagToken('a')], [tagToken('b')], ['s7']])
})

test('filters without a token are conditions, and a full set of conditions has one for every filter', () => {
  expect(untokenedConditions(ALL).values).toEqual([60, 1, 9, 'supersedes'])
  const { conditions, values } = filterConditions(ALL)
  expect(values).toEqual([7, '["episode","summary"]', '["long"]', '["a","b"]', 60, 1, 9, 'supersedes'])
  expect(conditions).toHaveLength(values.length)
})

test('a value of 0 filters, except an importance of 0', () => {
  const { values } = filterConditions({ ...NONE, session: 0, filters: { ...NONE.filters, since: 0, until: 0 } })
  expect(values).toEqual([0, 0, 0])
})
