import { expect, test } from 'vitest'
import { parseWriteMessageArguments } from '../../../src/contracts/tools/write-message.ts'
import { accepted, verdict } from '../../support/parsed.ts'

const parse = (given: unknown) => parseWriteMessageArguments(given, 1_795_996_800_000)

const LEAST = { session_id: 's', role: 'user', content: 'hello' }
const MIB = 1_048_576

test('the required arguments alone give empty metadata', () => {
  expect(accepted(parse(LEAST))).toEqual({ session_id: 's', role: 'user', content: 'hello', metadata: {} })
})

test('all arguments are accepted unchanged', () => {
  const whole = { ...LEAST, content: '\ufeffа\0b\r\n e\u0301 ', idempotency_key: 'k', metadata: { tags: ['a'] } }
  expect(accepted(parse(whole))).toEqual(whole)
  const { metadata, ...rest } = whole
  expect(accepted(parse({ ...rest, metadata_json: JSON.stringify(metadata) }))).toEqual(whole)
})

test.each([
  ['content', 'x'.repeat(MIB)],
  ['content', 'あ'.repeat(349_525)],
  ['content', '😀'.repeat(262_144)],
  ['content', ' '],
  ['content', '\0'],
  ['session_id', 's'.repeat(256)],
  ['session_id', `${'あ'.repeat(85)}s`],
  ['session_id', ' S '],
  ['idempotency_key', 'k'.repeat(128)],
  ['idempotency_key', `${'😀'.repeat(31)}kkkk`],
  ['role', 'assistant'],
  ['role', 'system'],
])('%s is accepted up to its limit (case %#)', (name, value) => {
  expect(accepted(parse({ ...LEAST, [name]: value }))).toMatchObject({ [name]: value })
})

const CONTENT = 'accepted is a text of 1 to 1048576 bytes'
const SESSION = 'accepted is a text of 1 to 256 bytes'
const KEY = 'accepted is a text of 1 to 128 bytes'
const ROLES = 'accepted is one of "user", "assistant", "system"'
const BROKEN = 'accepted is well-formed Unicode, without half a surrogate pair'

test.each([
  ['content', 'x'.repeat(MIB + 1), `a text of 1048577 characters was given, ${CONTENT}, and it has 1048577`],
  ['content', 'あ'.repeat(349_526), `a text of 349526 characters was given, ${CONTENT}, and it has 1048578`],
  ['content', `${'😀'.repeat(262_144)}a`, `a text of 524289 characters was given, ${CONTENT}, and it has 1048577`],
  ['content', '', `"" was given, ${CONTENT}, and it has 0`],
  ['content', 'a\ud83d', `"a\\ud83d" was given, ${BROKEN}`],
  ['content', 5, `5 was given, ${CONTENT}`],
  ['content', ['x'], `a list of 1 was given, ${CONTENT}`],
  ['content', null, `null was given, ${CONTENT}`],
  ['session_id', 's'.repeat(257), `a text of 257 characters was given, ${SESSION}, and it has 257`],
  ['session_id', 'あ'.repeat(86), `a text of 86 characters was given, ${SESSION}, and it has 258`],
  ['session_id', '', `"" was given, ${SESSION}, and it has 0`],
  ['session_id', 'a\0', '"a\\u0000" was given, accepted is a text without U+0000'],
  ['session_id', '\udc00', `"\\udc00" was given, ${BROKEN}`],
  ['session_id', 7, `7 was given, ${SESSION}`],
  ['idempotency_key', 'k'.repeat(129), `a text of 129 characters was given, ${KEY}, and it has 129`],
  ['idempotency_key', 'あ'.repeat(43), `a text of 43 characters was given, ${KEY}, and it has 129`],
  ['idempotency_key', '', `"" was given, ${KEY}, and it has 0`],
  ['idempotency_key', 'k\0', '"k\\u0000" was given, accepted is a text without U+0000'],
  ['role', 'tool', `"tool" was given, ${ROLES}`],
  ['role', null, `null was given, ${ROLES}`],
])('%s beyond its limit or of a wrong type is refused (case %#)', (name, value, expected) => {
  expect(verdict(parse({ ...LEAST, [name]: value }))).toBe(`${name}: ${expected}`)
})

test.each(['session_id', 'role', 'content'])('%s is required', (name) => {
  const { [name]: _, ...rest } = LEAST as Record<string, string>
  expect(verdict(parse(rest))).toMatch(new RegExp(`^${name}: missing, accepted is `))
})

test('absent arguments are the empty object, and any other value than an object is refused', () => {
  expect(verdict(parse(undefined))).toBe('session_id: missing, accepted is a text of 1 to 256 bytes')
  expect(verdict(parse(null))).toBe('session_id: missing, accepted is a text of 1 to 256 bytes')
  expect(verdict(parse('hello'))).toBe('arguments: "hello" was given, accepted is an object of named parameters')
  expect(verdict(parse([LEAST]))).toBe('arguments: a list of 1 was given, accepted is an object of named parameters')
})

test('invalid metadata is refused, and so are both of its forms together', () => {
  expect(verdict(parse({ ...LEAST, metadata: { importance: 101 } }))).toMatch(/^metadata\.importance: 101/)
  expect(verdict(parse({ ...LEAST, metadata_json: '[]' }))).toMatch(/^metadata_json: a list of 0/)
  expect(verdict(parse({ ...LEAST, metadata: {}, metadata_json: '{}' }))).toMatch(/^metadata_json: given together/)
})

test('unknown arguments are ignored, with any value', () => {
  const unknown = JSON.parse('{"__proto__": {"content": ""}, "contents": 5, "cursor": null, "toString": "\\ud83d"}')
  expect(accepted(parse({ ...unknown, ...LEAST }))).toEqual({ ...LEAST, metadata: {} })
})
