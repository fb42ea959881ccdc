/**
 * Vectors as text: 16-bit steps in base64. D1 returns a blob as a list of
 * numbers, which costs more than decoding text.
 */
import { Buffer } from 'node:buffer'
import { fromInt16Vector, similarity, toInt16Vector } from '../../vectors/int16-vector.ts'

export function packVector(vector: Float32Array): string {
  return Buffer.from(toInt16Vector(vector).buffer).toString('base64')
}

/** Cosine of a vector of unit length and a packed one with as many dimensions. */
export function packedSimilarity(vector: Float32Array, packed: string): number {
  return similarity(vector, Buffer.from(packed, 'base64'))
}

export function unpackVector(packed: string): Float32Array {
  return fromInt16Vector(Buffer.from(packed, 'base64'))
}
