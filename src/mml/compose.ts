/**
 * From a performance to a sound, within the limits of one isolate: they are
 * checked before anything is allocated that they bound.
 */
import { toDiagnostic, type Diagnostic } from './language/diagnostic.ts'
import type { Performance } from './synth/performance.ts'
import { countSamples, record, type BetweenBlocks, type Recording } from './synth/recording.ts'

/** Samples of one file: 90 seconds at 44,100 Hz. With the file's text an isolate has room for just so much. */
export const MAX_SAMPLES = 4_000_000

/** Lowest rate a sound may be asked for at, named where a song is too long for every rate. */
export const MIN_SAMPLE_RATE = 8_000

export type Composed =
  | { readonly kind: 'sound'; readonly file: Uint8Array; readonly seconds: number }
  | { readonly kind: 'refused'; readonly why: Diagnostic }
  | { readonly kind: 'stopped' }

/** Plays a performance into a WAV file. */
export async function compose(
  performance: Performance,
  recording: Recording,
  betweenBlocks: BetweenBlocks,
): Promise<Composed> {
  const { sampleRate } = recording
  const samples = countSamples(performance, sampleRate)
  const why = samples === 0 ? EMPTY : samples > MAX_SAMPLES ? toTooLong(performance, sampleRate) : undefined
  if (why !== undefined) return { kind: 'refused', why }
  const file = await record(performance, recording, betweenBlocks)
  return file === undefined ? { kind: 'stopped' } : { kind: 'sound', file, seconds: samples / sampleRate }
}

const EMPTY = toDiagnostic('SEMANTIC_EMPTY_TRACK', 'There is nothing to play: no track has a note or a rest.')

function toTooLong({ totalSeconds }: Performance, sampleRate: number): Diagnostic {
  const length = `The song lasts ${totalSeconds.toFixed(1)} s, which at ${sampleRate} Hz is more than ${MAX_SAMPLES} samples.`
  const fitting = Math.floor(MAX_SAMPLES / totalSeconds)
  const hint =
    fitting >= MIN_SAMPLE_RATE
      ? `It fits at a sample_rate of ${fitting} or less.`
      : `It fits at no sample_rate: ${MAX_SAMPLES / MIN_SAMPLE_RATE} s at ${MIN_SAMPLE_RATE} Hz is the longest.`
  return toDiagnostic('RUNTIME_DURATION_LIMIT', length, hint)
}
