/** What goes on around a compose: progress for who asks, stopping, and bugs that stay inside. */
import { expect, test } from 'vitest'
import { MODE_RULES } from '../../../src/http/auth/modes.ts'
import { toComposeMmlTool, type Music } from '../../../src/mcp/tools/compose-mml.ts'
import type { Call } from '../../../src/mcp/tool.ts'

const ARGUMENTS = { action: 'compose', mode: 'ppmck', mml: 'A t60 o6 [c1]30', sample_rate: 8_000 }

/** A clock on which each look takes so many milliseconds. */
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

test('a long compose tells how far it is, once a second, forwards', async () => {
  const told: [number, number][] = []
  await run({ reportProgress: async (done, total) => void told.push([done, total]) }, { now: slowClock(300) })
  expect(told.length).toBeGreaterThan(1)
  expect(told.length).toBeLessThan(9)
  expect(told.every(([done, total], at) => total === 960_000 && done > (told[at - 1]?.[0] ?? 0) && done <= total)).toBe(
    true,
  )
})

test('a short one says nothing', async () => {
  const told: number[] = []
  await run({ reportProgress: async (done) => void told.push(done) }, { now: () => 0 })
  expect(told).toEqual([])
})

test('a listener that is gone stops nothing', async () => {
  const { failedWith } = await run(
    { reportProgress: () => Promise.reject(new Error('closed')) },
    { now: slowClock(300) },
  )
  expect(failedWith).toBeUndefined()
})

test('a cancelled compose stops soon, without a sound, and lets the next one go on', async () => {
  const stop = new AbortController()
  let blocks = 0
  const music: Partial<Music> = {
    compose: async (_performance, _recording, betweenBlocks) => {
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

test('a bug of the synthesis stays inside, and its evidence is kept', async () => {
  const bug = new Error('secret at /srv/x.ts:5')
  const { answer, failedWith, bugs } = await run({}, { compose: () => Promise.reject(bug) })
  expect([failedWith, codeOf(answer), bugs]).toEqual(['RUNTIME_SYNTHESIS_FAILED', 'RUNTIME_SYNTHESIS_FAILED', [bug]])
  expect(JSON.stringify(answer)).not.toContain('secret')
  expect((await run()).failedWith).toBeUndefined()
})
