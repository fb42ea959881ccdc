/** Evidence of neighbours, against a sum over all messages. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { around, neighbourEvidence } from '../../../src/ranking/conversations/neighbour-evidence.ts'
import { runs } from '../../support/runs.ts'

interface TestMessage {
  readonly at: number
  readonly evidence: number
  readonly traits: { readonly isQuestion: boolean }
  previous: TestMessage | undefined
  next: TestMessage | undefined
}

/** Every third message is a question. */
const isQuestion = (at: number): boolean => at % 3 === 1

function conversation(scores: readonly number[]): TestMessage[] {
  const messages = scores.map((evidence, at): TestMessage => {
    return { at, evidence, traits: { isQuestion: isQuestion(at) }, previous: undefined, next: undefined }
  })
  for (const [at, message] of messages.entries()) {
    message.previous = messages[at - 1]
    message.next = messages[at + 1]
  }
  return messages
}

const scores = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 12 })
const weights = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 5 })

/** The same sum, computed over all messages. */
function evidenceByDistance(
  scores: readonly number[],
  at: number,
  before: readonly number[],
  after: readonly number[],
) {
  let sum = 0
  for (const [other, score] of scores.entries()) {
    const times = other === at - 1 && isQuestion(other) ? 3 : 1
    if (other < at) sum += times * score * (before[at - other - 1] ?? 0)
    if (other > at) sum += score * (after[other - at - 1] ?? 0)
  }
  return sum
}

test('evidence is the sum over all messages weighted by distance, with more from a question to the message after it', () => {
  fc.assert(
    fc.property(scores, weights, weights, (scores, before, after) => {
      for (const message of conversation(scores)) {
        const expected = evidenceByDistance(scores, message.at, before, after)
        expect(neighbourEvidence(message, { before, after, answering: 3 })).toBe(expected)
      }
    }),
    { numRuns: runs(300) },
  )
})

test('the messages around a message are those within reach', () => {
  fc.assert(
    fc.property(scores, fc.integer({ min: 0, max: 4 }), (scores, reach) => {
      for (const message of conversation(scores)) {
        const expected = [...scores.keys()].filter((at) => Math.abs(at - message.at) <= reach)
        expect(Array.from(around(message, reach), ({ at }) => at).toSorted((a, b) => a - b)).toEqual(expected)
      }
    }),
    { numRuns: runs(100) },
  )
})
