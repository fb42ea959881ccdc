import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readOpaque, writeOpaque } from '../../src/base/opaque-token.ts'

test('Reading a token gives the fields that were written.', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean())), (fields) => {
      expect(readOpaque(writeOpaque(fields))).toEqual(fields)
    }),
  )
})

test.each(['', 'x', '!', `${writeOpaque([1])} `, writeOpaque([1]).slice(1), 'eyJhIjoxfQ'])(
  'The text %j is not a token.',
  (text) => {
    expect(readOpaque(text)).toBeUndefined()
  },
)
