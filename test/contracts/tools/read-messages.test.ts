import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  contentAnswer,
  contextAnswer,
  historyAnswer,
  readMessagesOutput,
  sessionsAnswer,
} from '../../../src/contracts/tools/read-messages-answers.ts'
import { parseReadMessagesArguments as parse, readMessagesTool } from '../../../src/contracts/tools/read-messages.ts'
import { MESSAGE } from '../../support/message.ts'
import { accepted, verdict } from '../../support/parsed.ts'
import { runs } from '../../support/runs.ts'

const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

/** The required arguments of each view, and their parsed form with defaults. */
const REQUIRED = {
  history: { view: 'history', session_id: 's' },
  content: { view: 'content', message_id: ID },
  context: { view: 'context', message_id: ID },
  sessions: { view: 'sessions' },
}
const PARSED = {
  history: { ...REQUIRED.history, limit: 100, order: 'asc', detail: 'compact' },
  content: { ...REQUIRED.content, content_offset: 0, content_limit: 4096 },
  context: { ...REQUIRED.context, before: 1, after: 1, relation_depth: 1, relation_types: [], detail: 'compact' },
  sessions: { ...REQUIRED.sessions, limit: 100, order: 'asc', detail: 'compact' },
}

/** The parameters of each view. */
const OWN = {
  history: ['session_id', 'limit', 'cursor', 'since', 'until', 'order', 'detail', 'preview_chars'],
  content: ['message_id', 'content_offset', 'content_limit', 'expected_revision'],
  context: [
    'message_id',
    'before',
    'after',
    'relation_depth',
    'relation_types',
    'relation_types_json',
    'detail',
    'preview_chars',
  ],
  sessions: ['limit', 'cursor', 'order', 'detail'],
} as const

const VIEWS = ['history', 'content', 'context', 'sessions'] as const

describe.each(VIEWS)('%s', (view) => {
  test('the defaults of the view are filled in', () => {
    expect(accepted(parse(REQUIRED[view]))).toEqual(PARSED[view])
  })

  test('parameters of other views and unknown ones are ignored, with any value', () => {
    const foreign = ['query', '__proto__', ...VIEWS.flatMap((other) => OWN[other])].filter(
      (name) => !(OWN[view] as readonly string[]).includes(name),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...foreign), fc.jsonValue()), (given) => {
        expect(accepted(parse({ ...given, ...REQUIRED[view] }))).toEqual(PARSED[view])
      }),
      { numRuns: runs(60) },
    )
  })

  test('an invalid value of each parameter of the view is refused by name', () => {
    for (const name of OWN[view]) {
      const outcome = verdict(parse({ ...REQUIRED[view], [name]: true }))
      expect(outcome).toMatch(new RegExp(`^${name}: true was given, accepted is `))
      const isRequired = name in REQUIRED[view]
      const nothing = verdict(parse({ ...REQUIRED[view], [name]: null }))
      if (isRequired) expect(nothing).toMatch(new RegExp(`^${name}: null was given, `))
      else expect(nothing).toBe('accepted')
    }
  })
})

test.each([
  ['history', { limit: 1 }],
  ['history', { limit: 1000 }],
  ['history', { cursor: 'x' }],
  ['history', { cursor: 'x'.repeat(4096) }],
  ['history', { preview_chars: 0 }],
  ['history', { preview_chars: 4096 }],
  ['history', { since: 0, until: 9_007_199_254_740_991 }],
  ['history', { order: 'desc', detail: 'full' }],
  ['history', { session_id: `${'あ'.repeat(85)}s` }],
  ['content', { content_offset: 2_147_483_647 }],
  ['content', { content_limit: 1 }],
  ['content', { content_limit: 65_536 }],
  ['content', { expected_revision: 1 }],
  ['content', { expected_revision: 2_147_483_647 }],
  ['context', { before: 0, after: 0, relation_depth: 0 }],
  ['context', { before: 10, after: 10, relation_depth: 2 }],
  ['context', { relation_types: ['supersedes', 'related_to'] }],
  ['context', { preview_chars: 4096 }],
  ['context', { detail: 'full' }],
  ['sessions', { limit: 1000, cursor: 'x' }],
  ['sessions', { order: 'desc', detail: 'full' }],
] as const)('%s takes %j', (view, given) => {
  expect(accepted(parse({ ...REQUIRED[view], ...given }))).toEqual({ ...PARSED[view], ...given })
})

test.each([
  ['history', { limit: 0 }, 'limit: 0 was given, accepted is a whole number from 1 to 1000'],
  ['history', { limit: 1001 }, 'limit: 1001 was given, accepted is a whole number from 1 to 1000'],
  ['history', { limit: 5.5 }, 'limit: 5.5 was given, accepted is a whole number from 1 to 1000'],
  ['history', { limit: 'ten' }, 'limit: "ten" was given, accepted is a whole number from 1 to 1000'],
  ['history', { cursor: '' }, 'cursor: "" was given, accepted is a text of 1 to 4096 bytes, and it has 0'],
  ['history', { cursor: '\ud800' }, /^cursor: "\\ud800" was given, accepted is well-formed Unicode/],
  ['history', { session_id: '' }, 'session_id: "" was given, accepted is a text of 1 to 256 bytes, and it has 0'],
  ['history', { session_id: 'あ'.repeat(86) }, /^session_id: a text of 86 characters was given.*it has 258$/],
  ['history', { session_id: 'a\0' }, 'session_id: "a\\u0000" was given, accepted is a text without U+0000'],
  ['history', { preview_chars: -1 }, 'preview_chars: -1 was given, accepted is a whole number from 0 to 4096'],
  ['history', { preview_chars: 4097 }, /^preview_chars: 4097 was given/],
  ['history', { since: 'yesterday' }, /^since: "yesterday" was given, accepted is Unix ms .* RFC 3339 date-time/],
  ['history', { since: '2026-02-30' }, /^since: "2026-02-30" was given, accepted is Unix ms/],
  ['history', { until: -1 }, /^until: -1 was given, accepted is Unix ms/],
  ['history', { until: 9_007_199_254_740_992 }, /^until: 9007199254740992 was given, accepted is Unix ms/],
  ['content', { message_id: 'abc' }, /^message_id: "abc" was given, accepted is a message_id/],
  ['content', { content_offset: -1 }, /^content_offset: -1 was given, accepted is a whole number from 0 to 2147483647/],
  ['content', { content_offset: 2_147_483_648 }, /^content_offset: 2147483648 was given/],
  ['content', { content_limit: 0 }, 'content_limit: 0 was given, accepted is a whole number from 1 to 65536'],
  ['content', { content_limit: 65_537 }, /^content_limit: 65537 was given/],
  ['content', { expected_revision: 0 }, /^expected_revision: 0 was given, accepted is a whole number from 1 to/],
  ['content', { expected_revision: 2_147_483_648 }, /^expected_revision: 2147483648 was given/],
  ['context', { before: -1 }, 'before: -1 was given, accepted is a whole number from 0 to 10'],
  ['context', { before: 11 }, 'before: 11 was given, accepted is a whole number from 0 to 10'],
  ['context', { after: 11 }, 'after: 11 was given, accepted is a whole number from 0 to 10'],
  ['context', { relation_depth: 3 }, 'relation_depth: 3 was given, accepted is a whole number from 0 to 2'],
  ['context', { relation_types: ['supersedes', 'x'] }, /^relation_types\[1\]: "x" was given, accepted is a list, each/],
  ['context', { relation_types: 'supersedes' }, /^relation_types: "supersedes" was given, accepted is a list, each/],
  ['context', { relation_types_json: '["x"]' }, /^relation_types_json\[0\]: "x" was given/],
  ['context', { relation_types_json: '{}' }, /^relation_types_json: an object was given, accepted is a list, each/],
  ['context', { relation_types_json: '' }, /^relation_types_json: "" was given, which is not JSON/],
  ['context', { relation_types_json: 5 }, 'relation_types_json: 5 was given, accepted is JSON as text'],
  [
    'context',
    { relation_types: [], relation_types_json: '[]' },
    'relation_types_json: given together with relation_types, accepted is one of the two',
  ],
  ['history', { order: 'newest' }, 'order: "newest" was given, accepted is one of "asc", "desc"'],
  ['context', { detail: 'short' }, 'detail: "short" was given, accepted is one of "compact", "full"'],
  ['sessions', { order: 1 }, 'order: 1 was given, accepted is one of "asc", "desc"'],
  ['sessions', { limit: 1001 }, 'limit: 1001 was given, accepted is a whole number from 1 to 1000'],
] as const)('%s refuses %j by name', (view, given, expected) => {
  const outcome = verdict(parse({ ...REQUIRED[view], ...given }))
  if (typeof expected === 'string') expect(outcome).toBe(expected)
  else expect(outcome).toMatch(expected)
})

test('a required parameter of a view must be given', () => {
  expect(verdict(parse({ view: 'history' }))).toBe('session_id: missing, accepted is a text of 1 to 256 bytes')
  expect(verdict(parse({ view: 'content' }))).toMatch(/^message_id: missing, accepted is a message_id/)
  expect(verdict(parse({ view: 'context' }))).toMatch(/^message_id: missing, accepted is a message_id/)
})

test('view is required and must be one of the four', () => {
  const one = 'accepted is one of "history", "content", "context", "sessions"'
  expect(verdict(parse({}))).toBe(`view: missing, ${one}`)
  expect(verdict(parse({ view: 'timeline' }))).toBe(`view: "timeline" was given, ${one}`)
  expect(verdict(parse({ view: null }))).toBe(`view: null was given, ${one}`)
})

test('times are parsed to Unix ms', () => {
  const given = { ...REQUIRED.history, since: '2026-11-30T09:00:00+09:00', until: 1_795_996_800_001 }
  expect(accepted(parse(given))).toMatchObject({ since: 1_795_996_800_000, until: 1_795_996_800_001 })
})

test.each([
  ['["supersedes"]', ['supersedes']],
  [['supersedes', 'supersedes'], ['supersedes']],
  ['[]', []],
  [[], []],
])('relation_types_json %j is parsed to %j', (relation_types_json, relation_types) => {
  expect(accepted(parse({ ...REQUIRED.context, relation_types_json }))).toEqual({ ...PARSED.context, relation_types })
})

test('the published parameters are view and those of all views', () => {
  const all = new Set(['view', ...VIEWS.flatMap((view) => OWN[view])])
  expect(Object.keys(readMessagesTool.input.shape).toSorted()).toEqual([...all].toSorted())
})

const ANSWERS = {
  history: { history: [MESSAGE], nextCursor: 'x' },
  content: {
    content_range: {
      message_id: ID,
      revision: 1,
      total_bytes: 9,
      content_offset: 0,
      next_content_offset: 4,
      complete: false,
      content: 'aあ',
    },
  },
  context: {
    message: MESSAGE,
    chronological_context: { before: [MESSAGE], after: [] },
    relations: [
      { type: 'supersedes', direction: 'outgoing', depth: 1, message: MESSAGE },
      { type: 'related_to', direction: 'incoming', depth: 2, message_id: ID, status: 'deleted' },
    ],
    session: { session_id: 's', message_count: 1 },
    truncated: false,
  },
  sessions: {
    sessions: [
      {
        session_id: 's',
        message_count: 1,
        kind_counts: { conversation: 1, episode: 0, semantic: 0, procedure: 0, preference: 0, summary: 0 },
        representative_summary: '',
        started_at: 1,
        last_message_at: 1,
      },
    ],
  },
}

test.each([
  ['history', historyAnswer],
  ['content', contentAnswer],
  ['context', contextAnswer],
  ['sessions', sessionsAnswer],
] as const)('an answer of %s fits its own shape and the published one', (view, shape) => {
  expect(shape.parse(ANSWERS[view])).toEqual(ANSWERS[view])
  expect(readMessagesOutput.parse(ANSWERS[view])).toEqual(ANSWERS[view])
})

test('a compact answer fits the same shapes', () => {
  const compact = {
    message_id: ID,
    session_id: 's',
    timestamp: 1,
    timestamp_text: '1970-01-01T00:00:00.001Z',
    role: 'user',
    content: 'x',
    revision: 1,
  }
  const history = { history: [compact, { ...compact, metadata: { tags: ['a'] } }] }
  expect(readMessagesOutput.parse(historyAnswer.parse(history))).toEqual(history)
  const [session] = ANSWERS.sessions.sessions
  const sessions = { sessions: [{ ...session, kind_counts: { episode: 1 }, started_at_text: 'x' }] }
  expect(readMessagesOutput.parse(sessionsAnswer.parse(sessions))).toEqual(sessions)
})
