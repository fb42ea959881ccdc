/** The suite that every reranker must pass; the absent one must refuse each call. */
import { expect, test } from 'vitest'
import type { Reranker } from '../../src/models/reranker/reranker.ts'

const LIMIT_MS = 10_000

const TEXTS = ['Bees and flowers in the meadow.', 'The launcher starts twice.', 'A launch of ships.']

export function rerankerCases(make: () => Reranker): void {
  const rerank = async (query: string, texts: readonly string[]) => {
    const result = await make().rerank(query, texts, LIMIT_MS)
    if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`)
    return result.value
  }

  if (!make().reranks) {
    test.each([[[]], [['one']], [TEXTS]])(
      'A reranker that is not configured refuses %j with a hint.',
      async (texts) => {
        const result = await make().rerank('launcher', texts, LIMIT_MS)
        expect(result).toMatchObject({ ok: false, failure: { code: 'UNAVAILABLE', hint: expect.any(String) } })
      },
    )
    return
  }

  test('A reranker returns one finite score for each text, in order, the best match highest.', async () => {
    const scores = await rerank('why does the launcher start twice', TEXTS)
    expect(scores).toHaveLength(3)
    expect(scores.every((score) => Number.isFinite(score))).toBe(true)
    expect(scores[1]).toBeGreaterThan(scores[0]!)
    expect(scores[1]).toBeGreaterThan(scores[2]!)
  })

  test('The score of a text does not depend on its place.', async () => {
    const scores = await rerank('launcher', TEXTS)
    const turned = await rerank('launcher', TEXTS.toReversed())
    for (const [at, score] of turned.toReversed().entries()) expect(score).toBeCloseTo(scores[at]!, 3)
  })

  test('A reranker scores each of many texts.', async () => {
    const scores = await rerank(
      'text number 61',
      Array.from({ length: 100 }, (_, at) => `text number ${at}`),
    )
    expect(scores.filter((score) => score === undefined)).toEqual([])
    expect(scores).toHaveLength(100)
  })

  test('Without texts there are no scores.', async () => {
    expect(await rerank('launcher', [])).toEqual([])
  })

  test.each(['meadows '.repeat(40_000), '牧場と蜂'.repeat(20_000)])(
    'A very long question and a very long text get scores (%#).',
    async (long) => {
      expect(await rerank(long, [long, 'short'])).toEqual([expect.any(Number), expect.any(Number)])
    },
  )
}
