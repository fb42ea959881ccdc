/**
 * A vector of unit length as text: 16 bits a dimension, in base64. Likeness
 * computed on it is that of the floats to four decimals.
 */
import { Buffer } from 'node:buffer'

const STEPS = 32_767

export function packVector(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 2)
  for (const [at, value] of vector.entries())
    bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(1, value)) * STEPS), at * 2)
  return bytes.toString('base64')
}

/** Cosine of the question, of unit length, and a packed vector of as many dimensions. */
export function likeness(question: Float32Array, packed: string): number {
  const bytes = Buffer.from(packed, 'base64')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const dimensions = Math.min(question.length, bytes.length >> 1)
  let sum = 0
  for (let at = 0; at < dimensions; at += 1) sum += (question[at] ?? 0) * view.getInt16(at * 2, true)
  return sum / STEPS
}

export function unpackVector(packed: string): Float32Array {
  const bytes = Buffer.from(packed, 'base64')
  return Float32Array.from({ length: bytes.length >> 1 }, (_, at) => bytes.readInt16LE(at * 2) / STEPS)
}
