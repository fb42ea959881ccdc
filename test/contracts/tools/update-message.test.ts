import { expect, test } from 'vitest'
import { parseUpdateMessageArguments } from '../../../src/contracts/tools/update-message.ts'
import { accepted, verdict } from '../../support/parsed.ts'

const parse = (given: unknown) => parseUpdateMessageArguments(given, 1_795_996_800_000)

const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const OTHER = '01BX5ZZKBKACTAV9WEVGEMMVRZ'
const LEAST = { message_id: ID, content: 'hello' }

test('content, metadata or both are accepted', () => {
  expect(accepted(parse(LEAST))).toEqual(LEAST)
  expect(accepted(parse({ message_id: ID, metadata: {} }))).toEqual({ message_id: ID, metadata: {} })
  expect(accepted(parse({ message_id: ID, metadata_json: '{}' }))).toEqual({ message_id: ID, metadata: {} })
  const both = { ...LEAST, metadata: { importance: 90 }, expected_revision: 1 }
  expect(accepted(parse(both))).toEqual(both)
})

test('metadata is present exactly if it was given', () => {
  expect(Object.hasOwn(accepted(parse(LEAST)), 'metadata')).toBe(false)
  expect(Object.hasOwn(accepted(parse({ ...LEAST, metadata: {} })), 'metadata')).toBe(true)
})

test('null and empty texts become null, the default', () => {
  const metadata = { importance: null, summary: '', tool_call_id: '', expires_at: null }
  expect(accepted(parse({ message_id: ID, metadata })).metadata).toEqual({
    importance: null,
    summary: null,
    tool_call_id: null,
    expires_at: null,
  })
})

test('arguments without content and metadata are refused', () => {
  expect(verdict(parse({ message_id: ID, expected_revision: 1 }))).toBe(
    'content: missing, and metadata too, accepted is at least one of them',
  )
})

test.each([1, 2_147_483_647])('expected_revision %d is accepted', (expected_revision) => {
  expect(accepted(parse({ ...LEAST, expected_revision }))).toEqual({ ...LEAST, expected_revision })
})

test.each([
  [{ expected_revision: 0 }, 'expected_revision: 0 was given, accepted is a whole number from 1 to 2147483647'],
  [{ expected_revision: 2_147_483_648 }, /^expected_revision: 2147483648 was given/],
  [{ expected_revision: 5.5 }, /^expected_revision: 5.5 was given/],
  [{ expected_revision: '5.5' }, /^expected_revision: "5.5" was given/],
  [{ expected_revision: true }, /^expected_revision: true was given/],
  [{ message_id: 'abc' }, 'message_id: "abc" was given, accepted is a message_id: the 26 characters answers give'],
  [{ message_id: ID.toLowerCase() }, /^message_id: "01arz3ndektsv4rrffq69g5fav" was given/],
  [{ message_id: 1 }, 'message_id: 1 was given, accepted is a message_id: the 26 characters answers give'],
  [{ content: '' }, 'content: "" was given, accepted is a text of 1 to 1048576 bytes, and it has 0'],
  [{ content: '', metadata: { importance: 5 } }, /^content: "" was given/],
  [{ content: 'x'.repeat(1_048_577) }, /^content: a text of 1048577 characters was given/],
  [{ metadata: { importance: 101 } }, /^metadata\.importance: 101 was given/],
  [{ metadata: 5 }, 'metadata: 5 was given, accepted is an object'],
])('%j is refused by name', (given, expected) => {
  const outcome = verdict(parse({ ...LEAST, ...given }))
  if (typeof expected === 'string') expect(outcome).toBe(expected)
  else expect(outcome).toMatch(expected)
})

test('a relation to the message itself is refused in both forms, one to another message is not', () => {
  const relations = [
    { type: 'related_to', message_id: OTHER },
    { type: 'supersedes', message_id: ID },
  ]
  expect(verdict(parse({ message_id: ID, metadata: { relations } }))).toMatch(
    /^metadata\.relations\[1\]\.message_id: it names the message itself/,
  )
  expect(verdict(parse({ message_id: ID, metadata_json: JSON.stringify({ relations }) }))).toMatch(
    /^metadata_json\.relations\[1\]\.message_id: it names the message itself/,
  )
  expect(verdict(parse({ message_id: OTHER, metadata: { relations: [relations[1]] } }))).toBe('accepted')
})

test('message_id is required, and unknown arguments are ignored', () => {
  expect(verdict(parse({}))).toBe('message_id: missing, accepted is a message_id: the 26 characters answers give')
  expect(accepted(parse({ ...LEAST, role: 5, session_id: '', idempotency_key: null }))).toEqual(LEAST)
})
