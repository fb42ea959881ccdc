/** Recording: how many samples, the file around them, fades, levels, and stopping half way. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { record } from '../../../src/mml/synth/recording.ts'
import { WavBuffer } from '../../../src/mml/synth/wav.ts'
import { performanceOf, PLAIN, readSamples, samplesOf, tuned } from '../support/tone.ts'

const { timer } = tuned(69, 16)
const LOUD = { atSeconds: 0, level: 15, timer, duty: 2, restart: true }
const QUIET = { ...LOUD, level: 1 }

const peakOf = (samples: Float64Array) => samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)

test('the file holds round(seconds * rate) samples, whatever their number', async () => {
  const seconds = fc.double({ min: 0.0001, max: 0.4, noNaN: true })
  const rates = fc.integer({ min: 8_000, max: 96_000 })
  await fc.assert(
    fc.asyncProperty(seconds, rates, async (totalSeconds, sampleRate) => {
      const samples = await samplesOf(performanceOf({ Pulse1: [LOUD] }, totalSeconds), { sampleRate })
      expect(samples.length).toBe(Math.round(totalSeconds * sampleRate))
    }),
    { numRuns: 40 },
  )
})

test('the header is that of a PCM file of 16 bits and one channel', async () => {
  const file = await record(performanceOf({ Pulse1: [LOUD] }, 0.5), PLAIN, async () => true)
  const bytes = file ?? new Uint8Array()
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const tag = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))
  expect(bytes.byteLength).toBe(44 + 2 * 22_050)
  expect([tag(0), tag(8), tag(12), tag(36)]).toEqual(['RIFF', 'WAVE', 'fmt ', 'data'])
  expect([4, 16, 24, 28, 40].map((at) => view.getUint32(at, true))).toEqual([44_136, 16, 44_100, 88_200, 44_100])
  expect([20, 22, 32, 34].map((at) => view.getUint16(at, true))).toEqual([1, 1, 2, 16])
})

test('a quiet song is as loud as a loud one when normalised, and not when it is not', async () => {
  const [quiet, loud] = [performanceOf({ Pulse1: [QUIET] }, 0.5), performanceOf({ Pulse1: [LOUD] }, 0.5)]
  expect(peakOf(await samplesOf(quiet))).toBeCloseTo(0.98, 4)
  expect(peakOf(await samplesOf(loud))).toBeCloseTo(0.98, 4)
  const raw = { normalize: false }
  const ratio = peakOf(await samplesOf(loud, raw)) / peakOf(await samplesOf(quiet, raw))
  // 95.88 / (8128 / 15 + 100) over 95.88 / (8128 / 1 + 100)
  expect(ratio).toBeCloseTo(12.83, 1)
})

test('silence stays silence, also under a halted triangle', async () => {
  const halted = [
    { atSeconds: 0, level: 15, timer },
    { atSeconds: 0.05, level: 0, timer },
  ]
  expect(peakOf(await samplesOf(performanceOf({}, 0.3)))).toBe(0)
  const samples = await samplesOf(performanceOf({ Triangle: halted }, 1.5))
  expect(peakOf(samples.subarray(44_100))).toBeLessThan(1e-4)
})

test('a fade goes down to nothing over its seconds and leaves what is before it alone', async () => {
  const plain = await samplesOf(performanceOf({ Pulse1: [LOUD] }, 2), { normalize: false })
  const faded = await samplesOf(performanceOf({ Pulse1: [LOUD] }, 2, 1), { normalize: false })
  expect(faded.subarray(0, 44_100)).toEqual(plain.subarray(0, 44_100))
  const half = peakOf(faded.subarray(66_150, 66_650)) / peakOf(plain.subarray(66_150, 66_650))
  expect(half).toBeCloseTo(0.25, 1)
  expect(peakOf(faded.subarray(88_000))).toBeLessThan(1e-3)
})

test('it is asked after each tenth of a second, and stops when it is told to', async () => {
  const asked: number[] = []
  const file = await record(
    performanceOf({ Pulse1: [LOUD] }, 60),
    PLAIN,
    async ({ doneSamples, allSamples, effort }) => {
      expect(allSamples).toBe(60 * 44_100)
      expect(effort).toBeGreaterThan(0)
      asked.push(doneSamples)
      return asked.length < 3
    },
  )
  expect(file).toBeUndefined()
  expect(asked).toEqual([4410, 8820, 13_230])
})

test('the blocks in which it is made leave no trace', async () => {
  const song = { Pulse1: [LOUD], Noise: [{ atSeconds: 0, level: 9, period: 4 }] }
  const short = await samplesOf(performanceOf(song, 0.1), { normalize: false })
  const long = await samplesOf(performanceOf(song, 0.37), { normalize: false })
  expect(long.subarray(0, short.length)).toEqual(short)
  const steps = Array.from({ length: long.length - 1 }, (_, at) => Math.abs(long[at + 1]! - long[at]!))
  const borders = [4409, 8819, 13_229].map((at) => steps[at] ?? 0)
  expect(Math.max(...borders)).toBeLessThan(Math.max(...steps))
})

test('samples are narrowed where they lie: rounded, and held at full scale', () => {
  const room = new WavBuffer(1000, 44_100)
  const given = Array.from({ length: 1000 }, (_, at) => Math.fround((at - 500) / 300 + 0.1 / 32_767))
  room.samples.set(given)
  const narrowed = [...readSamples(room.toFile(0.5))].map((sample) => sample * 32_768)
  const wanted = given.map((sample) => Math.max(-32_767, Math.min(32_767, Math.round(sample * 0.5 * 32_767))) + 0)
  expect(narrowed).toEqual(wanted)
})
