/**
 * Sign sketches: a vector of any dimensions as 1,024 bits. A question is compared
 * with sketches in floats. A randomised Hadamard transform first spreads the
 * information of the vector evenly over all bits, short vectors included. The
 * transform is fixed, because sketches are stored.
 */

export const SKETCH_BYTES = 128
const SKETCH_BITS = SKETCH_BYTES * 8

/** Bit `i` is the sign of value `i` of the transformed vector. */
export function toSketch(vector: Float32Array): Uint8Array {
  const transformed = transform(vector)
  const sketch = new Uint8Array(SKETCH_BYTES)
  for (let bit = 0; bit < SKETCH_BITS; bit += 1) {
    if ((transformed[bit] ?? 0) > 0) sketch[bit >> 3] = (sketch[bit >> 3] ?? 0) | (1 << (bit & 7))
  }
  return sketch
}

/**
 * The share of each byte of a sketch in its similarity to a question, at index
 * `place * 256 + byte`. The sum over all places orders sketches approximately as
 * the question orders their vectors.
 */
export function toLookup(question: Float32Array): Float32Array {
  const transformed = transform(question)
  const lookup = new Float32Array(SKETCH_BYTES * 256)
  for (let place = 0; place < SKETCH_BYTES; place += 1) {
    for (let byte = 0; byte < 256; byte += 1) {
      let sum = 0
      for (let bit = 0; bit < 8; bit += 1) {
        const value = transformed[place * 8 + bit] ?? 0
        sum += byte & (1 << bit) ? value : -value
      }
      lookup[place * 256 + byte] = sum
    }
  }
  return lookup
}

/** Similarity to the question of the sketch that begins at byte `at`, by the question's lookup. */
export function scoreAt(bytes: Uint8Array, at: number, lookup: Float32Array): number {
  // Four sums, because additions of one sum would wait for each other.
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let place = 0; place < SKETCH_BYTES; place += 4) {
    a += lookup[(place << 8) | bytes[at + place]!]!
    b += lookup[((place + 1) << 8) | bytes[at + place + 1]!]!
    c += lookup[((place + 2) << 8) | bytes[at + place + 2]!]!
    d += lookup[((place + 3) << 8) | bytes[at + place + 3]!]!
  }
  return a + b + c + d
}

/** Random signs, then a Walsh-Hadamard transform in place. Keeps the first 1,024 values of a longer vector. */
function transform(vector: Float32Array): Float32Array {
  let size = SKETCH_BITS
  while (size < vector.length) size *= 2
  const values = new Float32Array(size)
  for (const [at, value] of vector.entries()) values[at] = isFlipped(at) ? -value : value
  for (let half = 1; half < size; half *= 2) {
    for (let start = 0; start < size; start += half * 2) {
      for (let at = start; at < start + half; at += 1) {
        const [a, b] = [values[at] ?? 0, values[at + half] ?? 0]
        values[at] = a + b
        values[at + half] = a - b
      }
    }
  }
  return values.subarray(0, SKETCH_BITS)
}

/** A fixed random bit for each dimension: the top bit of a 32-bit integer hash. */
function isFlipped(at: number): boolean {
  let mixed = Math.imul(at + 1, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) < 0
}
