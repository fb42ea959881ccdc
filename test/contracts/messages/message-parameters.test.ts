/** Shared parameters of the conversation tools: text in bytes, ids and points in time. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { byteText, messageId, momentParameter } from '../../../src/contracts/messages/message-parameters.ts'
import { runs } from '../../support/runs.ts'

const at = momentParameter('')

/** Counts bytes from code points, without an encoder. */
function bytesOf(text: string): number {
  return [...text].reduce((sum, character) => {
    const point = character.codePointAt(0) ?? 0
    return sum + (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4)
  }, 0)
}

test('a text is accepted exactly if its UTF-8 bytes are within the limits', () => {
  const cases = fc.record({
    text: fc.string({ unit: fc.constantFrom('a', 'é', 'あ', '😀', '\0', '\ufeff'), maxLength: 30 }),
    maxBytes: fc.integer({ min: 1, max: 60 }),
    minBytes: fc.constantFrom(0 as const, 1 as const),
  })
  fc.assert(
    fc.property(cases, ({ text, minBytes, maxBytes }) => {
      const parsed = byteText({ minBytes, maxBytes }).safeParse(text)
      expect(parsed.success).toBe(bytesOf(text) >= minBytes && bytesOf(text) <= maxBytes)
      if (parsed.success) expect(parsed.data).toBe(text)
    }),
    { numRuns: runs(300) },
  )
})

test('a text is accepted exactly if it is well-formed Unicode', () => {
  const units = fc.string({ unit: fc.constantFrom('a', '\ud83d', '\ude00'), maxLength: 6 })
  fc.assert(
    fc.property(units, (text) => {
      const back = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(new TextEncoder().encode(text))
      expect(byteText({ minBytes: 0, maxBytes: 60 }).safeParse(text).success).toBe(back === text)
    }),
    { numRuns: runs(200) },
  )
})

test('U+0000 is refused in a name and kept in other text', () => {
  expect(byteText({ minBytes: 1, maxBytes: 9, isName: true }).safeParse('a\0').success).toBe(false)
  expect(byteText({ minBytes: 1, maxBytes: 9 }).parse('a\0')).toBe('a\0')
})

test.each([
  ['01ARZ3NDEKTSV4RRFFQ69G5FAV', true],
  ['7ZZZZZZZZZZZZZZZZZZZZZZZZZ', true],
  ['00000000000000000000000000', true],
  ['8ZZZZZZZZZZZZZZZZZZZZZZZZZ', false],
  ['01arz3ndektsv4rrffq69g5fav', false],
  ['01ARZ3NDEKTSV4RRFFQ69G5FA', false],
  ['01ARZ3NDEKTSV4RRFFQ69G5FAV0', false],
  ['01ARZ3NDEKTSV4RRFFQ69G5FAI', false],
  ['01ARZ3NDEKTSV4RRFFQ69G5FAL', false],
  ['01ARZ3NDEKTSV4RRFFQ69G5FAO', false],
  ['01ARZ3NDEKTSV4RRFFQ69G5FAU', false],
  ['01ARZ3NDEKTSV4RRFFQ69G5FAV\n', false],
  [' 01ARZ3NDEKTSV4RRFFQ69G5FA', false],
  ['', false],
])('%j is a message_id: %s', (text, isOne) => {
  expect(messageId.safeParse(text).success).toBe(isOne)
})

test.each([
  [0, 0],
  [9_007_199_254_740_991, 9_007_199_254_740_991],
  [1_795_996_800_000, 1_795_996_800_000],
  ['1970-01-01T00:00:00Z', 0],
  ['1970-01-01T09:00:00+09:00', 0],
  ['1970-01-01T00:00:01.5Z', 1500],
  ['2026-11-30T00:00:00Z', 1_795_996_800_000],
  ['2026-11-30', 1_795_996_800_000],
])('the time %j is parsed to %d ms', (given, ms) => {
  expect(at.parse(given)).toBe(ms)
})

test.each([
  -1,
  0.5,
  9_007_199_254_740_992,
  '',
  '0',
  '1795996800000',
  '2026-11-30T00:00:00',
  '2026-02-30T00:00:00Z',
  'yesterday',
  true,
  null,
  [],
  {},
])('%j is refused as a time', (given) => {
  expect(at.safeParse(given).success).toBe(false)
})
