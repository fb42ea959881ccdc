import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold, normalise } from '../../../src/text/tokenize/normalise.ts'
import { analysePath, analyseText } from '../../../src/text/tokenize/analyse-text.ts'
import { runs } from '../../support/runs.ts'

/** `words | compounds | bigrams`, bigrams without their mark; empty parts at the end are omitted. */
function words(text: string): string {
  const { words, compounds, bigrams: pairs } = analyseText(text)
  const parts = [words, compounds, pairs].map((terms) => terms.map((term) => term.replace('～', '')).join(' '))
  return parts.join(' | ').replace(/(?: \| )+$/, '')
}

test.each([
  // five styles of one identifier
  ['fooBar', 'foobar | foo bar'],
  ['FooBar', 'foobar | foo bar'],
  ['foo_bar', 'foo bar | foobar'],
  ['foo-bar', 'foo bar | foobar'],
  ['FOO_BAR', 'foo bar | foobar'],
  ['foo.bar', 'foo bar | foobar'],
  ['foo/bar', 'foo bar | foobar'],
  ['foo::bar', 'foo bar | foobar'],
  // capitals that belong together
  ['APIGWProxyResult', 'apigwproxyresult | apigw proxi result'],
  ['HTTPServer', 'httpserver | http server'],
  ['getURLs', 'geturl | get url'],
  ['__init__', 'init'],
  // marks that make a name
  ['C++ and C#', 'c＋＋ and c＃ | c c'],
  ['ASP.NET', 'asp net | aspnet'],
  ['.NET', 'net | ．net'],
  ['node.js', 'node js | nodej'],
  ['libstdc++', 'libstdc | libstdc＋＋'],
  ['fixes #12', 'fix 12 | ＃12'],
  ['a + b == c', 'a b c'],
  // versions
  ['v1.2.3', '1．2．3 | 1．2 v1'],
  ['1.2.3', '1．2．3 | 1．2 v1'],
  ['ubuntu-20.04', 'ubuntu 20．04 | v20'],
  ['v2.0.0-rc.1', '2．0．0 rc 1 | 2．0 v2 2．0．0－rc．1 rc1'],
  // numbers
  ['12,000', '12000 | 12 000'],
  ['¥12,000 or 12_000', '12000 or 12000 | 12 000 12 000'],
  ['約１２，０００円', '約 12000 円 | 12 000'],
  ['1,234.56', '1234．56 | 1 234 56'],
  ['1,00,000', '100000 | 1 00 000'],
  ['12,000-15,000km', '12000 15000 km | 12 000 15 000'],
  ['1,2,300', '1 2 300'],
  ['a12,000', 'a12 000'],
  // names with a number at the end
  ['OAuth2', 'oauth2 | oauth o auth2 auth'],
  ['http2 sha256', 'http2 sha256 | http sha'],
  ['getUser2', 'getuser2 | getus get user2 user'],
  ['v2 k8s 3d', 'v2 k8s 3d'],
  // words
  ['running runs', 'run run'],
  ['Café Straße İstanbul', 'cafe strass istanbul'],
  ['ＡＢＣ ﬁle ①', 'abc file 1'],
  ["don't", 'don t | dont'],
  ['fix(docs): path: x', 'fix doc path x'],
  ['Ёлка Μάϊος', 'елка μαιοσ'],
  // unspaced scripts
  ['検索', '検索 |  | 検索'],
  ['サーバー', 'サーバ |  | サー ーバ バー'],
  ['ｻｰﾊﾞｰ', 'サーバ |  | サー ーバ バー'],
  ['らーめんを', 'らーめん を | ラーメン ラー ーメ メン | らー ーめ めん んを'],
  ['さーばーが', 'さーばー が | サーバ サー ーバ バー | さー ーば ばー ーが'],
  ['いんたーねっと', 'いんたーねっと | インターネット イン ンタ ター ーネ ネッ ット | いん んた たー ーね ねっ っと'],
  ['重跑gen', '重 跑 gen |  | 重跑'],
  ['認証後gen-itgcで', '認証 後 gen itgc で | genitgc | 認証 証後'],
  ['검색이', '검색이 |  | 검색 색이'],
  ['การค้นหา', 'การ ค้นหา'],
  // emoji
  ['👍🏽👍', '👍 👍'],
  ['🇯🇵🇫🇷', '🇯🇵 🇫🇷'],
  ['❤️‍🔥', '❤ 🔥'],
  // nothing
  ['* ++ -- ( ) " \0', ''],
  ['', ''],
])('The words of %j are known.', (text, expected) => {
  expect(words(text)).toBe(expected)
})

test.each([
  ['src/helper/webSocket/index.test.ts', 'src helper web socket index test ts'],
  ['docs/HTTPServer.md', 'doc http server md'],
])('The path words of %s are known.', (path, expected) => {
  expect(analysePath(path).join(' ')).toBe(expected)
})

/** One token of FTS5's ascii tokenizer. */
const ONE_TOKEN = /^[a-z0-9\x80-\u{10FFFF}]+$/u

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom('fooBar', '_', '-', '.', '/', 'v1.2', '検索', '검색', 'ไทย', '👍', 'é', '++', '#', '7', 'A', ' '),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

test('Every term is one token, and no searchable character is lost.', () => {
  fc.assert(
    fc.property(text, (raw) => {
      const { words, compounds, bigrams: pairs } = analyseText(raw)
      for (const term of [...words, ...compounds, ...pairs]) expect(term).toMatch(ONE_TOKEN)
      const searchable = /[\p{L}\p{N}\p{Extended_Pictographic}]/gu
      const initials = new Set([...words, ...compounds].join(''))
      for (const [character] of normalise(raw).matchAll(searchable)) {
        // A stem may lose letters of the end of an English word; those of other scripts and digits all stay.
        if (/[a-z]/i.test(fold(character)) || character === 'ー') continue
        for (const folded of fold(character)) expect(initials).toContain(folded)
      }
    }),
    { numRuns: runs(500) },
  )
})

test.each(['\u02DC', '_/_', '\u0301', 'a-\u0301', '__', '._.'])('The text %j gives no empty term.', (raw) => {
  const { words, compounds, bigrams: pairs } = analyseText(raw)
  expect([...words, ...compounds, ...pairs]).not.toContain('')
})

test('A two-character word is found in any surroundings.', () => {
  const kanji = fc.constantFrom(...'検索認証型定義日本語東京都失敗後')
  fc.assert(
    fc.property(fc.array(kanji, { minLength: 2, maxLength: 30 }), fc.nat(), (characters, at) => {
      const from = at % (characters.length - 1)
      const word = characters.slice(from, from + 2).join('')
      expect(analyseText(characters.join('')).bigrams).toEqual(expect.arrayContaining([...analyseText(word).bigrams]))
    }),
    { numRuns: runs(200) },
  )
})

test('Bigrams continue across the cut of a long run.', () => {
  const run = '検'.repeat(999) + '索型' + '証'.repeat(1500)
  expect(analyseText(run).bigrams).toHaveLength(run.length - 1)
  expect(analyseText(run).bigrams).toContain('～索型')
})

test.each(['a', 'aB', 'a.', 'a/b-', '1.', 'v1.2-a.', '日', 'ไท', '한', '👍', '🏴', '+', '#', '\u0301', 'aGVsbG8/'])(
  'A body full of %j has no term of more than 64 characters.',
  (unit) => {
    const body = unit.repeat(Math.ceil(200_000 / unit.length))
    const { words } = analyseText(body)
    expect(Math.max(0, ...new Set(words.map((word) => word.length)))).toBeLessThanOrEqual(64)
  },
)
