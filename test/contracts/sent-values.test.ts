/** Values as models send them, brought into the form that a schema declares. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  anyCase,
  FILTER_FIELD,
  METADATA_FIELD,
  PARAMETER,
  readSent,
  type Reading,
} from '../../src/contracts/sent-values.ts'
import { runs } from '../support/runs.ts'

const schema = z.object({
  text: z.string().exactOptional(),
  whole: z.int().min(1).describe('').default(5),
  decimal: z.number().exactOptional(),
  flag: z.boolean().default(false),
  words: z.array(z.string()).max(3).exactOptional(),
  numbers: z.array(z.int()).exactOptional(),
  inner: z.object({ size: z.int(), flag: z.nullable(z.boolean()).exactOptional() }).exactOptional(),
  either: z.union([z.int(), z.string()]).transform(String).exactOptional(),
  kind: anyCase(z.enum(['wide', 'narrow']))
    .describe('')
    .exactOptional(),
  exact: z.enum(['wide', 'narrow']).exactOptional(),
  required: z.string(),
})

const read = (given: object, reading: Reading = PARAMETER) => readSent(schema, given, reading)

test.each([
  [{ whole: '5' }, { whole: 5 }],
  [{ whole: ' 5.0 ' }, { whole: 5 }],
  [{ whole: '-1' }, { whole: -1 }],
  [{ decimal: '1e-1' }, { decimal: 0.1 }],
  [{ flag: 'true' }, { flag: true }],
  [{ words: '["a","b"]' }, { words: ['a', 'b'] }],
  [{ words: '[]' }, { words: [] }],
  [{ numbers: '["1",2]' }, { numbers: [1, 2] }],
  [{ inner: '{"size":"3","flag":"false"}' }, { inner: { size: 3, flag: false } }],
  [{ inner: { size: '3', flag: null, other: '4' } }, { inner: { size: 3, other: '4' } }],
  [{ either: '7' }, { either: 7 }],
  [{ kind: 'WIDE' }, { kind: 'wide' }],
  [{ whole: null, words: null, kind: null }, {}],
])('%j is read as %j', (given, expected) => {
  expect(read(given)).toEqual(expected)
})

test.each([
  { text: '5' },
  { text: '["a"]' },
  { text: 'null' },
  { whole: '5.5' },
  { whole: 'true' },
  { whole: '"5"' },
  { whole: '' },
  { whole: 'NaN' },
  { whole: '0x10' },
  { decimal: 'Infinity' },
  { flag: '1' },
  { flag: 'yes' },
  { flag: 'True' },
  { words: 'a,b' },
  { words: '{"0":"a"}' },
  { words: [null] },
  { inner: '[1]' },
  { inner: '"{}"' },
  { either: '2026-11-30' },
  { kind: 'wider' },
  { kind: '"wide"' },
  { exact: 'WIDE' },
  { required: null },
  { other: '5', kinds: null },
])('%j is not changed', (given) => {
  expect(read(given)).toEqual(given)
})

describe('within filters and metadata', () => {
  test('numbers in text are not read, the rest is', () => {
    const given = { whole: '5', either: '7', numbers: '["1"]', flag: 'true', kind: 'Wide', inner: '{"size":"3"}' }
    const expected = { whole: '5', either: '7', numbers: ['1'], flag: true, kind: 'wide', inner: { size: '3' } }
    expect(read(given, FILTER_FIELD)).toEqual(expected)
    expect(read(given, METADATA_FIELD)).toEqual(expected)
  })

  test('null is absent in filters and stays in metadata', () => {
    expect(read({ words: null, kind: null }, FILTER_FIELD)).toEqual({})
    expect(read({ words: null, kind: null }, METADATA_FIELD)).toEqual({ words: null, kind: null })
  })
})

test('JSON text that is nested without end is not read, and takes no time', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  expect(read({ words: deep, inner: `{"size":${deep}}` })).toEqual({ words: deep, inner: `{"size":${deep}}` })
})

test('a value that the schema accepts is read as it is, and no value is changed in place', () => {
  const names = [...Object.keys(schema.shape), 'other', '__proto__']
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), fc.jsonValue()), (given) => {
      const before = JSON.stringify(given)
      const reading = read(given)
      expect(JSON.stringify(given)).toBe(before)
      const parsed = schema.safeParse(given)
      if (parsed.success) expect(schema.parse(reading)).toEqual(parsed.data)
    }),
    { numRuns: runs(300) },
  )
})
