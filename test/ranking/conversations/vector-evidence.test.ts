import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CONVERSATION_WEIGHTS } from '../../../src/ranking/conversations/conversation-weights.ts'
import { aboveMedian, vectorWeight } from '../../../src/ranking/conversations/vector-evidence.ts'
import { runs } from '../../support/runs.ts'

const above = (...scores: number[]) =>
  aboveMedian(
    scores.map((score, document) => ({ document, score })),
    CONVERSATION_WEIGHTS,
  ).map(({ score }) => score)

describe('similarities above their median', () => {
  test('of many messages those that are no nearer than most count almost nothing, and a near one keeps its lead', () => {
    const [near, ...others] = above(0.8, ...Array.from({ length: 200 }, () => 0.5))
    expect(near).toBeGreaterThan(0.3)
    for (const score of others) expect(score).toBeLessThan(0.03)
  })

  test('of few messages the median counts little, and a single one keeps its similarity', () => {
    expect(above(0.4)).toEqual([0.4])
    expect(above(0.5, 0.4)[1]).toBeGreaterThan(0.3)
    expect(above()).toEqual([])
  })

  test('none becomes negative, and the order stays', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 60 }), (scores) => {
        const results = above(...scores)
        expect(results.every((score) => score >= 0)).toBe(true)
        for (const [a, score] of scores.entries()) {
          for (const [b, other] of scores.entries()) {
            if (score > other) expect(results[a]).toBeGreaterThanOrEqual(results[b]!)
          }
        }
      }),
      { numRuns: runs(100) },
    )
  })
})

describe('the weight of vectors', () => {
  const weightOf = (...sessions: string[]) =>
    vectorWeight(
      0.3,
      sessions.map((session) => ({ session, score: 1 })),
      CONVERSATION_WEIGHTS,
    )

  test('is whole where all messages found by words are of one session, or none is found', () => {
    expect(weightOf('a', 'a', 'a')).toBeCloseTo(0.3)
    expect(weightOf()).toBeCloseTo(0.3)
  })

  test('is less the more sessions match, and never below its share', () => {
    const many = weightOf(...Array.from({ length: 40 }, (_, at) => `session ${at}`))
    expect(weightOf('a', 'a', 'a', 'b')).toBeLessThan(0.3)
    expect(weightOf('a', 'b')).toBeLessThan(weightOf('a', 'a', 'a', 'b'))
    expect(many).toBeGreaterThanOrEqual(0.3 * CONVERSATION_WEIGHTS.elsewhereVectors)
    expect(many).toBeLessThan(weightOf('a', 'b'))
  })
})
