/**
 * The tests' working model: words and their character trigrams hashed to 256
 * dimensions. Texts that share words or letters get similar vectors.
 */
import { hash32 } from '../../src/base/hash.ts'

export const HASHED_DIMENSIONS = 256

/** Trigrams say less than whole words. */
const TRIGRAM_WEIGHT = 0.4

/** Not of unit length; all zeros for a text without letters. */
export function hashedVector(text: string, dimensions = HASHED_DIMENSIONS): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  const add = (feature: string, weight: number) => {
    const hash = hash32(feature)
    const at = hash % dimensions
    vector[at] = (vector[at] ?? 0) + (hash & 0x8000_0000 ? weight : -weight)
  }
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    add(word, 1)
    const padded = `<${word}>`
    for (let at = 0; at + 3 <= padded.length; at += 1) add(padded.slice(at, at + 3), TRIGRAM_WEIGHT)
  }
  return vector
}
