import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Filters } from '../../../src/index/filters/filters.ts'
import type { Scope } from '../../../src/index/filters/visibility.ts'
import { readerOf } from '../../../src/index/reader.ts'
import { d1Vectors } from '../../../src/index/vectors/d1-vectors.ts'
import { bitsOf, mayContain, toBloomFilter } from '../../../src/index/vectors/bloom-filter.ts'
import { vectorIndexCases } from '../../cases/vector-index-cases.ts'
import { brokenInvariants, clearIndex, index } from '../../support/index-world.ts'
import { pendingOf, put, vectorOf } from '../../support/vectors.ts'

const ALL: Scope = { viewer: { user: 'owner', privateRepositories: 'all' } }
const NONE: Filters = { window: { clock: 'updated' } }
const reader = readerOf(index.database)

beforeEach(clearIndex)
afterEach(async () => expect(await brokenInvariants()).toEqual([]))

describe('the vector index in D1', () => vectorIndexCases(() => Promise.resolve(d1Vectors(index))))

test('vectors of an earlier model are pending, also where their filter attributes are stale', async () => {
  const vectors = d1Vectors(index)
  const isReady = async (model: string) => {
    const found = await vectors.nearest(reader, ALL, NONE, { vector: vectorOf(1), model }, 5)
    return found.ok && found.value.isReady
  }
  const embed = async (model: string) => {
    const { owners, generation } = await pendingOf(model)
    await vectors.put(
      owners.map((owner) => ({ ...owner, vectors: [vectorOf(owner.attributes.stored)] })),
      generation,
    )
    return generation
  }
  await put([{ number: 1 }, { number: 2 }])
  const first = await embed('one')
  await env.DB.prepare('UPDATE documents SET vectors_version = ?1').bind(-first).run()
  expect(await isReady('one')).toBe(true)
  await pendingOf('two')
  expect(await isReady('two')).toBe(false)
  await embed('two')
  expect(await isReady('two')).toBe(true)
})

test('a Bloom filter contains every token it was made of, and seldom another', () => {
  const tokens = Array.from({ length: 30 }, (_, at) => `token${at}`)
  const filter = toBloomFilter(tokens)
  expect(tokens.every((token) => mayContain(filter, 0, bitsOf(token)))).toBe(true)
  const others = Array.from({ length: 20_000 }, (_, at) => `other${at}`)
  expect(others.filter((token) => mayContain(filter, 0, bitsOf(token))).length).toBeLessThan(20)
  expect(vectorOf(1)).not.toEqual(vectorOf(2))
})
