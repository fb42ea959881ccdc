/** Superseded messages: which one is the newest, and where the old ones stand. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FoundMessage } from '../../../src/memory/search/message-results.ts'
import { replaceSuperseded, toSuperseded } from '../../../src/memory/search/superseded.ts'
import { runs } from '../../support/runs.ts'

/** `2>1` means that message 2 supersedes message 1. */
function read(text: string) {
  return text.split(' ').map((one) => {
    const [source = 0, target = 0] = one.split('>').map(Number)
    return { target, source, sourceId: `id ${source}` }
  })
}

function newestOf(sequences: number[], supersessions: string): Record<string, string> {
  const superseded = toSuperseded(sequences, read(supersessions))
  return Object.fromEntries([...superseded].map(([sequence, { newestId }]) => [sequence, newestId]))
}

function found(sequence: number, score: number): FoundMessage {
  return { sequence, score, breakdown: { content: score, summary: 0, tags: 0 }, start: 0, chars: 0 }
}

test.each([
  [[1, 2, 9], '2>1', { 1: 'id 2' }],
  [[1], '2>1 3>2 4>3', { 1: 'id 4' }],
  [[1, 2, 3], '2>1 3>2', { 1: 'id 3', 2: 'id 3' }],
  [[1], '2>1 3>1', { 1: 'id 3' }],
  // An older message that was changed to supersede a newer one is the latest word.
  [[5], '1>5', { 5: 'id 1' }],
  [[1, 5], '5>1 2>5', { 1: 'id 2', 5: 'id 2' }],
  // In a circle the newest counts, unless a message outside supersedes it.
  [[1, 2], '2>1 1>2', { 1: 'id 2' }],
  [[1, 2, 3], '2>1 3>2 1>3', { 1: 'id 3', 2: 'id 3' }],
  [[1, 2], '2>1 1>2 7>1', { 1: 'id 7', 2: 'id 7' }],
  [[1], '1>1', {}],
])('of the messages %j with %s, the newest of each are %j', (sequences, supersessions, expected) => {
  expect(newestOf(sequences, supersessions)).toEqual(expected)
})

test('a list without a superseded message keeps its order and scores', () => {
  const list = [found(3, 2), found(1, 2), found(2, 1)]
  expect(replaceSuperseded(list, new Map())).toEqual(list)
  expect(replaceSuperseded(list, toSuperseded([3, 1, 2], read('9>1')))).toEqual(list)
})

test('in any graph, each message stands below every found one that supersedes it, and only the newest rises', () => {
  const link = fc.record({ target: fc.nat(11), source: fc.nat(11) })
  const scores = fc.uniqueArray(fc.tuple(fc.nat(11), fc.integer({ min: 1, max: 9 })), { selector: ([at]) => at })
  fc.assert(
    fc.property(fc.array(link, { maxLength: 20 }), scores, (links, given) => {
      const before = given.map(([sequence, score]) => found(sequence, score)).toSorted((a, b) => b.score - a.score)
      const superseded = toSuperseded(
        before.map(({ sequence }) => sequence),
        links.map(({ target, source }) => ({ target, source, sourceId: String(source) })),
      )
      const after = replaceSuperseded(before, superseded)
      expect(after.map(({ sequence }) => sequence).toSorted()).toEqual(
        before.map(({ sequence }) => sequence).toSorted(),
      )
      const places = new Map(after.map(({ sequence, score }, place) => [sequence, { score, place }]))
      const newest = new Set([...superseded.values()].map((one) => one.newest))
      const best = before[0]?.score ?? 0
      for (const { sequence, score } of before) {
        expect(places.get(sequence)!.score).toBeLessThanOrEqual(newest.has(sequence) ? best : score)
      }
      for (const { score } of after) expect(score).toBeGreaterThan(0)
      for (const [sequence, { by, newestId }] of superseded) {
        expect(by).toContain(Number(newestId))
        for (const newer of by) {
          if (!places.has(newer)) continue
          expect(places.get(sequence)!.place).toBeGreaterThan(places.get(newer)!.place)
          expect(places.get(sequence)!.score).toBeLessThan(places.get(newer)!.score)
        }
      }
    }),
    { numRuns: runs(300) },
  )
})

test('the newest message takes the place of the old one', () => {
  const list = [found(1, 9), found(4, 5), found(3, 1)]
  const after = replaceSuperseded(list, toSuperseded([1, 4, 3], read('3>1')))
  expect(after.map(({ sequence }) => sequence)).toEqual([3, 1, 4])
  expect(after.map(({ score }) => score)).toEqual([9, 9 * 0.99, 5])
})

test('a chain of two thousand messages is resolved in time', () => {
  const chain = Array.from({ length: 2000 }, (_, at) => ({ target: at, source: at + 1, sourceId: `id ${at + 1}` }))
  const sequences = Array.from({ length: 200 }, (_, at) => at)
  const superseded = toSuperseded(sequences, chain)
  expect(superseded.size).toBe(200)
  expect([...superseded.values()].every(({ newestId }) => newestId === 'id 2000')).toBe(true)
})
