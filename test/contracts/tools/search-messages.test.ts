import { describe, expect, test } from 'vitest'
import { toListedTool } from '../../../src/contracts/tool-contract.ts'
import {
  parseSearchMessagesArguments as parse,
  searchMessagesTool,
} from '../../../src/contracts/tools/search-messages.ts'
import { MESSAGE } from '../../support/message.ts'
import { accepted, verdict } from '../../support/parsed.ts'

const NO_FILTERS = { kinds: [], tiers: [], tags: [], hide_superseded: false }
const DEFAULTS = { filters: NO_FILTERS, min_importance: 0, context_size: 0, limit: 10, detail: 'compact' }

test('query alone is accepted', () => {
  expect(accepted(parse({ query: 'q' }))).toEqual({ query: 'q', ...DEFAULTS })
})

test.each([
  { query: 'x'.repeat(4096) },
  { query: `${'あ'.repeat(1365)}a` },
  { query: ' ' },
  { query: 'say "hi" AND (NEAR* : - %' },
  { query: 'a\0' },
  { session_id: 's'.repeat(256) },
  { min_importance: 0 },
  { min_importance: 100 },
  { context_size: 3 },
  { limit: 1 },
  { limit: 100 },
  { limit: 20, detail: 'full' },
  { preview_chars: 0 },
  { preview_chars: 4096 },
])('the argument %j is accepted unchanged', (given) => {
  expect(accepted(parse({ query: 'q', ...given }))).toEqual({ query: 'q', ...DEFAULTS, ...given })
})

const QUERY = 'accepted is a text of 1 to 4096 bytes'

test.each([
  [{ query: '' }, `query: "" was given, ${QUERY}, and it has 0`],
  [{ query: 'x'.repeat(4097) }, `query: a text of 4097 characters was given, ${QUERY}, and it has 4097`],
  [{ query: 'あ'.repeat(1366) }, `query: a text of 1366 characters was given, ${QUERY}, and it has 4098`],
  [{ query: 'a\ud83d' }, 'query: "a\\ud83d" was given, accepted is well-formed Unicode, without half a surrogate pair'],
  [{ query: 5 }, `query: 5 was given, ${QUERY}`],
  [{ session_id: '' }, 'session_id: "" was given, accepted is a text of 1 to 256 bytes, and it has 0'],
  [{ session_id: 's\0' }, 'session_id: "s\\u0000" was given, accepted is a text without U+0000'],
  [{ min_importance: -1 }, 'min_importance: -1 was given, accepted is a whole number from 0 to 100'],
  [{ min_importance: 101 }, 'min_importance: 101 was given, accepted is a whole number from 0 to 100'],
  [{ context_size: -1 }, 'context_size: -1 was given, accepted is a whole number from 0 to 3'],
  [{ context_size: 4 }, 'context_size: 4 was given, accepted is a whole number from 0 to 3'],
  [{ limit: 0 }, 'limit: 0 was given, accepted is a whole number from 1 to 100'],
  [{ limit: 101 }, 'limit: 101 was given, accepted is a whole number from 1 to 100'],
  [{ limit: 'five' }, 'limit: "five" was given, accepted is a whole number from 1 to 100'],
  [{ limit: '500' }, 'limit: 500 was given, accepted is a whole number from 1 to 100'],
  [{ detail: 'short' }, 'detail: "short" was given, accepted is one of "compact", "full"'],
  [{ preview_chars: 4097 }, 'preview_chars: 4097 was given, accepted is a whole number from 0 to 4096'],
  [{ preview_chars: 1.5 }, 'preview_chars: 1.5 was given, accepted is a whole number from 0 to 4096'],
])('%j is refused by name', (given, expected) => {
  expect(verdict(parse({ query: 'q', ...given }))).toBe(expected)
})

test('without a limit a compact answer has 10 results and a full one 20', () => {
  expect(accepted(parse({ query: 'q', detail: 'compact' })).limit).toBe(10)
  expect(accepted(parse({ query: 'q', detail: 'full' })).limit).toBe(20)
  const { limit } = toListedTool(searchMessagesTool).inputSchema['properties'] as any
  expect(limit).not.toHaveProperty('default')
  expect(limit.description).toContain('10 compact, 20 full')
})

test('an absent query and * are the same, and no other query is', () => {
  for (const given of [{}, { query: '*' }]) expect(accepted(parse(given))).toEqual(DEFAULTS)
  for (const query of ['**', ' *', '* ', ' ']) expect(accepted(parse({ query })).query).toBe(query)
})

test('unknown arguments are ignored', () => {
  expect(accepted(parse({ query: 'q', cursor: 5, view: 'x', kinds: ['x'] }))).toEqual({ query: 'q', ...DEFAULTS })
})

const TAGS = 'accepted is a list of at most 32, each a text of 1 to 128 bytes'
const KINDS =
  'accepted is a list, each one of "conversation", "episode", "semantic", "procedure", "preference", "summary"'

describe.each(['filters', 'filters_json'] as const)('%s', (form) => {
  const filter = (value: unknown) => parse({ query: 'q', [form]: form === 'filters' ? value : JSON.stringify(value) })

  test.each([
    [{}, {}],
    [{ kinds: [], tiers: [], tags: [] }, {}],
    [{ kinds: ['episode', 'summary', 'episode'] }, { kinds: ['episode', 'summary'] }],
    [{ tiers: ['long', 'long'] }, { tiers: ['long'] }],
    [{ tags: ['b', 'a', 'b', 'B'] }, { tags: ['b', 'a', 'B'] }],
    [{ tags: [`${'あ'.repeat(42)}aa`] }, { tags: [`${'あ'.repeat(42)}aa`] }],
    [{ hide_superseded: true }, { hide_superseded: true }],
    [
      { since: '1970-01-01T00:00:01Z', until: 5000 },
      { since: 1000, until: 5000 },
    ],
  ])('the filter %j is parsed to %j', (given, read) => {
    expect(accepted(filter(given)).filters).toEqual({ ...NO_FILTERS, ...read })
  })

  test.each([
    [{ kind: ['episode'] }, '.kind: unknown field'],
    [JSON.parse('{"__proto__": []}'), '.__proto__: unknown field'],
    [{ kinds: ['episode', 'event'] }, `.kinds[1]: "event" was given, ${KINDS}`],
    [{ kinds: 'episode' }, `.kinds: "episode" was given, ${KINDS}`],
    [{ kinds: [null] }, `.kinds[0]: null was given, ${KINDS}`],
    [
      { tiers: ['Longer'] },
      '.tiers[0]: "Longer" was given, accepted is a list, each one of "short", "mid", "long", "discard"',
    ],
    [{ tags: Array.from({ length: 33 }, () => 'x') }, `.tags: a list of 33 was given, ${TAGS}`],
    [{ tags: [''] }, '.tags[0]: "" was given, accepted is a text of 1 to 128 bytes, and it has 0'],
    [
      { tags: ['a', 'あ'.repeat(43)] },
      '.tags[1]: a text of 43 characters was given, accepted is a text of 1 to 128 bytes, and it has 129',
    ],
    [{ tags: ['a\0'] }, '.tags[0]: "a\\u0000" was given, accepted is a text without U+0000'],
    [{ tags: [5] }, `.tags[0]: 5 was given, ${TAGS}`],
    [{ hide_superseded: 'yes' }, '.hide_superseded: "yes" was given, accepted is true or false'],
    [
      { since: '2026-02-30' },
      '.since: "2026-02-30" was given, accepted is Unix ms (a whole number from 0 to 9007199254740991), an RFC 3339 date-time such as 2026-11-30T09:00:00Z or 2026-11-30T18:00:00+09:00, or a date such as 2026-11-30 (midnight UTC)',
    ],
    [[], ': a list of 0 was given, accepted is an object'],
    [5, ': 5 was given, accepted is an object'],
  ])('%j is refused by name', (given, expected) => {
    expect(verdict(filter(given))).toBe(`${form}${expected}`)
  })
})

test('filters_json accepts an object and refuses malformed JSON', () => {
  expect(accepted(parse({ query: 'q', filters_json: { tags: ['a'] } })).filters.tags).toEqual(['a'])
  expect(verdict(parse({ query: 'q', filters_json: '{' }))).toBe(
    'filters_json: "{" was given, which is not JSON, accepted is JSON as text',
  )
  expect(verdict(parse({ query: 'q', filters: {}, filters_json: '{}' }))).toBe(
    'filters_json: given together with filters, accepted is one of the two',
  )
})

test('an answer fits the published schema', () => {
  const row = {
    ...MESSAGE,
    score: 1.5,
    score_breakdown: { content: 1.5, summary: 0, tags: 0 },
    matched_fields: ['content'],
    relation_count: 0,
    snippet: 'hello',
  }
  const related = [{ type: 'supersedes', direction: 'incoming', message_id: MESSAGE.message_id }]
  const { metadata: _, updated_at: __, ...listed } = { ...MESSAGE, relation_count: 1, related }
  const answer = {
    results: [
      row,
      { ...row, context_preview: { before: [MESSAGE], after: [] } },
      { ...listed, superseded_by: MESSAGE.message_id, timestamp_text: 'x' },
    ],
  }
  expect(searchMessagesTool.output.parse(answer)).toEqual(answer)
})
