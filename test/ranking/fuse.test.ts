import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuse } from '../../src/ranking/fuse.ts'
import type { ScoredDocument } from '../../src/ranking/fuse.ts'
import { runs } from '../support/runs.ts'

const ranking = fc
  .uniqueArray(fc.record({ document: fc.integer({ min: 1, max: 30 }), score: fc.integer({ min: 0, max: 9 }) }), {
    selector: ({ document }) => document,
  })
  .map((rows) => rows.toSorted((a, b) => b.score - a.score))
const weights = fc.constantFrom(0.1, 0.2, 0.3, 0.45, 0.5, 0.55, 0.8, 1)

/** The same said plainly, one document at a time. */
function naive(words: readonly ScoredDocument[], vectors: readonly ScoredDocument[], weight: number): number[] {
  const place = (rows: readonly ScoredDocument[], document: number) =>
    rows.findIndex((row) => row.document === document)
  const byScore = (rows: readonly ScoredDocument[], document: number) => {
    const most = Math.max(0, ...rows.map(({ score }) => score))
    const own = rows[place(rows, document)]?.score ?? 0
    return most === 0 ? 0 : own / most
  }
  const scoreOf = (document: number) => (1 - weight) * byScore(words, document) + weight * byScore(vectors, document)
  const order = (document: number) => (place(words, document) < 0 ? Infinity : place(words, document))
  const compare = (a: number, b: number) => (order(a) === order(b) ? a - b : order(a) - order(b))
  return [...new Set([...words, ...vectors].map(({ document }) => document))].sort(
    (a, b) => scoreOf(b) - scoreOf(a) || compare(a, b),
  )
}

test('The fused order is that of a plain model, and no document is lost.', () => {
  fc.assert(
    fc.property(ranking, ranking, weights, (words, vectors, weight) => {
      expect(fuse(words, vectors, weight).map(({ document }) => document)).toEqual(naive(words, vectors, weight))
    }),
    { numRuns: runs(300) },
  )
})

test('A small change of the weight never reorders documents whose scores differ by more than it.', () => {
  fc.assert(
    fc.property(ranking, ranking, fc.double({ min: 0, max: 0.99, noNaN: true }), (words, vectors, weight) => {
      const after = new Map(fuse(words, vectors, weight + 0.01).map(({ document, score }) => [document, score]))
      for (const { document, score } of fuse(words, vectors, weight)) {
        expect(Math.abs(score - (after.get(document) ?? 0))).toBeLessThanOrEqual(0.01 + 1e-9)
      }
    }),
    { numRuns: runs(100) },
  )
})

test('With one empty ranking the other keeps its order.', () => {
  const rows = [
    { document: 3, score: 5 },
    { document: 1, score: 2 },
  ]
  expect(fuse(rows, [], 0.2).map(({ document }) => document)).toEqual([3, 1])
  expect(fuse([], rows, 0.2)).toEqual([
    { document: 3, score: 0.2 },
    { document: 1, score: expect.closeTo(0.08) },
  ])
})
