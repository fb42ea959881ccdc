/** Other forms of a word: plurals, numbers with separators, names with a number, kana. */
import { beforeAll, describe, expect, test } from 'vitest'
import { ask, hits, put } from '../../support/search-world.ts'

/** One issue for each text; every question below must find its issue first. */
const CASES: readonly (readonly [text: string, questions: readonly string[]])[] = [
  ['Path aliases are ignored', ['alias', 'aliases', 'path alias']],
  ['Wrong HTTP statuses in the log', ['status', 'http status']],
  ['Two buses share one lock', ['bus', 'buses']],
  ['Slow queries block the pool', ['query', 'queries']],
  ['Vertices lose their colour', ['vertex']],
  ['Rebuild the vertex of each axis', ['axes']],
  ['OAuth2 login is broken', ['oauth', 'oauth2', 'OAuth2']],
  ['Crash on the iPhone15', ['iphone', 'iphone15']],
  ['Base64 padding is lost', ['base64']],
  ['The invoice shows ¥12,000 twice', ['12000', '12,000', '¥12,000', '12_000']],
  ['A timeout of 45_000 milliseconds', ['45000', '45,000']],
  ['Costs 67000 euros a year', ['67,000', '67_000']],
  ['おいしいラーメンの店', ['らーめん', 'ラーメン', 'らーめんの店']],
  ['いんたーねっとに繋がらない', ['インターネット', 'いんたーねっと']],
  ['チョコレートが溶ける', ['ちょこれーと']],
]

beforeAll(async () => {
  await put(CASES.map(([title], at) => ({ type: 'issue', number: at + 1, title, body: 'Seen today.', state: 'open' })))
})

describe('the first hit', () => {
  const questions = CASES.flatMap(([text, some], at) => some.map((question) => [question, text, at + 1] as const))
  test.each(questions)('the query %s finds the text %s first', async (question, _, number) => {
    expect(hits(await ask({ query: question }))[0]).toBe(`issue#${number}`)
  })
})
