/** The voices in cycles of the processor, and the mixer, against the chip's own description. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mix } from '../../../src/mml/synth/mixer.ts'
import { Noise } from '../../../src/mml/synth/noise.ts'
import { Pulse } from '../../../src/mml/synth/pulse.ts'
import { Triangle } from '../../../src/mml/synth/triangle.ts'
import type { Voice } from '../../../src/mml/synth/voice.ts'
import type { ControlChange } from '../../../src/mml/performance/performance.ts'
import { SILENT } from '../support/tone.ts'

const controls = (some: Partial<ControlChange>): ControlChange => ({ atSeconds: 0, ...SILENT, ...some })

/** Runs a voice to a cycle and notes its output in the middle of every stretch of `every` cycles. */
function outputs(voice: Voice, every: number, count: number, from = 0): number[] {
  return Array.from({ length: count }, (_, at) => {
    while (voice.nextAt <= from + (at + 0.5) * every) voice.step()
    return voice.output
  })
}

test.each([
  [0, '01000000'],
  [1, '01100000'],
  [2, '01111000'],
  [3, '10011111'],
])('duty %i of a pulse is %s, each step 2 * (timer + 1) cycles', (duty, wave) => {
  const pulse = new Pulse()
  pulse.change(0, controls({ level: 9, timer: 99, duty, restart: true }))
  const twice = [...wave, ...wave].map((high) => (high === '1' ? 9 : 0))
  expect(outputs(pulse, 200, 16)).toEqual(twice)
})

test('a pulse below timer 8 is mute, and its wave runs on', () => {
  const pulse = new Pulse()
  pulse.change(0, controls({ level: 15, timer: 99, duty: 2, restart: true }))
  pulse.change(10, controls({ level: 15, timer: 7, duty: 2 }))
  expect([pulse.output, pulse.nextAt]).toEqual([0, Infinity])
  // Step 0 keeps its 200 cycles; steps of 16 cycles follow, so that step 1 is under way here.
  pulse.change(210, controls({ level: 15, timer: 99, duty: 2 }))
  expect([pulse.output, pulse.nextAt]).toEqual([15, 216 + 3 * 200])
})

test('the triangle goes down and up in 32 steps of timer + 1 cycles, and holds where it is halted', () => {
  const triangle = new Triangle()
  triangle.change(0, controls({ level: 15, timer: 49 }))
  const down = Array.from({ length: 16 }, (_, at) => 15 - at)
  expect(outputs(triangle, 50, 32)).toEqual([...down, ...down.toReversed()])
  expect(outputs(triangle, 50, 5, 1600)).toEqual([15, 14, 13, 12, 11])
  triangle.change(1850, controls({ level: 0, timer: 49 }))
  expect(outputs(triangle, 50, 3, 1850)).toEqual([11, 11, 11])
  triangle.change(2000, controls({ level: 15, timer: 49 }))
  expect(outputs(triangle, 50, 3, 2000)).toEqual([11, 10, 9])
})

test.each([
  ['long', false, 32_767],
  ['short', true, 93],
])('the %s noise repeats after its whole cycle and no sooner', (_, short, cycle) => {
  const noise = new Noise()
  noise.change(0, controls({ level: 15, period: 3, short }))
  const heard = outputs(noise, 32, 2 * cycle)
  expect(heard.slice(cycle)).toEqual(heard.slice(0, cycle))
  const third = Math.floor(cycle / 3)
  expect(heard.slice(third, third + cycle)).not.toEqual(heard.slice(0, cycle))
})

/** What a voice plays is the same whether it was heard before or ran on unheard. */
test.each([
  ['pulse', () => new Pulse(), { timer: 77, duty: 1 }],
  ['noise', () => new Noise(), { period: 5 }],
  ['short noise', () => new Noise(), { period: 5, short: true }],
])('a %s that was silent for a while comes back where it would have been', (_, make, wave) => {
  const silentFrom = fc.integer({ min: 1, max: 50_000 })
  const silentFor = fc.integer({ min: 1, max: 9_000_000 })
  fc.assert(
    fc.property(silentFrom, silentFor, (from, length) => {
      const heard = make()
      const silent = make()
      for (const voice of [heard, silent]) {
        voice.change(0, controls({ level: 15, ...wave, restart: true }))
        while (voice.nextAt < from) voice.step()
      }
      silent.change(from, controls({ level: 0, ...wave }))
      while (heard.nextAt < from + length) heard.step()
      silent.change(from + length, controls({ level: 15, ...wave }))
      heard.change(from + length, controls({ level: 15, ...wave }))
      expect([silent.output, silent.nextAt]).toEqual([heard.output, heard.nextAt])
    }),
    { numRuns: 40 },
  )
})

test('the mixer gives the levels of the chip', () => {
  const rounded = (...levels: Parameters<typeof mix>) => Number(mix(...levels).toFixed(4))
  expect(rounded(0, 0, 0, 0)).toBe(0)
  expect(rounded(15, 0, 0, 0)).toBe(0.1494)
  expect(rounded(15, 15, 0, 0)).toBe(0.2585)
  expect(rounded(0, 0, 15, 0)).toBe(0.2464)
  expect(rounded(0, 0, 0, 15)).toBe(0.1744)
  expect(rounded(15, 15, 15, 15)).toBe(0.6318)
})
