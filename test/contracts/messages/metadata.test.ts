/** Metadata parameters: the limits of every field, in both forms. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  parseMetadata as parseMetadataAt,
  parseStoredMetadata,
  refuseSelfRelation,
} from '../../../src/contracts/messages/metadata.ts'
import { accepted, verdict } from '../../support/parsed.ts'
import { runs } from '../../support/runs.ts'

const NOW = 1_795_996_800_000
const parseMetadata = (args: object) => parseMetadataAt(args, NOW)

const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const OTHER = '01BX5ZZKBKACTAV9WEVGEMMVRZ'
const related = (message_id: string) => ({ type: 'related_to', message_id })
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)

const NO_ZERO = 'accepted is a text without U+0000'
const BROKEN = 'accepted is well-formed Unicode, without half a surrogate pair'
const TAGS = 'accepted is a list of at most 32, each a text of 1 to 128 bytes'
const ID_WORDS = 'accepted is a message_id: the 26 characters answers give'
const TIME_WORDS =
  'accepted is Unix ms (a whole number from 0 to 9007199254740991), an RFC 3339 date-time such as 2026-11-30T09:00:00Z or 2026-11-30T18:00:00+09:00, or a date such as 2026-11-30 (midnight UTC)'

describe.each(['metadata', 'metadata_json'] as const)('%s', (form) => {
  const parse = (value: unknown) => parseMetadata({ [form]: form === 'metadata' ? value : JSON.stringify(value) })

  test.each([
    [{}],
    [{ tags: times(32, 'x') }],
    [{ tags: ['x'.repeat(128)] }],
    [{ tags: [`${'あ'.repeat(42)}aa`] }],
    [{ tags: ['same', 'same'] }],
    [{ tags: [] }],
    [{ memory_tier: 'discard' }],
    [{ memory_kind: 'procedure' }],
    [{ importance: 0 }],
    [{ importance: 100 }],
    [{ summary: 'x'.repeat(4096) }],
    [{ summary: `${'あ'.repeat(1365)}a` }],
    [{ summary: 'a\0b' }],
    [{ relations: times(32, related(ID)) }],
    [{ source_message_ids: times(64, ID) }],
    [{ tool_call_id: 'x'.repeat(256) }],
    [{ tool_call_id: `${'あ'.repeat(85)}a` }],
    [{ expires_at: NOW + 1 }],
    [{ expires_at: 9_007_199_254_740_991 }],
  ])('the metadata %j is accepted unchanged', (value) => {
    expect(accepted(parse(value))).toEqual({ parameter: form, change: value })
  })

  test('null is accepted in every field, and an empty text becomes null', () => {
    const fields = [
      'tags',
      'memory_tier',
      'memory_kind',
      'importance',
      'summary',
      'relations',
      'source_message_ids',
      'tool_call_id',
      'expires_at',
    ]
    const nulls = Object.fromEntries(fields.map((field) => [field, null]))
    expect(accepted(parse(nulls))?.change).toEqual(nulls)
    expect(accepted(parse({ summary: '', tool_call_id: '' }))?.change).toEqual({ summary: null, tool_call_id: null })
  })

  test.each([
    [{ tags: times(33, 'x') }, `.tags: a list of 33 was given, ${TAGS}`],
    [{ tags: [''] }, '.tags[0]: "" was given, accepted is a text of 1 to 128 bytes, and it has 0'],
    [
      { tags: ['a', 'b', 'c', 'あ'.repeat(43)] },
      '.tags[3]: a text of 43 characters was given, accepted is a text of 1 to 128 bytes, and it has 129',
    ],
    [
      { tags: ['x'.repeat(129)] },
      '.tags[0]: a text of 129 characters was given, accepted is a text of 1 to 128 bytes, and it has 129',
    ],
    [{ tags: ['a\0'] }, `.tags[0]: "a\\u0000" was given, ${NO_ZERO}`],
    [{ tags: ['\ud83d'] }, `.tags[0]: "\\ud83d" was given, ${BROKEN}`],
    [{ tags: [1] }, `.tags[0]: 1 was given, ${TAGS}`],
    [{ tags: [null] }, `.tags[0]: null was given, ${TAGS}`],
    [{ tags: 'a' }, `.tags: "a" was given, ${TAGS}`],
    [{ tags: { 0: 'a' } }, `.tags: an object was given, ${TAGS}`],
    [
      { memory_tier: 'medium' },
      '.memory_tier: "medium" was given, accepted is one of "short", "mid", "long", "discard"',
    ],
    [
      { memory_kind: 'Episodes' },
      '.memory_kind: "Episodes" was given, accepted is one of "conversation", "episode", "semantic", "procedure", "preference", "summary"',
    ],
    [{ importance: -1 }, '.importance: -1 was given, accepted is a whole number from 0 to 100'],
    [{ importance: 101 }, '.importance: 101 was given, accepted is a whole number from 0 to 100'],
    [{ importance: 50.5 }, '.importance: 50.5 was given, accepted is a whole number from 0 to 100'],
    [{ importance: '50' }, '.importance: "50" was given, accepted is a whole number from 0 to 100'],
    [{ importance: true }, '.importance: true was given, accepted is a whole number from 0 to 100'],
    [
      { summary: 'x'.repeat(4097) },
      '.summary: a text of 4097 characters was given, accepted is a text of at most 4096 bytes, and it has 4097',
    ],
    [
      { summary: 'あ'.repeat(1366) },
      '.summary: a text of 1366 characters was given, accepted is a text of at most 4096 bytes, and it has 4098',
    ],
    [{ summary: 'a\ude00' }, `.summary: "a\\ude00" was given, ${BROKEN}`],
    [{ summary: 5 }, '.summary: 5 was given, accepted is a text of at most 4096 bytes'],
    [
      { relations: times(33, related(ID)) },
      '.relations: a list of 33 was given, accepted is a list of at most 32, each an object of type and message_id',
    ],
    [
      { relations: [related(ID), { type: 'refers_to', message_id: ID }] },
      '.relations[1].type: "refers_to" was given, accepted is one of "depends_on", "derived_from", "supersedes", "related_to"',
    ],
    [
      { relations: [related(ID.toLowerCase())] },
      `.relations[0].message_id: "01arz3ndektsv4rrffq69g5fav" was given, ${ID_WORDS}`,
    ],
    [{ relations: [{ type: 'supersedes' }] }, `.relations[0].message_id: missing, ${ID_WORDS}`],
    [{ relations: [{ ...related(ID), note: 'x' }] }, '.relations[0].note: unknown field'],
    [
      { relations: [ID] },
      `.relations[0]: "${ID}" was given, accepted is a list of at most 32, each an object of type and message_id`,
    ],
    [
      { source_message_ids: times(65, ID) },
      '.source_message_ids: a list of 65 was given, accepted is a list of at most 64, each a message_id: the 26 characters answers give',
    ],
    [{ source_message_ids: [ID, 'abc'] }, `.source_message_ids[1]: "abc" was given, ${ID_WORDS}`],
    [
      { tool_call_id: 'x'.repeat(257) },
      '.tool_call_id: a text of 257 characters was given, accepted is a text of at most 256 bytes, and it has 257',
    ],
    [
      { tool_call_id: 'あ'.repeat(86) },
      '.tool_call_id: a text of 86 characters was given, accepted is a text of at most 256 bytes, and it has 258',
    ],
    [{ tool_call_id: '\0' }, `.tool_call_id: "\\u0000" was given, ${NO_ZERO}`],
    [{ expires_at: -1 }, `.expires_at: -1 was given, ${TIME_WORDS}`],
    [{ expires_at: 1.5 }, `.expires_at: 1.5 was given, ${TIME_WORDS}`],
    [{ expires_at: 9_007_199_254_740_992 }, `.expires_at: 9007199254740992 was given, ${TIME_WORDS}`],
    [{ expires_at: '2030-02-30' }, `.expires_at: "2030-02-30" was given, ${TIME_WORDS}`],
    [{ expires_at: '4102444800000' }, `.expires_at: "4102444800000" was given, ${TIME_WORDS}`],
    [{ tag: ['x'] }, '.tag: unknown field'],
    [{ importance: 1, constructor: null }, '.constructor: unknown field'],
    [JSON.parse('{"__proto__": {}}'), '.__proto__: unknown field'],
    [[], ': a list of 0 was given, accepted is an object'],
    [1, ': 1 was given, accepted is an object'],
  ])('the metadata %j is refused by name', (value, expected) => {
    expect(verdict(parse(value))).toBe(`${form}${expected}`)
  })

  test('one invalid element refuses all metadata', () => {
    expect(verdict(parse({ tags: ['good'], importance: 101 }))).toMatch(/\.importance: 101/)
  })

  test('the hint of an unknown field lists the known ones', () => {
    const parsed = parse({ tag: [] })
    expect(parsed.ok ? '' : parsed.failure.hint).toBe(
      'Known fields: tags, memory_tier, memory_kind, importance, summary, relations, source_message_ids, tool_call_id, expires_at.',
    )
  })

  test('a relation of a message to itself is refused', () => {
    const given = accepted(parse({ relations: [related(OTHER), related(ID)] }))
    if (given === undefined) throw new Error('nothing was read')
    expect(verdict(refuseSelfRelation(given, ID))).toBe(
      `${form}.relations[1].message_id: it names the message itself, accepted is the message_id of another`,
    )
    expect(verdict(refuseSelfRelation(given, '01ARZ3NDEKTSV4RRFFQ69G5FAW'))).toBe('accepted')
  })
})

test('arguments without metadata give undefined', () => {
  expect(accepted(parseMetadata({}))).toBeUndefined()
})

test('metadata_json accepts an object instead of JSON text', () => {
  expect(accepted(parseMetadata({ metadata_json: { importance: 80 } }))?.change).toEqual({ importance: 80 })
  expect(verdict(parseMetadata({ metadata_json: { importance: 101 } }))).toMatch(/^metadata_json\.importance: 101/)
})

test.each([
  ['', '"" was given, which is not JSON, accepted is JSON as text'],
  ['{"tags":', '"{\\"tags\\":" was given, which is not JSON, accepted is JSON as text'],
  ["{'tags':[]}", '"{\'tags\':[]}" was given, which is not JSON, accepted is JSON as text'],
  [5, '5 was given, accepted is JSON as text'],
  [true, 'true was given, accepted is JSON as text'],
  [[], 'a list of 0 was given, accepted is an object'],
  ['null', 'null was given, accepted is an object'],
  ['"{}"', '"\\"{}\\"" was given, which is JSON of a text, accepted is JSON as text'],
])('metadata_json %j is refused', (value, expected) => {
  expect(verdict(parseMetadata({ metadata_json: value }))).toBe(`metadata_json: ${expected}`)
})

test('metadata accepts an object as JSON text, and refuses other text', () => {
  expect(accepted(parseMetadata({ metadata: '{"importance": 80}' }))?.change).toEqual({ importance: 80 })
  for (const text of ['', '[]', 'null', '"{}"', '{', '5']) {
    const shown = JSON.stringify(text)
    expect(verdict(parseMetadata({ metadata: text }))).toBe(`metadata: ${shown} was given, accepted is an object`)
  }
})

test.each(['metadata', 'metadata_json'])('%s that is nested without end is refused at once', (form) => {
  const deep = `{"tags":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
  expect(verdict(parseMetadata({ [form]: deep }))).toMatch(
    new RegExp(`^${form}: a text of 400009 characters was given`),
  )
})

test('metadata and metadata_json in one call are refused even if they are equal', () => {
  expect(verdict(parseMetadata({ metadata: {}, metadata_json: '{}' }))).toBe(
    'metadata_json: given together with metadata, accepted is one of the two',
  )
})

test('metadata and metadata_json give the same result for any value', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'あ', '\0', '\ud83d', '"'), maxLength: 60 })
  const value = fc.oneof(fc.constantFrom(null, 0, 50, 101, 0.5, true, ID, 'short', 'episode'), text, fc.jsonValue())
  const fields = ['tags', 'memory_tier', 'memory_kind', 'importance', 'summary', 'source_message_ids', 'expires_at']
  const metadata = fc.dictionary(
    fc.constantFrom(...fields, 'other'),
    fc.oneof(value, fc.array(value, { maxLength: 3 })),
    { maxKeys: 3 },
  )
  fc.assert(
    fc.property(metadata, (given) => {
      // JSON cannot represent some values, such as -0, so a caller cannot send them.
      const sent: unknown = JSON.parse(JSON.stringify(given))
      const typed = parseMetadata({ metadata: sent })
      const json = parseMetadata({ metadata_json: JSON.stringify(given) })
      if (typed.ok && json.ok) expect(json.value?.change).toEqual(typed.value?.change)
      else expect(verdict(json)).toBe(verdict(typed).replace(/^metadata/, 'metadata_json'))
    }),
    { numRuns: runs(300) },
  )
})

test('a line of an import that is nested without end is refused at once', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown
  expect(verdict(parseStoredMetadata({ tags: deep }))).toMatch(/^metadata\.tags\[0\]: a list of 1 was given/)
})
