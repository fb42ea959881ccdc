/**
 * Vectors of unit length, stored as one 16-bit integer for each dimension, low byte
 * first. Their similarity equals the similarity of the floats to four decimals.
 */

/** The integer that stores 1. */
const STEPS = 32_767

export function toInt16Vector(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(vector.length * 2)
  const view = new DataView(bytes.buffer)
  for (const [at, value] of vector.entries())
    view.setInt16(at * 2, Math.round(Math.max(-1, Math.min(1, value)) * STEPS), true)
  return bytes
}

export function fromInt16Vector(bytes: Uint8Array): Float32Array {
  const view = viewOf(bytes)
  return Float32Array.from({ length: bytes.length >> 1 }, (_, at) => view.getInt16(at * 2, true) / STEPS)
}

/** Cosine of a question's vector of unit length and a stored vector of the same dimensions. */
export function similarity(question: Float32Array, bytes: Uint8Array): number {
  const view = viewOf(bytes)
  const dimensions = Math.min(question.length, bytes.length >> 1)
  let sum = 0
  for (let at = 0; at < dimensions; at += 1) sum += (question[at] ?? 0) * view.getInt16(at * 2, true)
  return sum / STEPS
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}
