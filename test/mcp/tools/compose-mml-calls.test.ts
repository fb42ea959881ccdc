/** A running compose call: progress, cancelling and bugs. */
import { expect, test } from 'vitest'
import { MODE_RULES } from '../../../src/http/auth/modes.ts'
import { toComposeMmlTool, type Music } from '../../../src/mcp/tools/compose-mml.ts'
import type { Call } from '../../../src/mcp/tool.ts'

const ARGUMENTS = { action: 'compose', mode: 'ppmck', mml: 'A t60 o6 [c1]30', sample_rate: 8_000 }

/** A clock that advances by `step` milliseconds each time it is read. */
function slowClock(step: number): () => number {
  let now = 0
  return () => (now += step)
}

async function run(call: Partial<Call> = {}, music: Partial<Music> = {}) {
  const bugs: unknown[] = []
  const tool = toComposeMmlTool({ now: Date.now, ...music })
  const whole = { signal: new AbortController().signal, reportBug: (bug: unknown) => void bugs.push(bug), ...call }
  const result = await tool.run(MODE_RULES.local.viewer, ARGUMENTS, whole)
  if (!result.ok) throw new Error('it refuses in its own shape only')
  return { ...result.value, bugs }
}

const codeOf = (answer: Record<string, any>) => answer['validation'].errors[0].code

test('A long compose reports growing progress once a second.', async () => {
  const reported: [number, number][] = []
  await run({ reportProgress: async (done, total) => void reported.push([done, total]) }, { now: slowClock(300) })
  expect(reported.length).toBeGreaterThan(1)
  expect(reported.length).toBeLessThan(9)
  expect(
    reported.every(([done, total], at) => total === 960_000 && done > (reported[at - 1]?.[0] ?? 0) && done <= total),
  ).toBe(true)
})

test('A compose of less than a second reports no progress.', async () => {
  const reported: number[] = []
  await run({ reportProgress: async (done) => void reported.push(done) }, { now: () => 0 })
  expect(reported).toEqual([])
})

test('A failing progress report does not stop the compose.', async () => {
  const { failedWith } = await run(
    { reportProgress: () => Promise.reject(new Error('closed')) },
    { now: slowClock(300) },
  )
  expect(failedWith).toBeUndefined()
})

test('A cancelled compose stops without a sound and releases the mutex.', async () => {
  const stop = new AbortController()
  let blocks = 0
  const music: Partial<Music> = {
    synthesize: async (_performance, _options, betweenBlocks) => {
      for (;;) {
        blocks += 1
        if (blocks === 3) stop.abort()
        if (!(await betweenBlocks({ doneSamples: blocks, allSamples: 100, effort: 60_000 }))) return { kind: 'stopped' }
      }
    },
  }
  const { answer, failedWith, audio } = await run({ signal: stop.signal }, music)
  expect([blocks, failedWith, audio]).toEqual([3, 'RUNTIME_SYNTHESIS_FAILED', undefined])
  expect(answer).toMatchObject({ success: false, audio: null })
  expect((await run()).failedWith).toBeUndefined()
})

test('A bug in the synthesis is logged and its text stays out of the answer.', async () => {
  const bug = new Error('secret at /srv/x.ts:5')
  const { answer, failedWith, bugs } = await run({}, { synthesize: () => Promise.reject(bug) })
  expect([failedWith, codeOf(answer), bugs]).toEqual(['RUNTIME_SYNTHESIS_FAILED', 'RUNTIME_SYNTHESIS_FAILED', [bug]])
  expect(JSON.stringify(answer)).not.toContain('secret')
  expect((await run()).failedWith).toBeUndefined()
})
