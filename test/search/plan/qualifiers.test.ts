import { expect, test } from 'vitest'
import { parseQualifiers } from '../../../src/search/plan/qualifiers.ts'
import { parseRepository } from '../../../src/index/filters/repository-reference.ts'

/** `words | filters` of a query. */
function parts(query: string): string {
  const { words, named } = parseQualifiers(query)
  return `${words.replace(/\s+/g, ' ')} | ${Object.entries(named)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ')}`.trim()
}

test.each([
  ['repo:acme/widget crash', 'crash | repo=acme/widget'],
  ['crash repo:https://github.com/acme/widget', 'crash | repo=https://github.com/acme/widget'],
  ['label:a label:A label:a x', 'x | labels=a'],
  ['is:pr is:merged is:closed', '| type=pull_request merged=true state=closed'],
  ['IS:Issue Is:OPEN slow', 'slow | type=issue state=open'],
  ['label:bug label:"good first issue"', '| labels=bug,good first issue'],
  ['label:area:cli,docs', '| labels=area:cli,docs'],
  ['author:ada assignee:"Bob B" milestone:"v1.0 beta"', '| author=ada assignee=Bob B milestone=v1.0 beta'],
  ['type:pr type:DIFF', '| type=diff'],
  ['path:src/a.ts why', 'why | path_prefix=src/a.ts'],
])('the query %s has these words and filters', (query, expected) => {
  expect(parts(query)).toBe(expected)
})

test.each([
  'fix(docs): path: x',
  'path: x',
  'label: bug',
  'label:"unbalanced',
  'label:"" x',
  'label:a"b',
  'label:"a"b',
  'is:draft is:constructor is:__proto__',
  'type:module type:toString',
  'state:open',
  'http://example.com/repo:a',
  'xrepo:a/b',
  '(repo:a/b)',
  '-label:bug',
  'repo:a/b/c repo:a,b',
  '"say repo:a/b here"',
  'error:author',
  'ラベルlabel:bug',
])('the query %s has no qualifier', (query) => {
  expect(parts(query)).toBe(`${query} |`)
})

test('a qualifier with two different values is reported', () => {
  expect(parseQualifiers('author:a author:b').contradicted).toEqual(['author'])
  expect(parseQualifiers('author:a author:a label:x label:y').contradicted).toEqual([])
})

test.each([
  ['Acme/Widget', { nameKey: 'acme/widget' }],
  [' acme/widget ', { nameKey: 'acme/widget' }],
  ['acme/widget.git', { nameKey: 'acme/widget' }],
  ['acme/widget.GIT/', { nameKey: 'acme/widget' }],
  ['\tacme/widget//\n', { nameKey: 'acme/widget' }],
  ['widget.git', { shortKey: 'widget' }],
  ['widget/', { shortKey: 'widget' }],
  ['acme/.git', { nameKey: 'acme/.git' }],
  ['https://github.com/acme/widget.git/', { nameKey: 'acme/widget' }],
  ['/', undefined],
  ['https://github.com/Acme/Widget.js.git', { nameKey: 'acme/widget.js' }],
  ['github.com/acme/widget/pull/3?x#y', { nameKey: 'acme/widget' }],
  ['git@github.com:acme/widget.git', { nameKey: 'acme/widget' }],
  ['ssh://git@github.com/acme/widget', { nameKey: 'acme/widget' }],
  ['Widget', { shortKey: 'widget' }],
  ['a/b/c', undefined],
  ['acme widget', undefined],
  ['https://example.com/acme/widget', undefined],
  ['https://github.com/acme', undefined],
])('the text %s refers to one repository or to none', (text, expected) => {
  expect(parseRepository(text)).toEqual(expected)
})
