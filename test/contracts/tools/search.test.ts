import { expect, test } from 'vitest'
import { toListedTool } from '../../../src/contracts/tool-contract.ts'
import { fetchAnswer, hybridAnswer, scanAnswer, searchOutput } from '../../../src/contracts/tools/search-answers.ts'
import { parseSearchArguments, searchTool } from '../../../src/contracts/tools/search.ts'

function message(value: unknown): string {
  const parsed = parseSearchArguments(value)
  if (parsed.ok) return 'accepted'
  expect(parsed.failure.code).toBe('VALIDATION_ERROR')
  return parsed.failure.message
}

function value(given: unknown): Record<string, unknown> {
  const parsed = parseSearchArguments(given)
  if (!parsed.ok) throw new Error(parsed.failure.message)
  return parsed.value
}

const DEFAULTS = {
  state: 'all',
  type: 'all',
  top_k: 10,
  group: 'auto',
  detail: 'compact',
  fusion: 'rrf',
  rerank: true,
  include_content: false,
  graph_expand: false,
  graph_hops: 1,
  content_offset: 0,
  content_max_chars: 8000,
}

test('Without arguments the defaults apply.', () => {
  expect(value(undefined)).toEqual(DEFAULTS)
  expect(value({})).toEqual(DEFAULTS)
})

test('The values null and an empty vector_ids count as absent.', () => {
  const nulls = Object.fromEntries(Object.keys(searchTool.input.shape).map((name) => [name, null]))
  expect(value(nulls)).toEqual(DEFAULTS)
  expect(value({ vector_ids: [] })).toEqual(DEFAULTS)
  expect(value({ vector_ids: ['  '] })).toEqual({ ...DEFAULTS, vector_ids: ['  '] })
})

test('Times stay the text of the caller.', () => {
  expect(value({ since: '2026-11-01', until: '2026-11-30T09:00:00+0900' })).toMatchObject({
    since: '2026-11-01',
    until: '2026-11-30T09:00:00+0900',
  })
})

test.each([
  [{ top_k: 2.5 }, 'top_k: 2.5 was given, accepted is a whole number from 1 to 50'],
  [{ top_k: 51 }, 'top_k: 51 was given, accepted is a whole number from 1 to 50'],
  [{ top_k: 'five' }, 'top_k: "five" was given, accepted is a whole number from 1 to 50'],
  [{ content_offset: -1 }, 'content_offset: -1 was given, accepted is a whole number of at least 0'],
  [{ state: 'merged' }, 'state: "merged" was given, accepted is one of "open", "closed", "all"'],
  [{ labels: 'bug' }, 'labels: "bug" was given, accepted is a list of at most 50, each a text'],
  [{ labels: ['a', 1] }, 'labels[1]: 1 was given, accepted is a list of at most 50, each a text'],
  [{ labels: [null] }, 'labels[0]: null was given, accepted is a list of at most 50, each a text'],
  [{ vector_ids: Array.from({ length: 51 }, () => 'i:x') }, /^vector_ids: a list of 51 was given/],
  [{ query: 'x'.repeat(16_385) }, /^query: a text of 16385 characters was given, accepted is a text of at most 16384/],
  [{ path_prefix: 'x'.repeat(513) }, /^path_prefix: a text of 513 characters/],
  [{ since: 'yesterday' }, /^since: "yesterday" was given, accepted is an RFC 3339 date-time such as/],
  [{ until: '2026-02-30' }, /^until: "2026-02-30" was given, accepted is an RFC 3339/],
  [{ rerank: 'yes' }, 'rerank: "yes" was given, accepted is true or false'],
  [{ top_K: 5 }, 'top_K: unknown parameter'],
  [JSON.parse('{"__proto__": {}}'), '__proto__: unknown parameter'],
  [{ constructor: 1 }, 'constructor: unknown parameter'],
  [['query'], /^arguments: a list of 1 was given, accepted is an object/],
])('%j is refused by name', (given, expected) => {
  expect(message(given)).toMatch(expected)
})

test('Values at their limit are accepted.', () => {
  expect(message({ query: 'x'.repeat(16_384), top_k: 50, vector_ids: Array.from({ length: 50 }, () => 'i:x') })).toBe(
    'accepted',
  )
})

test('Every parameter has a description and the input has no root union.', () => {
  const { inputSchema } = toListedTool(searchTool)
  const properties = inputSchema['properties'] as Record<string, { description?: string }>
  expect(Object.keys(properties)).toHaveLength(26)
  for (const [name, property] of Object.entries(properties)) expect(property.description, name).toBeTruthy()
  expect(Object.keys(inputSchema).toSorted()).toEqual(['additionalProperties', 'properties', 'type'])
  expect(inputSchema['additionalProperties']).toBe(false)
})

test('The description says where bodies come from, and what ids are.', () => {
  const { description } = toListedTool(searchTool)
  for (const words of ['stored copy', 'not live from GitHub', '8,000', '32,000', 'content_truncated', 'not_found']) {
    expect(description).toContain(words)
  }
  expect(description).toContain('short-lived handles')
})

test('The published output schema contains every field of every mode.', () => {
  const published = Object.keys(searchOutput.shape)
  for (const answer of [hybridAnswer, scanAnswer, fetchAnswer]) {
    const rows = Object.keys(answer.shape.results.element.shape)
    expect(published).toEqual(expect.arrayContaining(Object.keys(answer.shape)))
    expect(Object.keys(searchOutput.shape.results.element.shape)).toEqual(expect.arrayContaining(rows))
  }
  const listed = toListedTool(searchTool).outputSchema
  expect(listed['required']).toEqual(['count', 'mode', 'results'])
})

test('An answer of each mode matches the published schema.', () => {
  const row = {
    vector_id: 'i:x',
    type: 'issue',
    repo: 'a/b',
    created_at: '2026-11-01T00:00:00Z',
    updated_at: '2026-11-01T00:00:00Z',
  }
  const scan = {
    count: 1,
    mode: 'scan',
    sort: 'updated_desc',
    filters_unmatched: [],
    since: '2026-11-01',
    truncated: false,
    results: [row],
  }
  const content = { content: '', content_offset: 0, content_chars: 0, content_total_chars: 0, content_truncated: false }
  const fetched = {
    count: 1,
    mode: 'fetch',
    requested: 1,
    content_source: 'index',
    content_max_chars: 8000,
    not_found: [],
    results: [{ ...row, ...content }],
  }
  const hybrid = {
    count: 1,
    mode: 'search',
    fusion: 'rrf',
    fusion_applied: 'words',
    sort: 'relevance',
    dense_candidates: 0,
    sparse_candidates: 1,
    filters_unmatched: [],
    rerank_requested: true,
    rerank_applied: false,
    results: [
      {
        ...row,
        score: 1,
        same_entity: {
          count: 2,
          others: [{ vector_id: 'ic:y', type: 'issue_comment', updated_at: row.updated_at, score: 0.5 }],
        },
      },
    ],
  }
  expect(scanAnswer.parse(scan)).toEqual(scan)
  expect(fetchAnswer.parse(fetched)).toEqual(fetched)
  expect(hybridAnswer.parse(hybrid)).toEqual(hybrid)
  for (const answer of [scan, fetched, hybrid]) expect(searchOutput.parse(answer)).toEqual(answer)
})
