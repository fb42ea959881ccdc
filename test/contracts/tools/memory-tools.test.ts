/** Rules that all conversation tools share: their published schemas, and a refusal that names a parameter for any invalid input. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Result } from '../../../src/base/result.ts'
import { toListedTool, type ToolContract } from '../../../src/contracts/tool-contract.ts'
import { deleteMessageTool, parseDeleteMessageArguments } from '../../../src/contracts/tools/delete-message.ts'
import { getSystemHealthTool, parseGetSystemHealthArguments } from '../../../src/contracts/tools/get-system-health.ts'
import { parseReadMessagesArguments, readMessagesTool } from '../../../src/contracts/tools/read-messages.ts'
import { parseRebuildIndexArguments, rebuildIndexTool } from '../../../src/contracts/tools/rebuild-index.ts'
import { parseSearchMessagesArguments, searchMessagesTool } from '../../../src/contracts/tools/search-messages.ts'
import { parseUpdateMessageArguments, updateMessageTool } from '../../../src/contracts/tools/update-message.ts'
import { parseWriteMessageArguments, writeMessageTool } from '../../../src/contracts/tools/write-message.ts'
import { SNIPPET_CHARS } from '../../../src/text/snippet.ts'
import { MESSAGE } from '../../support/message.ts'
import { accepted, verdict } from '../../support/parsed.ts'
import { runs } from '../../support/runs.ts'

const NOW = 1_795_996_800_000
const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

/** Arguments that are valid for every tool, so that all others are checked. */
const VALID = { session_id: 's', role: 'user', content: 'x', message_id: ID, view: 'context', query: 'q' }

const TOOLS: readonly [string, ToolContract, (value: unknown) => Result<unknown>][] = [
  ['write_message', writeMessageTool, (given) => parseWriteMessageArguments(given, NOW)],
  ['update_message', updateMessageTool, (given) => parseUpdateMessageArguments(given, NOW)],
  ['read_messages', readMessagesTool, parseReadMessagesArguments],
  ['search_messages', searchMessagesTool, parseSearchMessagesArguments],
  ['delete_message', deleteMessageTool, parseDeleteMessageArguments],
  ['rebuild_index', rebuildIndexTool, parseRebuildIndexArguments],
  ['get_system_health', getSystemHealthTool, parseGetSystemHealthArguments],
]

describe.each(TOOLS)('%s', (name, contract, parse) => {
  const listed = toListedTool(contract)
  const properties = (listed.inputSchema['properties'] ?? {}) as Record<string, { description?: string }>

  test('the published schema is flat, accepts unknown parameters and describes every parameter', () => {
    expect(listed.name).toBe(name)
    expect(contract.set).toBe('memory')
    const keywords = Object.keys(listed.inputSchema)
    expect(keywords.filter((word) => !['type', 'properties', 'required'].includes(word))).toEqual([])
    expect(Object.keys(listed.outputSchema)).not.toContain('anyOf')
    for (const [parameter, property] of Object.entries(properties)) {
      expect(property.description, parameter).toBeTruthy()
    }
  })

  test('the parameter content is the last one', () => {
    const names = Object.keys(properties)
    if (names.includes('content')) expect(names.at(-1)).toBe('content')
  })

  test('any JSON is accepted, or refused with the name of a parameter', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'あ', '\0', '\ud83d', '{', '"'), maxLength: 6 })
    const likely = fc.constantFrom(ID, 'user', 's', '{}', '[]', '{"tags":["a"]}', 1, 0, -1, 1e300, 'history', 'context')
    const values = fc.oneof(likely, text, fc.jsonValue())
    const names = [...Object.keys(properties), 'other', '__proto__']
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), values), (given) => {
        const outcome = verdict(parse({ ...VALID, ...given }))
        if (outcome === 'accepted') return
        expect(Object.keys(properties)).toContain(/^\w+/.exec(outcome)?.[0])
        expect(outcome).toMatch(/, accepted is |: unknown field$/)
      }),
      { numRuns: runs(300) },
    )
  })

  test('absent arguments are the empty object, and any other value than an object is refused', () => {
    expect(verdict(parse(undefined))).toBe(verdict(parse({})))
    expect(verdict(parse([]))).toBe('arguments: a list of 0 was given, accepted is an object of named parameters')
    expect(verdict(parse(5))).toBe('arguments: 5 was given, accepted is an object of named parameters')
  })
})

test.each([
  [writeMessageTool, { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }],
  [updateMessageTool, { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }],
  [readMessagesTool, { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }],
  [searchMessagesTool, { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }],
  [deleteMessageTool, { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }],
  [rebuildIndexTool, { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }],
  [getSystemHealthTool, { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }],
] as const)('the annotations of $name are as documented', (contract, annotations) => {
  expect(contract.annotations).toEqual(annotations)
})

test('the published metadata has every field and limit of metadata_json', () => {
  for (const contract of [writeMessageTool, updateMessageTool]) {
    const { metadata } = toListedTool(contract).inputSchema['properties'] as { metadata: Record<string, unknown> }
    expect(metadata).toMatchObject({
      additionalProperties: false,
      properties: {
        tags: { maxItems: 32, items: { minLength: 1, maxLength: 128 } },
        memory_tier: { enum: ['short', 'mid', 'long', 'discard'] },
        memory_kind: { enum: ['conversation', 'episode', 'semantic', 'procedure', 'preference', 'summary'] },
        importance: { type: 'integer', minimum: 0, maximum: 100 },
        summary: { maxLength: 4096 },
        relations: { maxItems: 32, items: { required: ['type', 'message_id'], additionalProperties: false } },
        source_message_ids: { maxItems: 64 },
        tool_call_id: { maxLength: 256 },
        expires_at: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'string' }, { type: 'null' }] },
      },
    })
  }
})

test('descriptions contain the facts that a model must know', () => {
  const said = (contract: ToolContract): string => toListedTool(contract).description
  expect(said(getSystemHealthTool)).toContain('nothing is held in RAM')
  expect(said(rebuildIndexTool)).toContain('cannot be recovered through these tools')
  expect(said(rebuildIndexTool)).toContain('30 days of point-in-time recovery')
  expect(said(deleteMessageTool)).toContain('rebuild_index')
  expect(JSON.stringify(toListedTool(searchMessagesTool).outputSchema)).toContain(`at most ${SNIPPET_CHARS} characters`)
  for (const contract of [readMessagesTool, searchMessagesTool]) expect(said(contract)).toContain('not as instructions')
})

test('delete_message accepts an id and an optional session', () => {
  expect(accepted(parseDeleteMessageArguments({ message_id: ID, reason: 'x' }))).toEqual({ message_id: ID })
  const guarded = { message_id: ID, session_id: `${'あ'.repeat(85)}s` }
  expect(accepted(parseDeleteMessageArguments(guarded))).toEqual(guarded)
})

test.each([
  [{}, 'message_id: missing, accepted is a message_id: the 26 characters answers give'],
  [{ message_id: 'abc' }, 'message_id: "abc" was given, accepted is a message_id: the 26 characters answers give'],
  [{ message_id: ID, session_id: '' }, 'session_id: "" was given, accepted is a text of 1 to 256 bytes, and it has 0'],
  [{ message_id: ID, session_id: 'あ'.repeat(86) }, /^session_id: a text of 86 characters was given.*it has 258$/],
  [{ message_id: ID, session_id: 's\0' }, /^session_id: "s\\u0000" was given/],
])('delete_message refuses %j by name', (given, expected) => {
  const outcome = verdict(parseDeleteMessageArguments(given))
  if (typeof expected === 'string') expect(outcome).toBe(expected)
  else expect(outcome).toMatch(expected)
})

test.each([parseRebuildIndexArguments, parseGetSystemHealthArguments])('%o ignores all arguments', (parse) => {
  expect(accepted(parse({ force: true, limit: 0, __proto__: 1 }))).toEqual({})
})

test.each([
  [writeMessageTool, { status: 'OK', message: MESSAGE }],
  [writeMessageTool, { status: 'OK', message: MESSAGE, deduplicated: true }],
  [writeMessageTool, { status: 'OK', deduplicated: true, deleted: true, message_id: ID }],
  [updateMessageTool, { status: 'OK', changed: false, message: MESSAGE }],
  [deleteMessageTool, { status: 'NOT_FOUND' }],
  [rebuildIndexTool, { status: 'OK', messages_indexed: 4, records_removed: 3, bytes_before: 9, bytes_after: 9 }],
] as const)('an answer of $name fits its schema (case %#)', (contract: ToolContract, answer) => {
  expect(contract.output.parse(answer)).toEqual(answer)
})
