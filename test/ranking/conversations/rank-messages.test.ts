/** The ranking of conversations: what raises a message, what lowers it, and what never changes the order. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { packCounts, termKey } from '../../../src/fts/packed-terms.ts'
import { rankConversation, type ConversationQuestion } from '../../../src/ranking/conversations/rank-messages.ts'
import { packFields, packTraits, type Traits } from '../../../src/ranking/conversations/message-signals.ts'
import type { StoredMessage, MessageWindow } from '../../../src/ranking/conversations/message-windows.ts'
import { runs } from '../../support/runs.ts'

const STATISTICS = { chunks: 1000, length: 10_000 }
const FREQUENCIES = new Map([
  ['rare', 3],
  ['seldom', 20],
  ['common', 600],
  ['ann', 500],
  ['bob', 500],
])

const PLAIN: Traits = { role: 'user', speaker: [], isQuestion: false, hasTime: false, hasNumber: false }

/** A message in one line. The first word is its id; `ann:` is the speaker, `/` starts the summary, `#` the tags. */
function stored(notation: string, more: Partial<StoredMessage> = {}, traits: Partial<Traits> = {}): StoredMessage {
  const [id = '', ...words] = notation.split(' ')
  const texts = { content: '', summary: '', tags: '' }
  let field: keyof typeof texts = 'content'
  for (const word of words) {
    if (word === '/') field = 'summary'
    else if (word === '#') field = 'tags'
    else texts[field] += `${word.replace(':', '')} `
  }
  const speaker = words.filter((word) => word.endsWith(':')).map((word) => termKey(word.slice(0, -1)))
  const pack = (text: string): string => {
    const counts = new Map<string, number>()
    for (const word of text.trim().split(' ')) if (word !== '') counts.set(word, (counts.get(word) ?? 0) + 1)
    return packCounts(counts)
  }
  return {
    id,
    session: 's',
    importance: 50,
    timestamp: 1,
    isWanted: true,
    traits: packTraits({ ...PLAIN, speaker, ...traits }),
    chunks: [
      {
        length: 10,
        terms: packFields({ content: pack(texts.content), summary: pack(texts.summary), tags: pack(texts.tags) }),
      },
    ],
    ...more,
  }
}

function question(words: string, more: Partial<ConversationQuestion> = {}): ConversationQuestion {
  const terms = words.split(' ').map((term) => ({ term, weight: 1 }))
  return { terms, names: [], asksWhen: false, asksHowMany: false, ...more }
}

function ask(request: string | ConversationQuestion, windows: readonly MessageWindow[]) {
  return rankConversation(typeof request === 'string' ? question(request) : request, FREQUENCIES, STATISTICS, windows)
}

/** The ids found, best first. */
function found(request: string | ConversationQuestion, ...windows: readonly MessageWindow[]): string {
  return ask(request, windows)
    .map(({ id }) => id)
    .join(' ')
}

/** Each message is in a session of its own. */
const alone = (...notations: string[]): MessageWindow[] =>
  notations.map((notation) => [stored(notation, { session: notation })])

const together = (...notations: string[]): MessageWindow => notations.map((notation) => stored(notation))

test.each<[string, string, MessageWindow[], string]>([
  ['a rare word outweighs a common one', 'rare common', alone('a common', 'b rare'), 'b a'],
  ['all words outweigh one repeated', 'rare seldom', alone('a rare rare rare', 'b rare seldom'), 'b a'],
  ['a message without a term of the question is not found', 'rare', alone('a rare', 'b other'), 'a'],
  [
    'a message without a term of the question is not found through its neighbours',
    'rare',
    [together('a rare', 'b other')],
    'a',
  ],
  ['a word that no chunk contains finds nothing', 'nowhere', alone('a rare'), ''],
  [
    'a matching neighbour raises a message',
    'rare common',
    [...alone('a common'), together('b common', 'c rare')],
    'c b a',
  ],
  [
    'a near neighbour raises a message more than a far one',
    'rare common',
    [together('a common', 'b x', 'c x', 'd rare', 'e common')],
    'd e a',
  ],
  [
    'no evidence crosses from one window to another',
    'rare common',
    [together('a common', 'b x'), together('c rare')],
    'c a',
  ],
  ['messages with equal scores are ordered by id', 'rare', alone('b rare', 'a rare'), 'a b'],
])('in a ranking of messages, %s', (_, request, windows, expected) => {
  expect(found(request, ...windows)).toBe(expected)
})

test('ties are ordered by importance, then the newer, then by id', () => {
  const messages = [
    stored('c rare', { session: '1' }),
    stored('b rare', { session: '2', timestamp: 2 }),
    stored('d rare', { session: '3', importance: 60 }),
    stored('a rare', { session: '4' }),
  ]
  expect(found('rare', ...messages.map((one) => [one]))).toBe('d b a c')
})

test('a message that the filters exclude still gives evidence to its neighbours', () => {
  const left = stored('x rare', { isWanted: false })
  expect(found('rare common', [stored('a common', { session: '1' })], [left, stored('b common')])).toBe('b a')
})

test('overlapping windows are ranked as one conversation', () => {
  const [a, b, c, d] = together('a common', 'b common', 'c x', 'd rare')
  const whole = ask('rare common', [[a!, b!, c!, d!]])
  expect(
    ask('rare common', [
      [a!, b!, c!],
      [c!, d!],
      [b!, c!],
    ]),
  ).toEqual(whole)
})

test('messages of a speaker come first only if the question names this speaker alone', () => {
  const windows = [together('a ann: common', 'b bob: common', 'c ann: x', 'd bob: common')]
  const first = (request: string): string | undefined => found(request, ...windows).split(' ')[0]
  expect(first('common bob')).toBe('b')
  expect(first('common ann')).toBe('a')
  expect(first('common ann bob')).toBe(first('common'))
})

test('sessions without the named speaker come last', () => {
  const here = ['a ann: common', 'b bob: x'].map((notation) => stored(notation, { session: 'here' }))
  const there = ['c eve: common', 'd ida: x'].map((notation) => stored(notation, { session: 'there' }))
  const apart = (names: readonly string[]) => {
    const scores = new Map(ask(question('common', { names }), [here, there]).map(({ id, score }) => [id, score]))
    return scores.get('a')! / scores.get('c')!
  }
  expect(apart([])).toBeCloseTo(1)
  expect(apart(['ann', 'bob'])).toBeGreaterThan(1.9)
  expect(apart(['eve', 'bob'])).toBeCloseTo(1)
})

/** A session of messages that are given without their id: `s0 rare`, `s1 rare` ... */
const talk = (session: string, ...contents: string[]): MessageWindow =>
  contents.map((words, at) => stored(`${session}${at} ${words}`, { session }))

test('further messages of a session come after the first ones of other sessions', () => {
  const many = talk('m', 'rare', 'rare', 'rare', 'rare', 'rare', 'rare')
  const others = ['p', 'q', 'r', 't'].map((session) => talk(session, 'rare', 'x', 'x', 'x'))
  const sessions = found('rare', many, ...others)
    .split(' ')
    .map((id) => id[0])
  expect(new Set(sessions.slice(0, 8))).toEqual(new Set(['m', 'p', 'q', 'r', 't']))
  expect(sessions.slice(0, 4)).not.toEqual(['m', 'm', 'm', 'm'])
})

test('a session that stands out keeps its results together', () => {
  const out = talk('m', 'rare seldom', 'rare seldom', 'rare seldom', 'rare seldom', 'rare seldom')
  expect(found('rare seldom', out, talk('p', 'seldom')).split(' ').slice(0, 5).toSorted()).toEqual(
    out.map(({ id }) => id),
  )
})

test('the order within one session does not depend on other sessions that match less', () => {
  const one = talk('m', 'rare', 'x', 'common', 'rare common', 'seldom', 'common', 'seldom rare')
  const order = (ids: string): string[] => ids.split(' ').filter((id) => id.startsWith('m'))
  const alone = order(found('rare seldom common', one))
  expect(order(found('rare seldom common', one, talk('p', 'common'))).slice(0, 3)).toEqual(alone.slice(0, 3))
})

test('neighbours count less in a session that does not stand out', () => {
  const scoreOf = (windows: readonly MessageWindow[]): number =>
    ask('rare seldom', windows).find(({ id }) => id === 'm0')!.score
  const pair = talk('m', 'seldom', 'rare')
  const others = ['p', 'q', 'r'].map((session) => talk(session, 'rare seldom'))
  expect(scoreOf([pair, ...others])).toBeLessThan(scoreOf([pair]))
})

test('one `Note:` in a session is not a speaker', () => {
  const windows = [...alone('a common common'), together('b rare: common', 'c x', 'd x')]
  const [hit] = ask('rare common', windows)
  const [same] = ask('rare common', [...alone('a common common'), together('b rare common', 'c x', 'd x')])
  expect(hit).toEqual(same)
})

test.each<[string, Partial<ConversationQuestion>, Partial<Traits>, number]>([
  ['a message that ends as a question is lowered', {}, { isQuestion: true }, 0.75],
  ['a message with a time is raised if the question asks when', { asksWhen: true }, { hasTime: true }, 1.75],
  ['a message with a time is not raised by another question', {}, { hasTime: true }, 1],
  ['a message with a number is raised if the question asks how many', { asksHowMany: true }, { hasNumber: true }, 1.75],
  [
    'a message of the assistant is raised if the question asks what `you` said',
    { saidBy: 'assistant' },
    { role: 'assistant' },
    1.25,
  ],
  [
    'a message of the assistant is not raised if the question asks what `I` said',
    { saidBy: 'user' },
    { role: 'assistant' },
    1,
  ],
])('in a ranking of messages, %s', (_, request, traits, factor) => {
  const scoreOf = (traits: Partial<Traits>) => {
    const window = [stored('a rare', {}, { role: 'system', ...traits })]
    return ask(question('rare', request), [window])[0]!.score
  }
  expect(scoreOf(traits) / scoreOf({})).toBeCloseTo(factor)
})

test('words that the best messages share raise other messages', () => {
  const windows = alone('a rare kiln', 'b rare kiln', 'c common kiln', 'd common x', 'e y', 'f z', 'g w')
  expect(found('rare common', ...windows)).toBe('a b c d')
})

test('the score is split by the field of the words', () => {
  const [hit] = ask('rare seldom common', alone('a rare / seldom # other'))
  expect(hit!.breakdown.content).toBeGreaterThan(hit!.breakdown.summary)
  expect(hit!.breakdown.summary).toBeGreaterThan(0)
  expect(hit!.breakdown.tags).toBe(0)
  const [tagged] = ask('common', alone('a x # common'))
  expect(tagged!.breakdown).toMatchObject({ content: 0, summary: 0 })
  expect(tagged!.breakdown.tags).toBeGreaterThan(0)
})

test('the best chunk is reported, and summary and tags count for every chunk', () => {
  const first = stored('a x / seldom').chunks[0]!
  const second = stored('a rare').chunks[0]!
  const message = stored('a', { chunks: [first, second] })
  const [hit] = ask('rare seldom', [[message]])
  expect(hit).toMatchObject({ id: 'a', chunk: 1 })
  expect(hit!.breakdown.summary).toBeGreaterThan(0)
})

test('an empty store gives no hits', () => {
  expect(rankConversation(question('rare'), new Map(), { chunks: 0, length: 0 }, [])).toEqual([])
})

test('in any conversation the order of windows does not matter, scores descend and are above 0, and each hit matches by itself', () => {
  const word = fc.constantFrom('rare', 'seldom', 'common', 'x', 'y', 'z', 'ann:', 'bob:', '/', '#')
  const text = fc.array(word, { maxLength: 6 })
  const windows = fc.array(fc.array(text, { minLength: 1, maxLength: 9 }), { maxLength: 4 })
  fc.assert(
    fc.property(windows, (made) => {
      const talks = made.map((texts, s) =>
        texts.map((words, at) => stored([`${s}.${at}`, ...words].join(' '), { session: `${s}` })),
      )
      const hits = ask('rare common ann', talks)
      expect(ask('rare common ann', talks.toReversed())).toEqual(hits)
      const texts = new Map(made.flatMap((texts, s) => texts.map((words, at) => [`${s}.${at}`, words] as const)))
      const matching = [...texts].filter(([, words]) => words.some((word) => /^(?:rare|common|ann:)$/.test(word)))
      expect(hits.map(({ id }) => id).toSorted()).toEqual(matching.map(([id]) => id).toSorted())
      for (const [at, { score, breakdown }] of hits.entries()) {
        expect(score).toBeGreaterThan(0)
        expect(score).toBeLessThanOrEqual(hits[at - 1]?.score ?? Infinity)
        const parts = Object.values(breakdown)
        for (const part of parts) expect(part).toBeGreaterThanOrEqual(0)
        expect(parts.some((part) => part > 0)).toBe(true)
      }
    }),
    { numRuns: runs(300) },
  )
})

test('malformed signals are ranked without an error', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ unit: 'grapheme' }), (traits, terms) => {
      const message = { ...stored('a rare'), traits, chunks: [{ length: 3, terms }] }
      for (const { score } of ask('rare', [[message, stored('b rare')]])) expect(Number.isFinite(score)).toBe(true)
    }),
    { numRuns: runs(100) },
  )
})
