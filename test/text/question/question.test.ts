import { expect, test } from 'vitest'
import { analyseQuestion } from '../../../src/text/question/question.ts'
import { MAX_QUESTION_TERMS, MAX_REFERENCES } from '../../../src/text/limits.ts'

/** The terms in order, `term~weight` where it is not 1. */
function terms(text: string): string {
  return analyseQuestion(text)
    .terms.map(({ term, weight }) => (weight === 1 ? term : `${term}~${weight}`))
    .join(' ')
}

/** `kind:value@repo`, in order. */
function references(text: string): string {
  const shown = analyseQuestion(text).references.map(({ kind, ...rest }) => {
    const { repo, ...value } = { repo: undefined, ...rest }
    return `${kind}:${Object.values(value).join('/')}${repo === undefined ? '' : `@${repo}`}`
  })
  return shown.join(' ')
}

/** Phrases as `[run; run]`. */
function phrases(text: string): string {
  return analyseQuestion(text)
    .phrases.map((phrase) => `[${phrase.map((run) => run.join(' ')).join('; ')}]`)
    .join(' ')
}

test('A longer question keeps its informative words.', () => {
  expect(terms('How do I configure the router for it?')).toBe('configur router')
})

test.each([
  ['how does the router match routes', 3],
  ['why does it say "cannot open the file" at start', 2],
  ['"cannot open the file"', 0],
  ['routes, routes and more routes', 4],
])('The length of %s is its words without stop words and quotes.', (text, words) => {
  expect(analyseQuestion(text).words).toBe(words)
})

test('A word that a question repeats is one term, with the number of its occurrences.', () => {
  const { terms: found } = analyseQuestion('indexes: why is an index of indexes slow with indexing?')
  expect(found.map(({ term, times }) => [term, times])).toEqual([
    ['index', 4],
    ['slow', undefined],
  ])
  expect(analyseQuestion('isExists').terms.every(({ times }) => times === undefined)).toBe(true)
})

test('A question of stop words alone is searched by them.', () => {
  expect(terms('what is this')).toBe('what is thi whati~0.85 whatisthi~0.85 isthi~0.85')
})

test('Bigrams across word borders are excluded.', () => {
  expect(terms('日本語の検索')).toBe('日本語 の 検索 ～日本~0.2 ～本語~0.2 ～検索~0.2')
})

test.each([
  ['multi-agent', 'multi agent multiag~0.85'],
  ['(multi-agent', 'multi agent multiag~0.85'],
  ['agent:launcher', 'agent launcher agentlaunch~0.85'],
  ['BENCH-100821', 'bench 100821 bench100821~0.85'],
  ['is exists', 'exist isexist~0.85'],
  ['C++', 'c＋＋ c~0.25'],
  ['v1.2.3', '1．2．3 1．2~0.25 v1~0.25'],
  ['getURLs', 'geturl get~0.7 url~0.7'],
  ['検索', '検索 ～検索~0.2'],
  ['검색이', '검색이 ～검색~0.5 ～색이~0.5'],
  ['🇯🇵', '🇯🇵'],
])('The terms of %s are known.', (text, expected) => {
  expect(terms(text)).toBe(expected)
})

test.each([
  ['#12', 'number:12'],
  ['see acme/widget#12 and #13.', 'number:12@acme/widget number:13 path:acme/widget'],
  ['&#12; abc#4', 'number:4@abc'],
  ['9F1C2D3', 'commit:9f1c2d3 name:9F1C2D3'],
  ['facade pattern', 'commit:facade'],
  ['src/a/b.test.ts', 'path:src/a/b.test.ts'],
  ['why does ./src/index.ts:12:5 fail?', 'path:src/index.ts'],
  ['src\\win\\main.c', 'path:src/win/main.c'],
  ['docs/検索 設計.md', 'path:docs/検索 設計.md path:docs/検索 name:設計.md'],
  ['open package.json, please', 'name:package.json'],
  ['ignore it in .gitignore', 'mention:.gitignore'],
  ['edit .gitignore', 'name:.gitignore'],
  ['Makefile', 'name:Makefile'],
  ['since v1.2.3-rc.1 broke', 'version:1．2．3－rc．1'],
  ['ubuntu 20.04', 'version:20．04'],
  ['see [setup](docs/setup.md)', 'path:docs/setup.md'],
  ['app/(shop)/[id]/page.tsx', 'path:app/(shop)/[id]/page.tsx'],
  ['plain words only', ''],
  ['https://github.com/a/b/issues/12', 'number:12@a/b'],
  ['https://github.com/a/b/issues/12#issuecomment-99', 'comment:issue_comment/99@a/b number:12@a/b'],
  ['https://github.com/a/b/pull/3/files#r7', 'comment:pr_review_comment/7@a/b number:3@a/b'],
  ['https://github.com/a/b/pull/3#discussion_r7', 'comment:pr_review_comment/7@a/b number:3@a/b'],
  ['https://github.com/a/b/pull/3#pullrequestreview-8', 'comment:pr_review/8@a/b number:3@a/b'],
  ['(https://github.com/a/b/commit/9F1C2D3e)', 'commit:9f1c2d3e@a/b'],
  ['https://github.com/a/b/blob/main/docs/My%20File.md#L10', 'path:docs/My File.md@a/b path:My File.md@a/b'],
  ['https://github.com/a/b/releases/tag/v1.2.3', 'tag:v1.2.3@a/b'],
  ['https://github.com/a/b/wiki/Getting-Started', 'wiki:Getting-Started@a/b'],
  ['https://github.com/a/b/wiki', 'wiki:Home@a/b'],
  ['https://example.com/a/b/issues/12', ''],
])('The references of %s are known.', (text, expected) => {
  expect(references(text)).toBe(expected)
})

test('A link is searched by the words in it, not by its address.', () => {
  expect(terms('https://github.com/acme/widget/blob/main/docs/setup.md')).not.toMatch(/http|github|widget|blob/)
  expect(terms('https://github.com/acme/widget/issues/12')).toBe('12 ＃12~0.7')
})

test.each([
  ['"error on warnings"', '[error on warnings]'],
  ['"--error-on-warnings"', '[error on warnings]'],
  ['"--error-on-warnings', ''],
  ['say "GitHub Actions" and “node.js”', '[github actions] [node js]'],
  ['"検索エラー"', '[～検索 ～索エ ～エラ ～ラー]'],
  ['"認証後 gen"', '[～認証 ～証後; gen]'],
  ['5" and 6" wide', ''],
  ['"" "++"', ''],
])('The phrases of %s are known.', (text, expected) => {
  expect(phrases(text)).toBe(expected)
})

test.each(['*', '++', '"" ()', '🏽\u200D'])('The question %s has symbols only.', (text) => {
  expect(analyseQuestion(text)).toMatchObject({ terms: [], references: [], symbolsOnly: true })
})

test.each(['', '  \n'])('The empty question %j is not one of symbols only.', (text) => {
  expect(analyseQuestion(text).symbolsOnly).toBe(false)
})

test.each([
  'word',
  'a.b/',
  '#1 ',
  '"a ',
  'deadbeef ',
  '検索',
  'x/y.z ',
  'https://github.com/a/b/issues/1 ',
  '1.2-',
  '(',
])('A question of 16,384 characters of %j has a bounded result.', (unit) => {
  const varied = unit.repeat(Math.ceil(16_384 / unit.length)).slice(0, 16_384)
  const question = analyseQuestion(varied)
  expect(question.terms.length).toBeLessThanOrEqual(MAX_QUESTION_TERMS)
  expect(question.references.length).toBeLessThanOrEqual(MAX_REFERENCES)
  expect(question.phrases.length).toBeLessThanOrEqual(4)
})

test('Of many words the informative ones are kept, in order.', () => {
  const many = Array.from({ length: 300 }, (_, at) => `w${at}`).join(' ')
  const found = analyseQuestion(`connectionTimeout ${many} reconnecting`).terms.map(({ term }) => term)
  expect(found).toHaveLength(MAX_QUESTION_TERMS)
  expect(found[0]).toBe('connectiontimeout')
  expect(found.at(-1)).toBe('reconnect')
})
