import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { linksOf, pageKey, type TextLink, type LinkSource } from '../../src/text/links.ts'
import { runs } from '../support/runs.ts'

const WIKI: LinkSource = { at: 'wiki' }
const FILE: LinkSource = { at: 'file', path: 'docs/guide/start.md' }

/** `mention number 12`, `link path@acme/app docs/a.md`. */
function short({ kind, target }: TextLink): string {
  const { kind: what, repo, ...rest } = target
  return `${kind} ${what}${repo === undefined ? '' : `@${repo}`} ${Object.values(rest).join(' ')}`
}

const links = (text: string, place: LinkSource = { at: 'root' }): string => linksOf(text, place).map(short).join(', ')

test.each([
  ['see #12 and acme/app#7', 'mention number 12, mention number@acme/app 7'],
  ['Fixes #3', 'closes number 3, mention number 3'],
  ['closed: acme/app#4', 'closes number@acme/app 4, mention number@acme/app 4'],
  ['Resolves https://github.com/acme/app/pull/5', 'closes number@acme/app 5, mention number@acme/app 5'],
  ['prefixes #3', 'mention number 3'],
  ['#0, a#1b, &#39; and abc#', ''],
  [
    '[it](https://github.com/acme/app/issues/5) and [that](https://github.com/a/b/issues/6).',
    'mention number@acme/app 5, mention number@a/b 6',
  ],
  ['https://github.com/acme/app/blob/main/docs/a.md', 'link path@acme/app docs/a.md, link path@acme/app a.md'],
  ['https://github.com/acme/app/wiki/Getting-Started.', 'link page@acme/app getting-started'],
  ['https://github.com/acme/app/releases/tag/v1.2.0', 'link tag@acme/app v1.2.0'],
  [
    'https://github.com/acme/app/issues/5#issuecomment-9',
    'link comment@acme/app issue_comment 9, link number@acme/app 5',
  ],
  ['https://example.com/#12', ''],
  ['```\n#12 [[A-Page]]\n```\n#13', 'mention number 13'],
  ['~~~\n#12 never closed', ''],
  ['`#12`, ``a/b#3`` and #4', 'mention number 4'],
  ['`https://github.com/acme/app/issues/5` and `[a](b.md)`', ''],
  ['Fixes `x` #3', 'mention number 3'],
  ['``` #1 ``` and #2\n#3', 'mention number 2, mention number 3'],
  ['an ` unclosed #12', 'mention number 12'],
  ['[[Page]] and some-slug', ''],
])('%s', (text, expected) => {
  expect(links(text)).toBe(expected)
})

test.each([
  ['[a](../other.md#top)', 'link path docs/other.md'],
  ['[a](./x%20y.md "title")', 'link path docs/guide/x y.md'],
  ['[a](/README.md)', 'link path README.md'],
  ['[a]: ../../CHANGELOG.md', 'link path CHANGELOG.md'],
  ['<a href="b.md">b</a>', 'link path docs/guide/b.md'],
  ['[a](#12-heading) [m](mailto:a@b.c)', ''],
  ['[a](../../issues/9)', 'mention number 9'],
  ['[a](../../wiki/Home)', 'link path wiki/Home, link page home'],
])('in a file: %s', (text, expected) => {
  expect(links(text, FILE)).toBe(expected)
})

test.each([
  ['[[Launch Guide]]', 'wiki_link page launch-guide'],
  ['[[read this|Launch Guide#usage]]', 'wiki_link page launch-guide'],
  ['[here](Launch-Guide)', 'wiki_link page launch-guide'],
  ['Go Home and read the manual', ''],
  ['see decision-structure, LaunchGuide', 'slug page decision-structure, slug page launchguide'],
  ['a well-known, up-to-date follow-up', ''],
  ['詳細は 設計方針 です', 'slug page 詳細は, slug page 設計方針, slug page です'],
])('in a wiki: %s', (text, expected) => {
  expect(links(text, WIKI)).toBe(expected)
})

test.each([
  ['Launch Guide', 'launch-guide'],
  ['guides/Launch-Guide.md', 'launch-guide'],
  ['ＬＡＵＮＣＨ　Guide', 'launch-guide'],
  ['Release 1.2', 'release-1.2'],
])('the key of %s', (page, key) => {
  expect(pageKey(page)).toBe(key)
})

const piece = fc.oneof(
  fc.constantFrom(
    '[',
    ']',
    '](',
    '[[',
    ']]',
    '#1',
    'a/b#2',
    '```\n',
    '~~~\n',
    'https://github.com/a/b/',
    '(',
    ')',
    '\n',
    '%',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
)

test('whatever a text holds, it is read, and links name something', () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.constantFrom(WIKI, FILE, { at: 'root' } as const),
      (parts, place) => {
        for (const { target } of linksOf(parts.join(''), place)) {
          if (target.kind === 'number') expect(target.number).toBeGreaterThan(0)
        }
      },
    ),
    { numRuns: runs(300) },
  )
})
