import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { analyseQuestion } from '../../src/text/question/question.ts'
import { SNIPPET_CHARS, snippetOf } from '../../src/text/snippet.ts'
import { runs } from '../support/runs.ts'

function snippet(text: string, question: string): string {
  return snippetOf(text, 0, analyseQuestion(question)).text
}

test.each([
  ['The router matches paths.', 'routers matching', 'The **router** **matches** paths.'],
  ['call buildSearchParams() now', 'buildSearchParams', 'call **buildSearchParams**() now'],
  ['call buildSearchParams() now', 'search', 'call build**Search**Params() now'],
  ['use atomic_write_json here', 'atomic write json', 'use **atomic_write_json** here'],
  ['Ubuntu 20.04, C++ and v1.2.3', '20.04 C++ 1.2.3', 'Ubuntu **20.04**, **C++** and **v1.2.3**'],
  ['日本語の検索がヒットしない', '検索', '日本語の**検索**がヒットしない'],
  ['로그인은 되는데', '로그인', '**로그인**은 되는데'],
  ['Ｒｏｕｔｅｒ und Café', 'router cafe', '**Ｒｏｕｔｅｒ** und **Café**'],
  ['nice 👍🏽 work', '👍', 'nice **👍**🏽 work'],
  ['the end of the story', 'the story', 'the end of the **story**'],
  ['one\n\n  two\tthree', 'three', 'one two **three**'],
  ['no match at all', 'zebra', 'no match at all'],
  ['a <!-- hidden --> word', 'word', 'a <! -- hidden -- > **word**'],
  ['', 'anything', ''],
  ['a **walrus** here', 'walrus', 'a **walrus** here'],
  ['**the walrus** sings', 'walrus', '*the **walrus** sings'],
  ['walrus**walrus', 'walrus', '**walrus** **walrus**'],
  ['src/**/walrus.ts', 'walrus', 'src/*/**walrus**.ts'],
  ['a *walrus* here', 'walrus', 'a ***walrus*** here'],
])('The snippet of %j marks the words of the question %j.', (text, question, expected) => {
  expect(snippet(text, question)).toBe(expected)
})

test('Marks cannot complete comment markup.', () => {
  expect(snippet('x <!--word--> y', 'word')).not.toMatch(/<!--|-->/)
  expect(snippet('<!<!---- --->->', 'x')).not.toMatch(/<!--|-->/)
})

test('A snippet shows the passage that matches most of the question, with its offset in the body.', () => {
  const filler = 'nothing to see here, move along please. '.repeat(12)
  const text = `${filler}\nrouter alone\n${filler}\nthe router lost its trailing slash\n${filler}`
  const { text: shown, offset } = snippetOf(text, 5000, analyseQuestion('router trailing slash'))
  expect(shown).toContain('the **router** lost its **trailing** **slash**')
  expect(offset).toBe(5000 + text.indexOf('the router lost'))
})

test('The offset skips white space that is not shown.', () => {
  const body = '\n\n\n   padded walrus here'
  expect(snippetOf(body, 0, analyseQuestion('walrus'))).toEqual({
    text: 'padded **walrus** here',
    offset: 6,
    firstMatch: body.indexOf('walrus'),
  })
  const long = `${'x '.repeat(300)}\n\n   padded walrus here ${'y '.repeat(300)}`
  expect(snippetOf(long, 0, analyseQuestion('walrus')).offset).toBe(long.indexOf('padded'))
})

const FILLER = 'lorem ipsum dolor sit amet consectetur '.repeat(20)

test.each([
  ['prose', `${FILLER}the launcher starts twice ${FILLER}`, 'launcher twice'],
  [
    'a long line of a patch',
    `@@ -1,3 +1,3 @@\n context\n-${'a'.repeat(70)} launcher(both)\n+${'a'.repeat(70)} launcher(once)\n${FILLER}`,
    'launcher',
  ],
  ['accents', `${'Ärger über Größe '.repeat(40)}Straße ${'señor '.repeat(60)}`, 'straße'],
])('A snippet of %s begins and ends with whole words.', (_, text, question) => {
  const { text: shown, offset } = snippetOf(text, 0, analyseQuestion(question))
  const bare = shown.replaceAll('**', '')
  const body = text.slice(offset)
  expect(offset === 0 || /\s/.test(text[offset - 1]!)).toBe(true)
  expect(body.replace(/\s+/g, ' ').startsWith(bare)).toBe(true)
  expect(body.replace(/\s+/g, ' ').charAt(bare.length)).toMatch(/^[^\p{L}\p{N}]?$/u)
  expect(shown.length).toBeGreaterThan(180)
})

test('A line of a patch is shown from its sign, a row of a table from its bar.', () => {
  const patch = ` context ${'x '.repeat(200)}\n+${'argument, '.repeat(9)}launcher\n ${FILLER}`
  expect(snippet(patch, 'launcher')).toMatch(/^\+argument/)
  const table = `${FILLER}\n| name | meaning |\n|---|---|\n| \`launcher\` | starts agents |\n${FILLER}`
  expect(snippet(table, 'launcher')).toMatch(/^\| `\*\*launcher\*\*` \| starts agents \| lorem/)
})

test('A shorter snippet shows the same match in fewer characters.', () => {
  for (const text of [`${FILLER} walrus ${FILLER}`, `walrus ${FILLER}`, `${FILLER}\n${FILLER} walrus`]) {
    for (const maxChars of [60, 160]) {
      const { text: shown } = snippetOf(text, 0, analyseQuestion('walrus'), undefined, maxChars)
      expect(shown).toContain('**walrus**')
      expect(shown.length).toBeLessThanOrEqual(maxChars)
    }
  }
})

test('Combined characters are not split.', () => {
  const family = '👨‍👩‍👧‍👦'
  const { text, offset } = snippetOf(`${family.repeat(60)}検索`, 0, analyseQuestion('検索'))
  expect(offset % family.length).toBe(0)
  expect(text.endsWith('**検索**')).toBe(true)
  expect(snippet(`検索${'e\u0301'.repeat(400)}`, '検索').endsWith('\u0301')).toBe(true)
})

const fragment = fc.oneof(
  fc.constantFrom('word ', 'fooBar', '検索', '😀', '👍🏽', '<!--', '-->', '<!-', '-', '>', '\n', '  ', '**', 'ﷺ', '🇯🇵'),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.integer({ min: 1, max: 200 }).map((chars) => '😀'.repeat(chars)),
  fc.integer({ min: 1, max: 60 }).map((words) => 'word '.repeat(words)),
)

test('A snippet is short, well formed, on one line, and its offset is its start.', () => {
  fc.assert(
    fc.property(
      fc.array(fragment, { maxLength: 30 }),
      fc.constantFrom('word', 'foo 検索', '😀', '"word foo"', '*'),
      (parts, typed) => {
        const body = parts.join('').toWellFormed()
        const { text, offset } = snippetOf(body, 100, analyseQuestion(typed))
        expect(text.length).toBeLessThanOrEqual(SNIPPET_CHARS)
        expect(text.isWellFormed()).toBe(true)
        expect(text).not.toMatch(/[\n\r]|<!--|-->/)
        expect(offset).toBeGreaterThanOrEqual(100)
        expect(offset).toBeLessThanOrEqual(100 + body.length)
        expect(body.slice(offset - 100).isWellFormed()).toBe(true)
        if (/<!|-->/.test(body) || /\*\*/.test(body)) return
        // The body contains the text of the snippet, from its offset on.
        const shown = text.replaceAll('**', '')
        expect(
          body
            .slice(offset - 100)
            .replace(/\s+/g, ' ')
            .startsWith(shown),
        ).toBe(true)
      },
    ),
    { numRuns: runs(300) },
  )
})
