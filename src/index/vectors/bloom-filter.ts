/**
 * Signatures: the filter tokens of a document as a Bloom filter of fixed size,
 * so that a scan over sketches can hold to filters without reading a row. A
 * token that is there is always found; one that is not passes about once in
 * 30,000, and the rows that are shown are held to the filters exactly.
 */
import { hash32 } from '../../base/hash.ts'

export const BLOOM_BYTES = 116
const BITS = BLOOM_BYTES * 8

/** Bits a token sets. */
const HASHES = 5

export function toBloomFilter(tokens: readonly string[]): Uint8Array {
  const signature = new Uint8Array(BLOOM_BYTES)
  for (const token of tokens)
    for (const bit of bitsOf(token)) signature[bit >> 3] = signature[bit >> 3]! | (1 << (bit & 7))
  return signature
}

/** The bits that a token sets. */
export function bitsOf(token: string): readonly number[] {
  const hash = hash32(token)
  const [start, step] = [hash % BITS, (Math.imul(hash, 0x9e3779b1) >>> 8) | 1]
  return Array.from({ length: HASHES }, (_, at) => (start + at * step) % BITS)
}

/** True when the signature that begins at `offset` may hold a token of these bits. */
export function mayHold(bytes: Uint8Array, offset: number, bits: readonly number[]): boolean {
  return bits.every((bit) => ((bytes[offset + (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0)
}
