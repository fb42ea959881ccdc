import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { d1Vectors } from '../../../src/index/vectors/d1.ts'
import { bitsOf, mayHold, toSignature } from '../../../src/index/vectors/signature.ts'
import { toLookup, toSketch } from '../../../src/index/vectors/sketch.ts'
import { vectorIndexCases } from '../../cases/vector-index.ts'
import { brokenInvariants, clearIndex, index } from '../../support/index.ts'
import { vectorOf } from '../../support/vectors.ts'

beforeEach(clearIndex)
afterEach(async () => expect(await brokenInvariants()).toEqual([]))

describe('in D1', () => vectorIndexCases(() => Promise.resolve(d1Vectors(index))))

test.each([3, 96, 1_024, 1_536, 4_096])(
  'a sketch of %i dimensions is most like itself and least like its opposite',
  (size) => {
    const vector = Float32Array.from({ length: size }, (_, at) => Math.sin(at * 7.3 + 1))
    const lookup = toLookup(vector)
    const score = (sketch: Uint8Array) => sketch.reduce((sum, byte, place) => sum + lookup[place * 256 + byte]!, 0)
    const [own, opposite] = [score(toSketch(vector)), score(toSketch(vector.map((value) => -value)))]
    const other = score(toSketch(vector.map((_, at) => Math.cos(at * at * 1.7))))
    expect(own).toBeGreaterThan(other)
    expect(other).toBeGreaterThan(opposite)
  },
)

test('a signature holds every token it was made of, and seldom another', () => {
  const tokens = Array.from({ length: 30 }, (_, at) => `token${at}`)
  const signature = toSignature(tokens)
  expect(tokens.every((token) => mayHold(signature, 0, bitsOf(token)))).toBe(true)
  const others = Array.from({ length: 20_000 }, (_, at) => `other${at}`)
  expect(others.filter((token) => mayHold(signature, 0, bitsOf(token))).length).toBeLessThan(20)
  expect(vectorOf(1)).not.toEqual(vectorOf(2))
})
