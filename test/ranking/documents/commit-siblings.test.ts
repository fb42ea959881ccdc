import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { scoreOf, type ScoreParts } from '../../../src/ranking/documents/chunk-score.ts'
import { scoreMessage, shareCommit } from '../../../src/ranking/documents/commit-siblings.ts'
import { runs } from '../../support/runs.ts'

const WHOLE = 10

const parts = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 1, max: 9 })), { maxLength: 6 })
  .map((terms) => new Map(terms.map(([key, score]) => [key, { score, information: 1 }])))
const file: fc.Arbitrary<ScoreParts> = fc.record({ parts, factor: fc.constantFrom(1, 1.5, 2.25) })

test('A commit of one chunk has the score of its chunk.', () => {
  fc.assert(
    fc.property(parts, (parts) => {
      const alone = { parts, factor: 1 }
      expect(shareCommit([alone], 1, WHOLE)[0]).toBeCloseTo(scoreOf(alone, WHOLE))
    }),
    { numRuns: runs(100) },
  )
})

test('Scores do not depend on the order of the files, and a larger commit scores less.', () => {
  fc.assert(
    fc.property(fc.array(file, { minLength: 1, maxLength: 6 }), fc.integer({ min: 6, max: 50 }), (files, chunks) => {
      const scores = shareCommit(files, chunks, WHOLE)
      expect(shareCommit(files.toReversed(), chunks, WHOLE).toReversed()).toEqual(scores)
      const larger = shareCommit(files, chunks * 2, WHOLE)
      for (const [at, score] of scores.entries()) expect(larger[at]).toBeLessThanOrEqual(score)
    }),
    { numRuns: runs(200) },
  )
})

test('A sibling that contains the missing terms raises the score of a file.', () => {
  const half = { parts: new Map([[1, { score: 4, information: 5 }]]), factor: 1 }
  const otherHalf = { parts: new Map([[2, { score: 4, information: 5 }]]), factor: 1 }
  expect(shareCommit([half, otherHalf], 2, WHOLE)[0]).toBeGreaterThan(scoreOf(half, WHOLE))
})

test('A message keeps most of its own score in a commit of any size, and never has less than a file of its words.', () => {
  fc.assert(
    fc.property(file, fc.integer({ min: 1, max: 2_000 }), (message, chunks) => {
      const own = scoreOf(message, WHOLE)
      const shared = shareCommit([message], chunks, WHOLE)[0]!
      const score = scoreMessage(message, shared, WHOLE)
      expect(score).toBeGreaterThanOrEqual(shared)
      expect(score).toBeGreaterThanOrEqual(0.8 * own)
      expect(score).toBeLessThanOrEqual(Math.max(own, shared))
    }),
    { numRuns: runs(200) },
  )
})
