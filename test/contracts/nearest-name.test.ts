/** The known name that a caller probably meant by an unknown one. */
import { expect, test } from 'vitest'
import { nearestName } from '../../src/contracts/nearest-name.ts'

const KNOWN = ['session_id', 'query', 'limit', 'context_size', 'min_importance', 'filters', 'filters.kinds', 'kind']

test.each([
  ['sessionId', 'session_id'],
  ['SESSION-ID', 'session_id'],
  ['session', 'session_id'],
  ['sesion_id', 'session_id'],
  ['query_text', 'query'],
  ['queries', 'query'],
  ['qurey', 'query'],
  ['q', 'query'],
  ['limits', 'limit'],
  ['Limit', 'limit'],
  ['importance', 'min_importance'],
  ['filter', 'filters'],
  ['kinds', 'filters.kinds'],
  ['kindz', 'filters.kinds'],
])('%s is near %s', (name, nearest) => {
  expect(nearestName(name, KNOWN)).toBe(nearest)
})

test.each(['text', 'user', 'keyword', 'top', 'every_day', 'colour', '', '_', '問い', '__proto__', 'x'.repeat(100_000)])(
  'nothing is near %s',
  (name) => {
    expect(nearestName(name, KNOWN)).toBeUndefined()
  },
)

test('a letter of another name is no reason to guess among the fields of a parameter', () => {
  expect(nearestName('k', ['filters.kinds'])).toBeUndefined()
  expect(nearestName('k', [])).toBeUndefined()
})
