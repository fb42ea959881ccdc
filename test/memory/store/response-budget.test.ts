/** The response budget: items, bytes of text and bytes of the whole response. */
import { describe, expect, test } from 'vitest'
import { MAX_ANSWER_BYTES, MAX_SENT_BYTES } from '../../../src/memory/limits.ts'
import { ResponseBudget } from '../../../src/memory/store/response-budget.ts'

const MIB = 1_048_576

describe('the response budget', () => {
  test('as many items fit as the budget allows', () => {
    const budget = new ResponseBudget(2)
    expect([budget.take('a'), budget.take('b'), budget.isFull]).toEqual([true, true, false])
    expect([budget.take('c'), budget.isFull]).toEqual([false, true])
  })

  test('no item fits into a budget of none', () => {
    expect(new ResponseBudget(0).take('a')).toBe(false)
  })

  test('the first item fits at any size, and no other after it', () => {
    const budget = new ResponseBudget(10)
    expect(budget.take('x'.repeat(MAX_ANSWER_BYTES + 1))).toBe(true)
    expect(budget.take('a')).toBe(false)
  })

  test('items fit until their JSON text is too long', () => {
    const budget = new ResponseBudget(100)
    let taken = 0
    while (budget.take('x'.repeat(MIB))) taken += 1
    expect(taken).toBe(Math.floor(MAX_ANSWER_BYTES / MIB))
  })

  test('escaped characters count as often as the response repeats them', () => {
    const budget = new ResponseBudget(100)
    // A quotation mark is two bytes in the structure and four in the escaped text.
    let taken = 0
    while (budget.take('"'.repeat(MIB))) taken += 1
    expect(taken).toBe(Math.floor(MAX_SENT_BYTES / (6 * MIB)))
  })

  test('a part of an item counts in bytes and not as an item', () => {
    const budget = new ResponseBudget(1)
    expect(budget.take('item')).toBe(true)
    expect(budget.takePart('part')).toBe(true)
    expect(budget.isFull).toBe(false)
    expect(budget.takePart('x'.repeat(MAX_ANSWER_BYTES))).toBe(false)
    expect(budget.isFull).toBe(true)
  })
})
