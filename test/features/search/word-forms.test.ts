/** Other forms of a word: plurals, numbers with separators, names with a number, kana. */
import { beforeAll, describe, expect, test } from 'vitest'
import { ask, hits, put } from '../../support/search-world.ts'

/** One issue for each text; every question below must find its issue first. */
const CASES: readonly (readonly [text: string, questions: readonly string[]])[] = [
  ['Path aliases are ignored', ['alias', 'aliases', 'path alias']],
  ['Wrong HTTP statuses in the log', ['status', 'http status']],
  ['Two buses share one lock', ['bus', 'buses']],
  ['Slow queries block the pool', ['query', 'queries']],
  ['Matrices lose their colour', ['matrix', 'matrices']],
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

describe('of two forms of one stem', () => {
  const PAIRS = [
    ['university', 'universe'],
    ['organization', 'organ'],
    ['generation', 'generic'],
    ['policy', 'police'],
    ['tested', 'tests'],
    ['news', 'new'],
  ] as const

  beforeAll(async () => {
    await put(
      PAIRS.flat().map((word, at) => ({
        repo: 'acme/forms',
        type: 'issue',
        number: at + 1,
        title: `A ${word} of images`,
        body: 'As said.',
        state: 'open',
      })),
    )
    await put([
      { repo: 'acme/forms', type: 'issue', number: 50, title: 'Universe', body: 'universe, universes, universal' },
      {
        repo: 'acme/forms',
        type: 'issue',
        number: 51,
        title: 'Long',
        body: 'They are testing the tests of the suite.',
      },
    ])
  })

  test.each(PAIRS.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]))(
    'the query %s finds it before %s',
    async (typed, other) => {
      for (const query of [typed, `${typed} of images`, `"${typed} of images"`]) {
        const titles = (await ask({ repo: 'acme/forms', query })).results.map(({ title = '' }) => title)
        const [at, otherAt] = [typed, other].map((word) => titles.indexOf(`A ${word} of images`))
        expect(at, query).toBeGreaterThanOrEqual(0)
        if (otherAt! >= 0) expect(at, query).toBeLessThan(otherAt!)
      }
    },
  )

  test.each([
    ['"university"', 'issue#1'],
    ['"universe of images"', 'issue#2'],
    ['"testing the tests"', 'issue#51'],
    ['"tests of images"', 'issue#10'],
  ])('the phrase %s matches the words as written', async (query, first) => {
    expect(hits(await ask({ repo: 'acme/forms', query }))[0]).toBe(first)
  })

  test('a phrase of other forms is no exact match', async () => {
    const [first] = (await ask({ repo: 'acme/forms', query: '"tested of images" new' })).results
    expect(first?.number).toBe(9)
  })
})

describe('the first hit', () => {
  const questions = CASES.flatMap(([text, some], at) => some.map((question) => [question, text, at + 1] as const))
  test.each(questions)('the query %s finds the text %s first', async (question, _, number) => {
    expect(hits(await ask({ query: question }))[0]).toBe(`issue#${number}`)
  })
})
