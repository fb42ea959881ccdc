/**
 * The table of the built-in embedder: vectors of words, as one block of bytes that
 * is read in place. A word is found by its hash. scripts/make-word-table.ts makes
 * the table; ORIGIN.md says from what.
 *
 * Layout, little-endian: the number of words and of dimensions (uint32 each), hashes
 * in rising order (uint32 each), weights (uint8 each, 255 is 1), vectors (int8 each).
 */

export interface TableWord {
  /** In lower case. */
  readonly word: string
  /** By rarity, above 0 and at most 1. */
  readonly weight: number
  readonly vector: readonly number[]
}

const HEADER_BYTES = 8
const HASH_BYTES = 4
const HIGHEST_WEIGHT = 255
const HIGHEST_VALUE = 127

/** The table of these words. Of two words with one hash the first stays. */
export function packTable(words: readonly TableWord[]): Uint8Array {
  const byHash = new Map<number, TableWord>()
  for (const one of words) if (!byHash.has(hashOf(one.word))) byHash.set(hashOf(one.word), one)
  const sorted = [...byHash].sort(([a], [b]) => a - b)
  const dimensions = words[0]?.vector.length ?? 0
  const factor = words.reduce((most, { vector }) => Math.max(most, ...vector.map(Math.abs)), 0) / HIGHEST_VALUE
  const bytes = new Uint8Array(HEADER_BYTES + sorted.length * (HASH_BYTES + 1 + dimensions))
  const view = new DataView(bytes.buffer)
  view.setUint32(0, sorted.length, true)
  view.setUint32(4, dimensions, true)
  const weightsAt = HEADER_BYTES + sorted.length * HASH_BYTES
  const vectorsAt = weightsAt + sorted.length
  for (const [at, [hash, { weight, vector }]] of sorted.entries()) {
    view.setUint32(HEADER_BYTES + at * HASH_BYTES, hash, true)
    bytes[weightsAt + at] = Math.max(1, Math.round(weight * HIGHEST_WEIGHT))
    for (const [d, value] of vector.entries()) {
      view.setInt8(vectorsAt + at * dimensions + d, Math.round(value / factor))
    }
  }
  return bytes
}

export class WordTable {
  readonly dimensions: number
  readonly #hashes: Uint32Array
  readonly #weights: Uint8Array
  readonly #vectors: Int8Array

  /** Reads `bytes` in place. */
  constructor(bytes: ArrayBuffer) {
    const view = new DataView(bytes)
    const count = view.getUint32(0, true)
    this.dimensions = view.getUint32(4, true)
    this.#hashes = new Uint32Array(bytes, HEADER_BYTES, count)
    this.#weights = new Uint8Array(bytes, HEADER_BYTES + count * HASH_BYTES, count)
    this.#vectors = new Int8Array(bytes, HEADER_BYTES + count * (HASH_BYTES + 1), count * this.dimensions)
  }

  /** Adds the vector of a word in lower case, by its weight, to `sum`. False for a word that is not in the table. */
  add(word: string, sum: number[]): boolean {
    const at = this.#find(hashOf(word))
    if (at < 0) return false
    const weight = this.#weights[at]! / HIGHEST_WEIGHT
    const first = at * this.dimensions
    for (let d = 0; d < this.dimensions; d += 1) sum[d]! += weight * this.#vectors[first + d]!
    return true
  }

  /** Binary search; -1 without a match. */
  #find(hash: number): number {
    let [low, high] = [0, this.#hashes.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const found = this.#hashes[middle]!
      if (found === hash) return middle
      if (found < hash) low = middle + 1
      else high = middle - 1
    }
    return -1
  }
}

/** FNV-1a, 32 bits, over UTF-16 units. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
