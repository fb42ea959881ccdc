import { expect, test } from 'vitest'
import { toTime } from '../../../src/base/time.ts'
import { parseQualifiers } from '../../../src/search/plan/qualifiers.ts'
import { parseRepository } from '../../../src/index/filters/repository-reference.ts'

/** `words | filters` of a query; an excluded value has a `-` before it, a dropped qualifier a `!`. */
function parts(query: string): string {
  const { words, named, excluded, warnings } = parseQualifiers(query)
  const filters = [
    ...Object.entries(named).map(([name, value]) => `${name}=${toText(value)}`),
    ...excluded.flatMap(Object.entries).map(([name, value]) => `-${name}=${toText(value)}`),
    ...warnings.map((warning) => `!${warning.split(' ', 1)[0]}`),
  ]
  return `${words.replace(/\s+/g, ' ')} | ${filters.join(' ')}`.trim()
}

function toText(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return String(value)
  const { since, until } = value as { since?: number; until?: number }
  const show = (ms: number | undefined) => (ms === undefined ? '' : toTime(ms).replace(/T00:00:00Z$/, ''))
  return `${show(since)}~${show(until)}`
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
  ['type:pr type:DIFF', '| type=diff !The'],
  ['path:src/a.ts why', 'why | path_prefix=src/a.ts'],
  ['path:src/** path:docs/* why', 'why | path_prefix=docs !The'],
  ['state:open State:CLOSED', '| state=closed !The'],
  ['state:merged is:draft', '| merged=true draft=true'],
  ['no:label no:Assignees NO:milestone x', 'x | no=label,assignee,milestone'],
  ['user:Acme flaky', 'flaky | user=acme'],
  ['org:@acme/ flaky', 'flaky | org=acme'],
  ['sort:created sort:updated-desc', '| sort=updated_desc !The'],
  ['sort:relevance crash', 'crash | sort=relevance'],
  ['created:>2026-01-31', '| created=2026-02-01~'],
  ['created:>=2026-01-31', '| created=2026-01-31~'],
  ['updated:<2026-01-31 x', 'x | updated=~2026-01-31'],
  ['updated:<=2026-01-31', '| updated=~2026-02-01'],
  ['created:2026-01-01..2026-01-31', '| created=2026-01-01~2026-02-01'],
  ['created:"2026-01-01..*"', '| created=2026-01-01~'],
  ['created:*..2026-01-31', '| created=~2026-02-01'],
  ['created:2026-02-28', '| created=2026-02-28~2026-03-01'],
  ['updated:>=2026-01-31T09:00:00+09:00', '| updated=2026-01-31~'],
  ['created:>2026-01-01 created:<2026-02-01', '| created=2026-01-02~2026-02-01'],
  ['-created:>2026-01-31', '| created=~2026-02-01'],
  ['-updated:<2026-01-31', '| updated=2026-01-31~'],
])('the query %s has these words and filters', (query, expected) => {
  expect(parts(query)).toBe(expected)
})

test.each([
  ['-label:bug crash', 'crash | -labels=bug'],
  ['-label:"good first issue" -label:bug -label:bug', '| -labels=good first issue -labels=bug'],
  ['-is:pr -is:draft -state:closed', '| -type=pull_request -draft=true -state=closed'],
  ['-author:ada -assignee:bob -milestone:v1', '| -author=ada -assignee=bob -milestone=v1'],
  ['-type:diff -path:vendor', '| -type=diff -path_prefix=vendor'],
  ['-repo:acme/other -user:evil -ORG:corp', '| -repo=acme/other -user=evil -org=corp'],
  ['label:bug -label:wontfix x', 'x | labels=bug -labels=wontfix'],
  ['-no:label x', 'x | has=label'],
])('the query %s excludes these values', (query, expected) => {
  expect(parts(query)).toBe(expected)
})

test.each([
  ['in:title crash', 'crash | !in:title'],
  ['-in:body crash', 'crash | !-in:body'],
  ['sort:reactions-+1 sort:created-asc x', 'x | !sort:created-asc'],
  ['-sort:created x', 'x | !-sort:created'],
  ['state:pending x', 'x | !state:pending'],
  ['no:project x', 'x | !no:project'],
  ['created:yesterday x', 'x | !created:yesterday'],
  ['created:>2026-02-30 updated:2026 x', 'x | !created:>2026-02-30 !updated:2026'],
  ['created:2026-01-01..2026-02-01..2026-03-01 x', 'x | !created:2026-01-01..2026-02-01..2026-03-01'],
  ['updated:*..* x', 'x | !updated:*..*'],
  ['-created:2026-01-01..2026-01-31 x', 'x | !-created:2026-01-01..2026-01-31'],
  ['user:a/b x', 'x | !user:a/b'],
  ['path:**/*.ts x', 'x | !path:**/*.ts'],
  ['is:constructor is:__proto__ x', 'x | !is:__proto__'],
  ['-is:foo x', 'x | !-is:foo'],
])('of the query %s the qualifier that cannot be applied is dropped with a warning', (query, expected) => {
  expect(parts(query)).toBe(expected)
})

test.each([
  'fix(docs): path: x',
  'path: x',
  'label: bug',
  'state: open',
  'created: 2026-01-01',
  'label:"unbalanced',
  'label:"" x',
  'label:a"b',
  'label:"a"b',
  '- label:',
  '--label:bug',
  'a-label:bug',
  'type:module type:toString',
  'http://example.com/repo:a',
  'xrepo:a/b',
  '(repo:a/b)',
  'repo:a/b/c repo:a,b',
  '"say repo:a/b here"',
  '"-label:bug"',
  'error:author',
  'head:main review:required',
  'ラベルlabel:bug',
])('the query %s has no qualifier', (query) => {
  expect(parts(query)).toBe(`${query} |`)
})

test('a query excludes a bounded number of values, and warns of further ones once', () => {
  const { excluded, warnings } = parseQualifiers(Array.from({ length: 500 }, (_, at) => `-label:l${at}`).join(' '))
  expect(excluded).toHaveLength(10)
  expect(warnings).toEqual([expect.stringContaining('-label')])
})

test('a qualifier with two different values is reported', () => {
  expect(parseQualifiers('author:a author:b').warnings).toEqual(['The query names author twice; the last one counts.'])
  expect(parseQualifiers('author:a author:a label:x label:y').warnings).toEqual([])
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
