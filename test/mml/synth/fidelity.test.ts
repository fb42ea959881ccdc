/** The sound against the chip's own arithmetic: pitch, harmonics, aliases, clicks, the bits of the noise. */
import { expect, test } from 'vitest'
import { measureTone } from '../support/measure.ts'
import { CPU_HZ, performanceOf, samplesOf, tuned } from '../support/tone.ts'

const RATES = [44_100, 22_050, 48_000]

const WAVES = ['01000000', '01100000', '01111000', '10011111'].map((wave) => [...wave].map(Number))
const TRIANGLE = Array.from({ length: 32 }, (_, at) => (at < 16 ? 15 - at : at - 16))

const pulseLevels = (duty: number) => (WAVES[duty] ?? []).map((high) => (high === 1 ? 95.88 / (8128 / 15 + 100) : 0))
const triangleLevels = TRIANGLE.map((level) => (level === 0 ? 0 : 159.79 / (8227 / level + 100)))

const highPassGain = (corner: number) => (hz: number) => hz / Math.hypot(hz, corner)

/** Up to this note the bounds of a4 apply, above it the looser ones of e7. */
function boundsAt(midi: number): { readonly nonHarmonicDb: number; readonly aliasLineDb: number } {
  return midi <= 69 ? { nonHarmonicDb: -60, aliasLineDb: -65 } : { nonHarmonicDb: -50, aliasLineDb: -55 }
}

const PULSES = [0, 1, 2, 3].flatMap((duty) => [35, 60, 69, 88, 100, 107].map((midi) => [duty, midi] as const))

test.each(RATES)('pulses are in tune and clean at %i Hz, in every duty and octave', async (sampleRate) => {
  for (const [duty, midi] of PULSES) {
    const { timer, hz } = tuned(midi, 16)
    const tone = performanceOf({ Pulse1: [{ atSeconds: 0, level: 15, timer, duty, restart: true }] }, 1.7)
    const samples = await samplesOf(tone, { sampleRate })
    const measures = measureTone(samples, sampleRate, { hz, levels: pulseLevels(duty), gainAt: highPassGain(20) })
    const where = `duty ${duty}, note ${midi}`
    expect(Math.abs(measures.cents), where).toBeLessThanOrEqual(0.1)
    expect(measures.harmonicErrorDb, where).toBeLessThanOrEqual(0.5)
    expect(measures.nullHarmonicDb, where).toBeLessThanOrEqual(-60)
    expect(measures.nonHarmonicDb, where).toBeLessThanOrEqual(boundsAt(midi).nonHarmonicDb)
    expect(measures.aliasLineDb, where).toBeLessThanOrEqual(boundsAt(midi).aliasLineDb)
    expectHealthy(samples, where)
  }
})

test.each(RATES)('the triangle is in tune and clean at %i Hz, in every octave', async (sampleRate) => {
  for (const midi of [28, 45, 69, 81, 100]) {
    const { timer, hz } = tuned(midi, 32)
    const tone = performanceOf({ Triangle: [{ atSeconds: 0, level: 15, timer }] }, 1.7)
    const samples = await samplesOf(tone, { sampleRate })
    const measures = measureTone(samples, sampleRate, { hz, levels: triangleLevels, gainAt: highPassGain(20) })
    expect(Math.abs(measures.cents), `note ${midi}`).toBeLessThanOrEqual(0.1)
    expect(measures.harmonicErrorDb, `note ${midi}`).toBeLessThanOrEqual(0.5)
    expect(measures.nonHarmonicDb, `note ${midi}`).toBeLessThanOrEqual(boundsAt(midi).nonHarmonicDb)
    expect(measures.aliasLineDb, `note ${midi}`).toBeLessThanOrEqual(boundsAt(midi).aliasLineDb)
    expectHealthy(samples, `note ${midi}`)
  }
})

test.each(RATES)('the filters of the console are those of its circuit at %i Hz', async (sampleRate) => {
  const circuit = (hz: number) => highPassGain(90)(hz) * highPassGain(440)(hz) * (14_000 / Math.hypot(hz, 14_000))
  for (const midi of [48, 69, 84]) {
    const { timer, hz } = tuned(midi, 16)
    const tone = performanceOf({ Pulse1: [{ atSeconds: 0, level: 15, timer, duty: 0, restart: true }] }, 1.7)
    const samples = await samplesOf(tone, { sampleRate, consoleFilters: true })
    const { harmonicErrorDb } = measureTone(samples, sampleRate, { hz, levels: pulseLevels(0), gainAt: circuit })
    expect(harmonicErrorDb, `note ${midi}`).toBeLessThanOrEqual(0.5)
  }
})

test.each(RATES)('a halted triangle holds its level: the end of a note is no click at %i Hz', async (sampleRate) => {
  const { timer } = tuned(57, 32)
  for (const end of [0.5, 0.501, 0.502, 0.503]) {
    const changes = [
      { atSeconds: 0, level: 15, timer },
      { atSeconds: end, level: 0, timer },
    ]
    const samples = await samplesOf(performanceOf({ Triangle: changes }, 1), { sampleRate })
    const atEnd = steepest(samples, sampleRate, end - 0.004, end + 0.004)
    expect(atEnd / steepest(samples, sampleRate, 0.2, 0.4)).toBeLessThanOrEqual(2)
  }
})

test.each(RATES)('the slow noises play the bits of the shift register at %i Hz', async (sampleRate) => {
  const periods = [
    [12, 762],
    [13, 1016],
    [14, 2034],
    [15, 4068],
  ] as const
  for (const short of [false, true]) {
    for (const [period, cycles] of periods) {
      const tone = performanceOf({ Noise: [{ atSeconds: 0, level: 15, period, short }] }, 0.85)
      const samples = await samplesOf(tone, { sampleRate })
      const played = hearBits(samples, (cycles * sampleRate) / CPU_HZ)
      expect(shareOfMatches(played, short), `period ${period}, ${short ? 'short' : 'long'}`).toBeGreaterThanOrEqual(
        0.97,
      )
    }
  }
})

/** No constant part, and no sample that stands at full scale. */
function expectHealthy(samples: Float64Array, where: string): void {
  let sum = 0
  let peak = 0
  for (const sample of samples) {
    sum += sample
    peak = Math.max(peak, Math.abs(sample))
  }
  expect(Math.abs(sum / samples.length / peak), where).toBeLessThanOrEqual(0.01)
  expect(peak, where).toBeCloseTo(0.98, 4)
}

function steepest(samples: Float64Array, rate: number, from: number, to: number): number {
  let steep = 0
  for (let at = Math.round(from * rate); at < Math.round(to * rate); at += 1) {
    steep = Math.max(steep, Math.abs((samples[at] as number) - (samples[at - 1] as number)))
  }
  return steep
}

/** The level of each bit, by the rise and fall between the middles of two bits. */
function hearBits(samples: Float64Array, samplesPerBit: number): boolean[] {
  const reach = Math.max(2, Math.round(samplesPerBit / 4))
  const rises: number[] = []
  for (let bit = 1; (bit + 1) * samplesPerBit + reach < samples.length; bit += 1) {
    const border = Math.round(bit * samplesPerBit)
    rises.push((samples[border + reach] as number) - (samples[border - reach] as number))
  }
  const most = Math.max(...rises.map(Math.abs))
  const isEdge = (rise: number) => Math.abs(rise) > 0.35 * most
  let high = (rises.find(isEdge) ?? 0) < 0
  return rises.map((rise) => {
    if (isEdge(rise)) high = rise > 0
    return high
  })
}

/** The best match of what was heard with the register's own bits, begun a few bits sooner or later. */
function shareOfMatches(heard: readonly boolean[], short: boolean): number {
  let register = 1
  const bits = Array.from({ length: heard.length + 8 }, () => {
    const high = (register & 1) === 0
    const feedback = (register ^ (register >> (short ? 6 : 1))) & 1
    register = (register >> 1) | (feedback << 14)
    return high
  })
  const shares = Array.from({ length: 8 }, (_, begin) => {
    const matches = heard.filter((high, at) => high === bits[begin + at])
    return matches.length / heard.length
  })
  return Math.max(...shares)
}
