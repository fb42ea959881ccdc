/**
 * Questions over two long conversations, written and searched through the store:
 * the share of answering messages among the first ten results. `near` questions use
 * the words of their answers, `far` ones have almost none of them. Neither set was
 * used to tune the ranking.
 */
import { describe, expect, test } from 'vitest'
import type { Role } from '../../../src/base/vocabulary.ts'
import assistant from '../../questions/assistant.json'
import friends from '../../questions/friends.json'
import { TestStore, value } from '../../support/memory-world.ts'

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
