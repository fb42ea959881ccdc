/** One long tone of one channel, as samples of the file that would be sent. */
import type { ControlChange, Performance } from '../../../src/mml/synth/performance.ts'
import { record, type Recording } from '../../../src/mml/synth/recording.ts'
import type { ChannelName } from '../../../src/mml/language/sequence.ts'

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

export const PLAIN: Recording = { sampleRate: 44_100, consoleFilters: false, normalize: true }

/** The samples of the recorded file, in parts of full scale. */
export async function samplesOf(performance: Performance, recording: Partial<Recording> = {}): Promise<Float64Array> {
  const file = await record(performance, { ...PLAIN, ...recording }, async () => true)
  if (file === undefined) throw new Error('nobody stopped the recording')
  return readSamples(file)
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
