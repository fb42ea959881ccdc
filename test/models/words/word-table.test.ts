import { expect, test } from 'vitest'
import { packTable, WordTable } from '../../../src/models/words/word-table.ts'

const WORDS = [
  { word: 'rain', weight: 1, vector: [1, 0, -0.5] },
  { word: 'sun', weight: 0.5, vector: [0, 1, 0] },
]

function sumOf(...words: string[]): number[] {
  const table = new WordTable(packTable(WORDS).buffer as ArrayBuffer)
  const sum = [0, 0, 0]
  for (const word of words) table.add(word, sum)
  return sum
}

test('each word adds its vector by its weight', () => {
  expect(sumOf('rain')).toEqual([127, 0, -63])
  const [, sun] = sumOf('sun')
  expect(sun).toBeCloseTo(127 / 2, 0)
  expect(sumOf('rain', 'sun')).toEqual([127, sun, -63])
})

test('a word that is not in the table adds nothing', () => {
  const table = new WordTable(packTable(WORDS).buffer as ArrayBuffer)
  const sum = [0, 0, 0]
  expect(table.add('snow', sum)).toBe(false)
  expect(table.add('rain', sum)).toBe(true)
})

test('a thousand words are each found under their own vector', () => {
  const words = Array.from({ length: 1000 }, (_, at) => ({ word: `w${at}`, weight: 1, vector: [at / 1000, 1] }))
  const table = new WordTable(packTable(words).buffer as ArrayBuffer)
  for (const [at, { word }] of words.entries()) {
    const sum = [0, 0]
    expect(table.add(word, sum)).toBe(true)
    expect(sum).toEqual([Math.round(127 * (at / 1000)), 127])
  }
})
