/** The suite of every vector index: it finds the chunks that an exhaustive comparison finds, within viewer and filters. */
import { expect, test } from 'vitest'
import { documentOf } from '../../src/fts/chunk-number.ts'
import { readerOf } from '../../src/index/reader.ts'
import type { Filters } from '../../src/index/filters/filters.ts'
import type { VectorIndex } from '../../src/index/vectors/vector-index.ts'
import type { Scope } from '../../src/index/filters/visibility.ts'
import { index } from '../support/index-world.ts'
import { pendingOf, put, vectorOf } from '../support/vectors.ts'

const ALL: Scope = { viewer: { user: 'owner', privateRepositories: 'all' } }
const GUEST: Scope = { viewer: { user: 'guest', privateRepositories: [] } }
const NONE: Filters = { window: { clock: 'updated' } }
const MODEL = 'model'
const reader = readerOf(index.database)

/** `make` returns an empty index. */
export function vectorIndexCases(make: () => Promise<VectorIndex>): void {
  /** Documents `0..count-1`, each with the vector of its number. */
  async function filled(count: number, line: (number: number) => object = () => ({})) {
    const vectors = await make()
    await put(Array.from({ length: count }, (_, number) => ({ number: number + 1, ...line(number + 1) })))
    const { owners, generation } = await pendingOf(MODEL)
    await vectors.put(
      owners.map((owner) => ({ ...owner, vectors: [vectorOf(owner.attributes.stored)] })),
      generation,
    )
    const near = async (number: number, scope = ALL, filters = NONE, limit = 10) => {
      const found = await vectors.nearest(reader, scope, filters, { vector: vectorOf(number), model: MODEL }, limit)
      if (!found.ok) throw new Error(found.failure.message)
      return found.value
    }
    const numberOf = new Map(
      owners.map((owner) => [
        owner.document,
        'number' in owner.attributes.stored.identity ? owner.attributes.stored.identity.number : 0,
      ]),
    )
    const numbers = async (...args: Parameters<typeof near>) =>
      (await near(...args)).rows.map(({ chunk }) => numberOf.get(documentOf(chunk)))
    return { vectors, owners, generation, near, numbers }
  }

  test('an empty vector index finds nothing and is not ready', async () => {
    const vectors = await make()
    const found = await vectors.nearest(reader, ALL, NONE, { vector: vectorOf(1), model: MODEL }, 5)
    expect(found).toEqual({ ok: true, value: { rows: [], isReady: false, isPartial: false } })
  })

  test('the nearest documents come first, with the cosine, as in an exhaustive comparison', async () => {
    const { near, numbers } = await filled(200)
    for (const wanted of [1, 77, 200]) {
      const exact = Array.from({ length: 200 }, (_, at) => at + 1)
        .map((number) => ({
          number,
          cosine: vectorOf(wanted).reduce((sum, v, at) => sum + v * vectorOf(number)[at]!, 0),
        }))
        .sort((a, b) => b.cosine - a.cosine)
      const found = await near(wanted, ALL, NONE, 100)
      expect(found.rows[0]?.similarity).toBeCloseTo(1, 3)
      expect(found.isReady).toBe(true)
      expect((await numbers(wanted, ALL, NONE, 100)).slice(0, 5)).toEqual(exact.slice(0, 5).map(({ number }) => number))
    }
  })

  test('viewer and filters apply inside the search: rows that pass are found at any distance', async () => {
    const { numbers } = await filled(120, (number) => ({
      ...(number > 100 && { repo: 'secret/plans', repo_private: true }),
      ...(number === 3 && { labels: ['Rare'], state: 'closed' }),
      ...(number === 4 && { updated_at: '2020-01-01T00:00:00Z' }),
      ...(number === 5 && { author: 'Zoe' }),
    }))
    expect(await numbers(110)).toContain(110)
    expect((await numbers(110, GUEST, NONE, 100)).filter((number) => number! > 100)).toEqual([])
    expect(await numbers(110, { ...GUEST, repository: { nameKey: 'secret/plans' } })).toEqual([])
    expect(await numbers(1, { ...ALL, repository: { nameKey: 'secret/plans' } }, NONE, 5)).toHaveLength(5)
    expect(await numbers(50, ALL, { ...NONE, labels: ['rare'] }, 1)).toEqual([3])
    expect(await numbers(50, ALL, { ...NONE, state: 'closed' }, 1)).toEqual([3])
    expect(await numbers(50, ALL, { ...NONE, author: 'zoe' }, 1)).toEqual([5])
    expect(await numbers(50, ALL, { ...NONE, labels: ['rare'], author: 'zoe' }, 1)).toEqual([])
    expect(await numbers(50, ALL, { window: { clock: 'updated', until: Date.UTC(2021, 0) } }, 1)).toEqual([4])
  })

  test('dropped vectors are not found, and their slots are used again', async () => {
    const { vectors, owners, generation, numbers } = await filled(30, () => ({ body: 'One sentence. '.repeat(250) }))
    await vectors.drop(owners.slice(0, 20).map(({ document }) => document))
    expect(await numbers(5, ALL, NONE, 30)).toHaveLength(10)
    await vectors.put(
      owners
        .slice(0, 15)
        .map((owner) => ({ ...owner, vectors: [vectorOf(owner.attributes.stored), undefined, vectorOf(999)] })),
      generation,
    )
    expect(await numbers(5, ALL, NONE, 30)).toHaveLength(25)
    expect((await numbers(5, ALL, NONE, 30))[0]).toBe(5)
  })

  test('vectors of another model are not found', async () => {
    const { vectors } = await filled(3)
    const found = await vectors.nearest(reader, ALL, NONE, { vector: vectorOf(1), model: 'other' }, 5)
    expect(found).toMatchObject({ value: { rows: [], isReady: false } })
  })

  test('a write fails as a whole if a document has changed since it was read', async () => {
    const { vectors, owners, generation, numbers } = await filled(3)
    await put([{ number: 2, title: 'Changed' }])
    const writes = owners.map((owner) => ({ ...owner, vectors: [vectorOf(500)] }))
    await expect(vectors.put(writes, generation)).rejects.toThrow(/holds/)
    expect((await numbers(1))[0]).toBe(1)
  })
}
