import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { d1Vectors } from '../../../src/index/vectors/d1-vectors.ts'
import { bitsOf, mayContain, toBloomFilter } from '../../../src/index/vectors/bloom-filter.ts'
import { vectorIndexCases } from '../../cases/vector-index-cases.ts'
import { brokenInvariants, clearIndex, index } from '../../support/index-world.ts'
import { vectorOf } from '../../support/vectors.ts'

beforeEach(clearIndex)
afterEach(async () => expect(await brokenInvariants()).toEqual([]))

describe('the vector index in D1', () => vectorIndexCases(() => Promise.resolve(d1Vectors(index))))

test('a Bloom filter contains every token it was made of, and seldom another', () => {
  const tokens = Array.from({ length: 30 }, (_, at) => `token${at}`)
  const filter = toBloomFilter(tokens)
  expect(tokens.every((token) => mayContain(filter, 0, bitsOf(token)))).toBe(true)
  const others = Array.from({ length: 20_000 }, (_, at) => `other${at}`)
  expect(others.filter((token) => mayContain(filter, 0, bitsOf(token))).length).toBeLessThan(20)
  expect(vectorOf(1)).not.toEqual(vectorOf(2))
})
