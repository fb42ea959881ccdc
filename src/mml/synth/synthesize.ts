/**
 * Synthesizes a performance into a WAV file, a tenth of a second of samples at a
 * time. Between two blocks the caller may yield, report progress or stop. Length
 * limits are checked before the file's memory is allocated.
 */
import { toDiagnostic, type Diagnostic } from '../language/diagnostic.ts'
import { MAX_SAMPLES, MIN_SAMPLE_RATE } from '../limits.ts'
import type { Performance } from '../performance/performance.ts'
import { ChipSynth, type SoundOptions } from './chip-synth.ts'
import { WavBuffer } from './wav.ts'

const BLOCKS_PER_SECOND = 10

/** The loudest sample of a normalized file, as a part of full scale. */
const NORMALIZED_PEAK = 0.98

/** A peak up to this is silence and is not amplified. */
const SILENT_PEAK = 1e-4

export interface SynthesisOptions extends SoundOptions {
  /** Scales the loudest sample to NORMALIZED_PEAK; false keeps the levels of the chip. */
  readonly normalize: boolean
}

export interface SynthesisProgress {
  readonly doneSamples: number
  readonly allSamples: number
  /** Work since the last report, in units of one edge of a wave (some 100 ns). */
  readonly effort: number
}

/** Called after each block; false stops the synthesis. */
type BetweenBlocks = (progress: SynthesisProgress) => Promise<boolean>

type Synthesized =
  | { readonly kind: 'sound'; readonly file: Uint8Array; readonly seconds: number }
  /** Nothing to play, or more than MAX_SAMPLES. */
  | { readonly kind: 'refused'; readonly why: Diagnostic }
  | { readonly kind: 'stopped' }

export async function synthesize(
  performance: Performance,
  options: SynthesisOptions,
  betweenBlocks: BetweenBlocks,
): Promise<Synthesized> {
  const { sampleRate } = options
  const samples = Math.round(performance.totalSeconds * sampleRate)
  if (samples === 0) return { kind: 'refused', why: EMPTY }
  if (samples > MAX_SAMPLES) return { kind: 'refused', why: toTooLong(performance, sampleRate) }
  const file = await writeFile(performance, options, samples, betweenBlocks)
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

/** The bytes of the file, or undefined when it was stopped. */
async function writeFile(
  performance: Performance,
  options: SynthesisOptions,
  all: number,
  betweenBlocks: BetweenBlocks,
): Promise<Uint8Array | undefined> {
  const { sampleRate, normalize } = options
  const wav = new WavBuffer(all, sampleRate)
  const blockSamples = Math.ceil(sampleRate / BLOCKS_PER_SECOND)
  const synth = new ChipSynth(performance, options, blockSamples)
  const fadeFrom = all - performance.fadeSeconds * sampleRate
  let peak = 0
  for (let done = 0; done < all;) {
    const block = synth.nextBlock(Math.min(blockSamples, all - done))
    fade(block, done - fadeFrom, all - fadeFrom)
    peak = Math.max(peak, copyAndMeasure(block, wav.samples, done))
    done += block.length
    const effort = synth.takeEffort()
    if (!(await betweenBlocks({ doneSamples: done, allSamples: all, effort }))) return undefined
  }
  return wav.finish(normalize && peak > SILENT_PEAK ? NORMALIZED_PEAK / peak : 1)
}

/** Fades a block that begins `into` samples after the start of a fade of `length` samples; `into` may be negative. */
function fade(block: Float64Array, into: number, length: number): void {
  for (let at = Math.max(0, Math.ceil(-into)); at < block.length; at += 1) {
    const left = 1 - (into + at) / length
    // Squared, because loudness is perceived by ratios: a linear fade seems to wait and then drop.
    block[at] = (block[at] as number) * left * left
  }
}

/** Copies a block to its place and returns its peak. */
function copyAndMeasure(block: Float64Array, samples: Float32Array, to: number): number {
  let peak = 0
  for (let at = 0; at < block.length; at += 1) {
    const sample = block[at] as number
    samples[to + at] = sample
    const loud = sample < 0 ? -sample : sample
    if (loud > peak) peak = loud
  }
  return peak
}
