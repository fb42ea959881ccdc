/**
 * From a performance to a WAV file. The samples are made a tenth of a second at
 * a time, and between two of these the caller may let others have their turn,
 * tell how far it is, or stop. The file is made in the room of the samples.
 */
import { Renderer, type ChannelSound } from './render-samples.ts'
import type { Performance } from './performance.ts'
import { WavBuffer } from './wav.ts'

/** Blocks in a second of sound. */
const BLOCKS_PER_SECOND = 10

/** Where the loudest sample stands after normalising, in parts of full scale. */
const NORMAL_PEAK = 0.98

/** What stays below this is silence, and is not blown up to a peak. */
const SILENCE = 1e-4

export interface Recording extends ChannelSound {
  /** Scales the loudest sample to 0.98 of full scale; else the levels of the chip stand as they are. */
  readonly normalize: boolean
}

/** How far a recording is. */
export interface RenderProgress {
  readonly doneSamples: number
  readonly allSamples: number
  /** Work since the last time it was told: about one for each step of the sound, some 100 ns. */
  readonly effort: number
}

/** Asked after each tenth of a second of sound; `false` stops the recording. */
export type BetweenBlocks = (progress: RenderProgress) => Promise<boolean>

/** How many samples a performance takes. */
export function countSamples({ totalSeconds }: Performance, sampleRate: number): number {
  return Math.round(totalSeconds * sampleRate)
}

/** The bytes of the file, or undefined when it was stopped. */
export async function record(
  performance: Performance,
  recording: Recording,
  betweenBlocks: BetweenBlocks,
): Promise<Uint8Array | undefined> {
  const { sampleRate, normalize } = recording
  const all = countSamples(performance, sampleRate)
  const room = new WavBuffer(all, sampleRate)
  const blockSamples = Math.ceil(sampleRate / BLOCKS_PER_SECOND)
  const renderer = new Renderer(performance, recording, blockSamples)
  const fadeFrom = all - performance.fadeSeconds * sampleRate
  let peak = 0
  for (let done = 0; done < all;) {
    const block = renderer.render(Math.min(blockSamples, all - done))
    fade(block, done - fadeFrom, all - fadeFrom)
    peak = Math.max(peak, copyAndMeasure(block, room.samples, done))
    done += block.length
    const effort = renderer.takeEffort()
    if (!(await betweenBlocks({ doneSamples: done, allSamples: all, effort }))) return undefined
  }
  return room.toFile(normalize && peak > SILENCE ? NORMAL_PEAK / peak : 1)
}

/** Lets a block that begins `into` samples after the fade does go down along a fade of `length` samples. */
function fade(block: Float64Array, into: number, length: number): void {
  for (let at = Math.max(0, Math.ceil(-into)); at < block.length; at += 1) {
    const left = 1 - (into + at) / length
    // Squared, because loudness is heard by ratios: an even line would seem to wait and then drop.
    block[at] = (block[at] as number) * left * left
  }
}

/** Copies a block to its place and answers with its loudest sample. */
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
