/**
 * Random sequences of calls against a plain model. Several calls run at a time, so
 * the model requires no order among them: only that acknowledged changes are
 * stored, that revisions are 1, 2, 3 without a gap, and that nothing else is stored.
 */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message } from '../../../src/contracts/messages/message-fields.ts'
import { runs } from '../../support/runs.ts'
import { codeOf, TestStore, value } from '../../support/memory-world.ts'

const SESSIONS = ['s', 't']
const WORDS = ['heron', 'stork', '鷺', 'egret']

type Call =
  | { readonly call: 'write'; readonly session: string; readonly word: string }
  | Change
  | { readonly call: 'rebuild' }
  | { readonly call: 'restart' }

type Change =
  | { readonly call: 'delete'; readonly which: number }
  | {
      readonly call: 'update'
      readonly which: number
      readonly word: string
      readonly expects: 'any' | 'latest' | 'old'
    }

const write = fc.record({
  call: fc.constant('write' as const),
  session: fc.constantFrom(...SESSIONS),
  word: fc.constantFrom(...WORDS),
})
const update = fc.record({
  call: fc.constant('update' as const),
  which: fc.nat(5),
  word: fc.constantFrom(...WORDS),
  expects: fc.constantFrom('any' as const, 'latest' as const, 'old' as const),
})
const remove = fc.record({ call: fc.constant('delete' as const), which: fc.nat(5) })
const upkeep: fc.Arbitrary<Call> = fc.constantFrom({ call: 'rebuild' }, { call: 'restart' })
const step: fc.Arbitrary<readonly Call[]> = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.oneof(write, update, remove), { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.array(upkeep, { minLength: 1, maxLength: 1 }) },
)

/** A message in the model: every acknowledged state, and whether its deletion was acknowledged. */
interface Known {
  readonly id: string
  readonly session: string
  readonly states: Map<number, string>
  deleted: boolean
}

test(
  'no sequence of calls loses, repeats or reorders a message',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const store = new TestStore()
        const known: Known[] = []
        for (const calls of steps) {
          const before = known.length
          await Promise.all(calls.map((call) => perform(store, known, before, call)))
          await compareHistory(store, known)
        }
        await compareSearch(store, known)
      }),
      { numRuns: runs(300) },
    )
  },
  runs(180_000),
)

/** Makes a call and records what was acknowledged. Changes name only messages that existed before this step. */
async function perform(store: TestStore, known: Known[], before: number, call: Call): Promise<void> {
  if (call.call === 'write') {
    const { message_id, revision } = await store.write(call.word, { session_id: call.session })
    expect(revision).toBe(1)
    known.push({ id: message_id, session: call.session, states: new Map([[1, call.word]]), deleted: false })
    return
  }
  if (call.call === 'rebuild') return void value(await store.rebuild())
  if (call.call === 'restart') return store.restart().catch(() => undefined)
  const one = known[call.which % Math.max(1, before)]
  if (one !== undefined && before > 0) await performChange(store, one, call)
}

async function performChange(store: TestStore, one: Known, call: Change): Promise<void> {
  if (call.call === 'delete') {
    if (value(await store.delete(one.id)).status === 'OK') {
      expect(one.deleted).toBe(false)
      one.deleted = true
    } else expect(one.deleted).toBe(true)
    return
  }
  const latest = one.states.size
  const expected = { any: {}, latest: { expected_revision: latest }, old: { expected_revision: latest + 7 } }[
    call.expects
  ]
  const updated = await store.update(one.id, { content: call.word, ...expected })
  if (!updated.ok) {
    const code = codeOf(updated)
    if (code === 'NOT_FOUND') expect(one.deleted).toBe(true)
    else expect([code, call.expects === 'any']).toEqual(['CONFLICT', false])
    return
  }
  const { changed, message } = updated.value
  expect(call.expects).not.toBe('old')
  expect(message.content).toBe(call.word)
  if (changed) {
    expect(one.states.has(message.revision)).toBe(false)
    one.states.set(message.revision, call.word)
  } else expect(one.states.get(message.revision)).toBe(call.word)
}

/** History must equal the model. */
async function compareHistory(store: TestStore, known: readonly Known[]): Promise<void> {
  for (const { states } of known) {
    expect([...states.keys()].toSorted((a, b) => a - b)).toEqual(Array.from({ length: states.size }, (_, at) => at + 1))
  }
  const alive = known.filter(({ deleted }) => !deleted)
  const seen: Message[] = []
  for (const session_id of SESSIONS) {
    const { messages } = await store.walk({ session_id, limit: 2 })
    const ids = messages.map(({ message_id }) => message_id)
    expect(ids).toEqual(
      alive
        .filter(({ session }) => session === session_id)
        .map(({ id }) => id)
        .toSorted(),
    )
    seen.push(...messages)
  }
  const latest = ({ id, states }: Known) => [id, states.size, states.get(states.size)]
  const byId = (a: unknown[], b: unknown[]) => (String(a[0]) < String(b[0]) ? -1 : 1)
  expect(seen.map(({ message_id, revision, content }) => [message_id, revision, content]).toSorted(byId)).toEqual(
    alive.map(latest).toSorted(byId),
  )
}

/** Search, lists and the counts must equal the model. */
async function compareSearch(store: TestStore, known: readonly Known[]): Promise<void> {
  const alive = known.filter(({ deleted }) => !deleted)
  const newestFirst = alive
    .map(({ id }) => id)
    .toSorted()
    .toReversed()
  const listed = value(await store.list({ limit: 100 })).results.map(({ message_id }) => message_id)
  expect(listed).toEqual(newestFirst.slice(0, 100))
  for (const session_id of SESSIONS) {
    const { messages } = await store.walk({ session_id, limit: 3, order: 'desc' })
    const ofSession = alive.filter(({ session }) => session === session_id).map(({ id }) => id)
    expect(messages.map(({ message_id }) => message_id)).toEqual(ofSession.toSorted().toReversed())
  }
  for (const word of WORDS) {
    const found = value(await store.search(word, { limit: 100 })).results.map(({ message_id }) => message_id)
    const wanted = alive.filter(({ states }) => states.get(states.size) === word).map(({ id }) => id)
    expect(found.toSorted()).toEqual(wanted.toSorted())
  }
  const health = await store.health()
  expect(health).toMatchObject({ status: 'OK', active_messages: alive.length, snapshot_valid: true })
}
