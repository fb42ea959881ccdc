/** What no composer can go below: filling as many samples, writing them to a WAV file, and encoding it. */
import { toBase64Parts } from '../../../src/base/base64.ts'
import { WavBuffer } from '../../../src/mml/synth/wav.ts'

/** Characters of the base64, so that nothing of it can be left out. */
export function fillAndEncode(samples: number, sampleRate: number): number {
  const room = new WavBuffer(samples, sampleRate)
  for (let at = 0; at < samples; at += 1) room.samples[at] = ((at * 7_919) % 2_001) / 1_000 - 1
  let chars = 0
  for (const piece of toBase64Parts(room.toFile(0.98))) chars += piece.length
  return chars
}
