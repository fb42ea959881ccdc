/** The lower bound of any composer: filling the samples, writing them to a WAV file, and encoding it. */
import { toBase64Parts } from '../../../src/base/base64.ts'
import { WavBuffer } from '../../../src/mml/synth/wav.ts'

/** Returns the characters of the base64, so that no part of the work can be optimised away. */
export function fillAndEncode(samples: number, sampleRate: number): number {
  const buffer = new WavBuffer(samples, sampleRate)
  for (let at = 0; at < samples; at += 1) buffer.samples[at] = ((at * 7_919) % 2_001) / 1_000 - 1
  let chars = 0
  for (const part of toBase64Parts(buffer.toFile(0.98))) chars += part.length
  return chars
}
