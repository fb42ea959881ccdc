/** After any sequence of calls and failures, exactly the live messages have vectors, of their present content. */
import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { configure, VectorStore } from '../../support/message-vectors.ts'
import { memory } from '../../support/memory-world.ts'
import { runs } from '../../support/runs.ts'

const [BLANK, REFUSED] = [' \n', 'x\u2620poison']

const session = fc.constantFrom('s', 't')
const text = fc.constantFrom('heron', 'kestrel', BLANK, REFUSED, 'wren '.repeat(600))
const which = fc.nat(5)

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant('write' as const), session, text }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('update' as const), which, text }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('delete' as const), which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('deleteSession' as const), session }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('rebuild', 'stop', 'wait', 'fail') }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

test(
  'vectors agree with messages after changes, failures and restarts',
  async () => {
    configure()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
        const store = new VectorStore()
        const send = vi.spyOn(globalThis, 'fetch')
        const ids: string[] = []
        for (const one of steps) await take(store, ids, one, () => send.mockRejectedValueOnce(new Error('down')))
        send.mockRestore()
        await store.allEmbeddedAfterFailures()
        const live = await store.sql(
          `SELECT content FROM messages WHERE deleted = 0 AND content NOT IN (?, ?)`,
          BLANK,
          REFUSED,
        )
        const chunksOf = (content: unknown) =>
          Array.from({ length: Math.ceil(String(content).length / 1200) }, () => content)
        expect((await store.embedded()).toSorted()).toEqual(live.flatMap(({ content }) => chunksOf(content)).toSorted())
        const { vectors, sketches } = await store.chunks()
        expect(sketches).toEqual(vectors)
      }),
      { numRuns: runs(10) },
    )
  },
  runs(60_000),
)

async function take(store: VectorStore, ids: string[], step: Step, fail: () => unknown): Promise<void> {
  switch (step.does) {
    case 'write':
      ids.push((await store.write(step.text, { session_id: step.session })).message_id)
      return
    case 'update':
      if (ids.length > 0) await store.update(ids[step.which % ids.length]!, { content: step.text })
      return
    case 'delete':
      if (ids.length > 0) await store.delete(ids[step.which % ids.length]!)
      return
    case 'deleteSession':
      await memory.deleteSession(store.user, step.session)
      return
    case 'rebuild':
      await store.rebuild()
      return
    case 'stop':
      await store.abort()
      return
    case 'wait':
      await new Promise((resolve) => setTimeout(resolve, 30))
      return
    default:
      fail()
  }
}
