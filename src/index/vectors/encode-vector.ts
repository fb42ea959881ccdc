/** A vector as text, for a database that hands over no bytes: its steps in base64. */
import { Buffer } from 'node:buffer'
import { fromSteps, similarity, toSteps } from '../../vectors/int16-vector.ts'

export function packVector(vector: Float32Array): string {
  return Buffer.from(toSteps(vector).buffer).toString('base64')
}

/** Cosine of the question, of unit length, and a packed vector of as many dimensions. */
export function packedSimilarity(question: Float32Array, packed: string): number {
  return similarity(question, Buffer.from(packed, 'base64'))
}

export function unpackVector(packed: string): Float32Array {
  return fromSteps(Buffer.from(packed, 'base64'))
}
