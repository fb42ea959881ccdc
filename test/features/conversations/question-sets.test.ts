/**
 * Questions over two long conversations and over a person's many sessions, stored
 * and searched through the store: the share of answering messages, or of their
 * sessions, among the first ten results. `near` questions use the words of their
 * answers, `far` ones have almost none of them.
 */
import { ulid } from 'ulid'
import { describe, expect, test } from 'vitest'
import type { Role } from '../../../src/base/vocabulary.ts'
import { sessionsOfFacts, type Fact } from '../../../scripts/bench/memory/mixed-sessions.ts'
import assistant from '../../questions/assistant.json'
import friends from '../../questions/friends.json'
import ingrid from '../../questions/mixed/ingrid.json'
import topics from '../../questions/mixed/topics.json'
import { memory, TestStore, value } from '../../support/memory-world.ts'

type Wording = 'near' | 'far'

interface ConversationSet {
  readonly docs: readonly {
    readonly id: string
    readonly session: string
    readonly role: string
    readonly text: string
  }[]
  readonly queries: readonly {
    readonly id: string
    readonly wording: string
    readonly session: string
    readonly text: string
  }[]
  readonly qrels: Readonly<Record<string, Readonly<Record<string, number>>>>
}

describe.each([
  ['two friends', friends as ConversationSet, { near: 0.85, far: 0.42 }],
  ['a user and an assistant', assistant as ConversationSet, { near: 0.79, far: 0.52 }],
])('questions about %s', (_, set, floors) => {
  test('the share of evidence found stays at least at its floor', async () => {
    const store = new TestStore()
    const idOf = new Map<string, string>()
    for (const { id, session, role, text } of set.docs) {
      const { message_id } = await store.write(text, { session_id: session, role: role as Role })
      idOf.set(message_id, id)
    }
    const counts = { near: { found: 0, wanted: 0 }, far: { found: 0, wanted: 0 } }
    for (const { id, wording, session, text } of set.queries) {
      const { results } = value(await store.search(text, { session_id: session, limit: 10 }))
      const found = results.map(({ message_id }) => idOf.get(message_id))
      const count = counts[wording as Wording]
      const wanted = Object.keys(set.qrels[id]!)
      count.wanted += wanted.length
      count.found += wanted.filter((one) => found.includes(one)).length
    }
    for (const wording of ['near', 'far'] as const) {
      const { found, wanted } = counts[wording]
      expect(set.queries.filter((query) => query.wording === wording)).toHaveLength(200)
      expect(found / wanted, `${wording}: ${found} of ${wanted}`).toBeGreaterThanOrEqual(floors[wording])
    }
  }, 120_000)
})

describe('questions of a person with 150 sessions of mixed topics, asked without a session', () => {
  test('the share of sessions found stays at least at its floor, and results come from many sessions', async () => {
    const set = sessionsOfFacts(ingrid as readonly Fact[], topics, 150, 1)
    const store = new TestStore()
    const ids = set.messages.map((_, at) => ulid(1_700_000_000_000 + at))
    const lines = set.messages.map(({ session, role, text }, at) => {
      const time = 1_700_000_000_000 + at
      const known = { message_id: ids[at]!, session_id: session, role, content: text, metadata: {} }
      return { ...known, timestamp: time, updated_at: time, revision: 1 }
    })
    for (let at = 0; at < lines.length; at += 200) {
      value(await memory.importMessages(store.user, lines.slice(at, at + 200)))
    }
    const sessionOf = new Map(set.messages.map(({ id, session }) => [id, session]))
    const shares: Record<string, number[]> = { near: [], usual: [], far: [] }
    const distinct: number[] = []
    for (const { text, wording = '', evidence } of set.questions) {
      const { results } = value(await store.search(text, { limit: 10 }))
      const found = new Set(results.map(({ session_id }) => session_id))
      const wanted = new Set([...evidence].map((id) => sessionOf.get(id)!))
      shares[wording]?.push([...wanted].filter((session) => found.has(session)).length / wanted.size)
      distinct.push(found.size)
    }
    const mean = (values: readonly number[] = []) => values.reduce((sum, one) => sum + one, 0) / values.length
    expect(mean(shares['near'])).toBeGreaterThanOrEqual(0.96)
    expect(mean(shares['usual'])).toBeGreaterThanOrEqual(0.92)
    expect(mean(shares['far'])).toBeGreaterThanOrEqual(0.3)
    expect(mean(distinct)).toBeGreaterThanOrEqual(5)
  }, 120_000)
})
