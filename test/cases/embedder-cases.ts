/** The suite that every embedder must pass. */
import { expect, test } from 'vitest'
import type { Embedder } from '../../src/models/embedder/embedder.ts'

const LIMIT_MS = 10_000

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
}

/** `refused` is a text that the embedder takes in no length. */
export function embedderCases(make: () => Embedder, refused: string): void {
  const embed = async (texts: readonly string[]) => {
    const result = await make().embed(texts, LIMIT_MS)
    if (!result.ok) throw new Error(result.failure.message)
    return result.value
  }

  test('An embedder returns one vector of unit length for each text, in order.', async () => {
    const texts = Array.from({ length: 70 }, (_, at) => `text number ${at}`)
    const vectors = await embed(texts)
    expect(vectors).toHaveLength(70)
    for (const vector of vectors) {
      expect(vector).toHaveLength(make().dimensions)
      expect(Math.hypot(...vector!)).toBeCloseTo(1, 4)
    }
    const [alone] = await embed(['text number 69'])
    expect(cosine(alone!, vectors[69]!)).toBeCloseTo(1, 4)
  })

  test('Without texts there are no vectors.', async () => {
    expect(await embed([])).toEqual([])
  })

  test('Similar texts have nearer vectors.', async () => {
    const [question, near, far] = await embed([
      'the launcher starts twice',
      'launchers start twice',
      'gardens and bees',
    ])
    expect(cosine(question!, near!)).toBeGreaterThan(cosine(question!, far!))
  })

  test('A very long text has a vector.', async () => {
    const [long] = await embed(['meadows '.repeat(40_000)])
    expect(long).toHaveLength(make().dimensions)
  })

  test('A refused text does not affect the vectors of others.', async () => {
    const texts = Array.from({ length: 40 }, (_, at) => (at === 17 ? refused : `text ${at}`))
    const vectors = await embed(texts)
    expect(vectors.flatMap((vector, at) => (vector === undefined ? [at] : []))).toEqual([17])
  })
}
