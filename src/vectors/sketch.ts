/**
 * Sign sketches: a vector of any dimensions as 1,024 bits, whose comparison with
 * a question keeps its floats. A randomised Hadamard transform turns the vector
 * first, so that every bit carries as much as any other and short vectors fill
 * all bits. Pure arithmetic; the turn is fixed, for sketches are stored.
 */

export const SKETCH_BYTES = 128
const SKETCH_BITS = SKETCH_BYTES * 8

/** Bit `i` is the sign of the turned vector's value `i`. */
export function toSketch(vector: Float32Array): Uint8Array {
  const turned = turn(vector)
  const sketch = new Uint8Array(SKETCH_BYTES)
  for (let bit = 0; bit < SKETCH_BITS; bit += 1) {
    if ((turned[bit] ?? 0) > 0) sketch[bit >> 3] = (sketch[bit >> 3] ?? 0) | (1 << (bit & 7))
  }
  return sketch
}

/**
 * What each byte of a sketch adds to its likeness with a question, at
 * `place * 256 + byte`. The sum over all places orders sketches as the question
 * would order their vectors, nearly.
 */
export function toLookup(question: Float32Array): Float32Array {
  const turned = turn(question)
  const lookup = new Float32Array(SKETCH_BYTES * 256)
  for (let place = 0; place < SKETCH_BYTES; place += 1) {
    for (let byte = 0; byte < 256; byte += 1) {
      let sum = 0
      for (let bit = 0; bit < 8; bit += 1) {
        const value = turned[place * 8 + bit] ?? 0
        sum += byte & (1 << bit) ? value : -value
      }
      lookup[place * 256 + byte] = sum
    }
  }
  return lookup
}

/** How like a question the sketch that begins at `at` is, by the question's lookup. */
export function scoreAt(bytes: Uint8Array, at: number, lookup: Float32Array): number {
  // Four sums at once: a scan waits for additions, and these need not wait for one another.
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

/** Random signs, then Walsh-Hadamard in place; longer vectors keep the first 1,024 of what comes out. */
function turn(vector: Float32Array): Float32Array {
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

/** A fixed coin for each dimension: the top bit of a 32-bit integer hash. */
function isFlipped(at: number): boolean {
  let mixed = Math.imul(at + 1, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) < 0
}
