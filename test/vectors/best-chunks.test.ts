/** The best chunk of each of the best documents, against a sort of all chunks. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { CHUNKS_PER_DOCUMENT, documentOf } from '../../src/fts/chunk-number.ts'
import { BestChunks } from '../../src/vectors/best-chunks.ts'
import { runs } from '../support/runs.ts'

interface Scored {
  readonly chunk: number
  readonly score: number
}

function bestOfAll(scored: readonly Scored[], limit: number): number[] {
  const sorted = scored.toSorted((a, b) => b.score - a.score || a.chunk - b.chunk)
  const best = [...Map.groupBy(sorted, ({ chunk }) => documentOf(chunk)).values()]
  return best.slice(0, limit).map(([first]) => first!.chunk)
}

test('a scan that skips chunks up to the floor keeps the best chunk of each of the best documents', () => {
  const scored = fc
    .uniqueArray(fc.tuple(fc.nat(60), fc.nat(3)), { minLength: 1, maxLength: 200, selector: String })
    .chain((places) =>
      fc
        .array(fc.nat(1_000), { minLength: places.length, maxLength: places.length })
        // A score of its own for each chunk: the floor drops chunks whose score only equals it.
        .map((scores) => places.map(([document, at], i) => toScored(document, at, scores[i]! + i / 1_000))),
    )
  fc.assert(
    fc.property(scored, fc.integer({ min: 1, max: 10 }), (all, limit) => {
      const best = new BestChunks(limit)
      for (const { chunk, score } of all) if (score > best.floor) best.add(chunk, score)
      expect(best.chunks()).toEqual(bestOfAll(all, limit))
    }),
    { numRuns: runs(200) },
  )
})

test('the floor stays at minus infinity until there are enough documents', () => {
  const best = new BestChunks(2)
  best.add(1, 5)
  best.add(2, 6)
  best.chunks()
  expect(best.floor).toBe(-Infinity)
  best.add(CHUNKS_PER_DOCUMENT, 4)
  expect(best.chunks()).toEqual([2, CHUNKS_PER_DOCUMENT])
  expect(best.floor).toBe(4)
})

function toScored(document: number, at: number, score: number): Scored {
  return { chunk: document * CHUNKS_PER_DOCUMENT + at, score }
}
