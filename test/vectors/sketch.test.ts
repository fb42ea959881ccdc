import { expect, test } from 'vitest'
import { fromInt16Vector, similarity, toInt16Vector } from '../../src/vectors/int16-vector.ts'
import { scoreAt, toLookup, toSketch } from '../../src/vectors/sketch.ts'

test.each([3, 96, 1_024, 1_536, 4_096])(
  'a sketch of %i dimensions is most similar to its own vector and least to the opposite one',
  (size) => {
    const vector = Float32Array.from({ length: size }, (_, at) => Math.sin(at * 7.3 + 1))
    const lookup = toLookup(vector)
    const score = (sketch: Uint8Array) => scoreAt(sketch, 0, lookup)
    const [own, opposite] = [score(toSketch(vector)), score(toSketch(vector.map((value) => -value)))]
    const other = score(toSketch(vector.map((_, at) => Math.cos(at * at * 1.7))))
    expect(own).toBeGreaterThan(other)
    expect(other).toBeGreaterThan(opposite)
  },
)

test('a vector in int16 and its similarity to a question are exact to four decimals', () => {
  const unit = (seed: number) => {
    const values = Float32Array.from({ length: 96 }, (_, at) => Math.sin(at * seed + seed))
    const length = Math.hypot(...values)
    return values.map((value) => value / length)
  }
  const [vector, question] = [unit(1.3), unit(2.1)]
  const cosine = vector.reduce((sum, value, at) => sum + value * question[at]!, 0)
  expect(similarity(question, toInt16Vector(vector))).toBeCloseTo(cosine, 4)
  expect(similarity(vector, toInt16Vector(vector))).toBeCloseTo(1, 4)
  for (const [at, value] of fromInt16Vector(toInt16Vector(vector)).entries()) expect(value).toBeCloseTo(vector[at]!, 4)
})
