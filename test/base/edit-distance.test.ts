import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance } from '../../src/base/edit-distance.ts'

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 })

/** The definition, by recursion. */
function model(a: string, b: string, transpositions: boolean): number {
  if (a === '' || b === '') return a.length + b.length
  const [headA, headB] = [a.slice(0, -1), b.slice(0, -1)]
  const edits = [
    model(headA, headB, transpositions) + (a.at(-1) === b.at(-1) ? 0 : 1),
    model(headA, b, transpositions) + 1,
    model(a, headB, transpositions) + 1,
  ]
  if (transpositions && a.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)) {
    edits.push(model(a.slice(0, -2), b.slice(0, -2), transpositions) + 1)
  }
  return Math.min(...edits)
}

test('The distance is the one of the definition, and Infinity above the bound.', () => {
  fc.assert(
    fc.property(word, word, fc.nat(7), fc.boolean(), (a, b, max, transpositions) => {
      const distance = model(a, b, transpositions)
      expect(editDistance(a, b, { max, transpositions })).toBe(distance <= max ? distance : Infinity)
    }),
  )
})

test('Two letters in the wrong order are one edit with transpositions and two without.', () => {
  expect(editDistance('tempo', 'tmepo', { max: 9, transpositions: true })).toBe(1)
  expect(editDistance('tempo', 'tmepo', { max: 9, transpositions: false })).toBe(2)
})
