/** One long tone of one channel, as samples of the file that would be sent. */
import type { ControlChange, Performance } from '../../../src/mml/performance/performance.ts'
import { synthesize, type SynthesisOptions } from '../../../src/mml/synth/synthesize.ts'
import type { ChannelName } from '../../../src/mml/chip/channels.ts'

export const CPU_HZ = 236_250_000 / 132

export const SILENT: Omit<ControlChange, 'atSeconds'> = {
  level: 0,
  timer: 0,
  duty: 0,
  period: 0,
  short: false,
  restart: false,
}

export type Timed = Partial<ControlChange> & { readonly atSeconds: number }

/** A performance of these changes; channels that are not named are silent. */
export function performanceOf(
  channels: Partial<Record<ChannelName, readonly Timed[]>>,
  totalSeconds: number,
  fadeSeconds = 0,
): Performance {
  const of = (name: ChannelName) => () => (channels[name] ?? []).map((change) => ({ ...SILENT, ...change }))
  return {
    channels: { Pulse1: of('Pulse1'), Pulse2: of('Pulse2'), Triangle: of('Triangle'), Noise: of('Noise') },
    totalSeconds,
    fadeSeconds,
    loop: null,
  }
}

export const PLAIN: SynthesisOptions = { sampleRate: 44_100, consoleFilters: false, normalize: true }

/** The samples of the file, in parts of full scale. */
export async function samplesOf(
  performance: Performance,
  options: Partial<SynthesisOptions> = {},
): Promise<Float64Array> {
  return readSamples(await fileOf(performance, options))
}

export async function fileOf(performance: Performance, options: Partial<SynthesisOptions> = {}): Promise<Uint8Array> {
  const sound = await synthesize(performance, { ...PLAIN, ...options }, async () => true)
  if (sound.kind !== 'sound') throw new Error(`the synthesis was ${sound.kind}`)
  return sound.file
}

export function readSamples(file: Uint8Array): Float64Array {
  const view = new DataView(file.buffer, file.byteOffset + 44, file.byteLength - 44)
  return Float64Array.from({ length: view.byteLength / 2 }, (_, at) => view.getInt16(2 * at, true) / 32_768)
}

/** The period register for a note, and the frequency that it really gives. */
export function tuned(midi: number, cyclesPerTimer: 16 | 32): { readonly timer: number; readonly hz: number } {
  const timer = Math.round(CPU_HZ / (cyclesPerTimer * 440 * 2 ** ((midi - 69) / 12)) - 1)
  return { timer, hz: CPU_HZ / (cyclesPerTimer * (timer + 1)) }
}
