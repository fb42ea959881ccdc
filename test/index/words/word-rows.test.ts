import { expect, test } from 'vitest'
import type { Document } from '../../../src/documents/document.ts'
import { termKey, unpackCounts, unpackSequence } from '../../../src/fts/packed-terms.ts'
import { filterToken } from '../../../src/index/filters/filter-tokens.ts'
import { toWordRows, type WordRow } from '../../../src/index/words/word-rows.ts'

const repository = { name: 'acme/widget' }
const SHA = '9F1C2D3E4b5a69788776655443322110ffeeddcc'

function only(document: Document): WordRow {
  const rows = toWordRows(document)
  expect(rows).toHaveLength(1)
  return rows[0]!
}

function counts(row: WordRow): Record<number, number> {
  const found: Record<number, number> = {}
  unpackCounts(row.terms, (key, count) => (found[key] = count))
  return found
}

const nine: readonly [Document, string][] = [
  [{ identity: { type: 'issue', number: 7 }, repository, body: '' }, 'n7'],
  [{ identity: { type: 'pull_request', number: 8 }, repository, body: '' }, 'n8'],
  [
    { identity: { type: 'release', tagName: 'v1.2.3' }, repository, body: '' },
    `${filterToken('name', 'v1.2.3')} v1．2．3`,
  ],
  [
    { identity: { type: 'release', tagName: 'core@2.0.0-rc.1' }, repository, body: '' },
    `${filterToken('name', 'core@2.0.0-rc.1')} v2．0．0－rc．1`,
  ],
  [{ identity: { type: 'release', tagName: 'nightly' }, repository, body: '' }, filterToken('name', 'nightly')],
  [
    { identity: { type: 'doc', path: 'docs/A.md' }, repository, body: '' },
    `${filterToken('path', 'docs/a.md')} ${filterToken('name', 'a.md')}`,
  ],
  [
    { identity: { type: 'wiki_doc', path: 'Home' }, repository, body: '' },
    `${filterToken('path', 'home')} ${filterToken('name', 'home')}`,
  ],
  [
    { identity: { type: 'diff', commitSha: SHA, path: 'a.ts' }, repository, body: '' },
    `${filterToken('path', 'a.ts')} ${filterToken('name', 'a.ts')} ${SHA.toLowerCase()}`,
  ],
  [{ identity: { type: 'issue_comment', commentId: 99 }, repository, body: '', number: 7 }, 'm99'],
  [{ identity: { type: 'pr_review', reviewId: 98 }, repository, body: '', number: 8 }, 'm98'],
  [
    { identity: { type: 'pr_review_comment', commentId: 97 }, repository, body: '', number: 8, path: 'b.ts' },
    `${filterToken('path', 'b.ts')} ${filterToken('name', 'b.ts')} m97`,
  ],
]

test.each(nine)('a document without a body has one row with its exact keys: %j', (document, keys) => {
  expect(only(document)).toMatchObject({ start: 0, chars: 0, columns: { k: keys, b: '', x: '' } })
})

test('a diff is indexed by its changed lines and its context, and titled by its commit message', () => {
  const body = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,3 @@ outer\n kept\n-gone\n+newName\n'
  const message = 'Rename it\n\nBecause reasons.'
  const row = only({
    identity: { type: 'diff', commitSha: SHA, path: 'src/a.ts' },
    repository,
    body,
    message,
    title: '9f1c2d3 src/a.ts',
  })
  expect(row.columns).toMatchObject({
    t: 'rename it ＿ renam',
    p: 'src a ts ＿ at srcat',
    b: 'gone newname because reasons ＿ newnam becaus reason ＿ new name',
  })
  expect(row.columns.x.split(' ＿ ')[0]).toBe('a src a ts b src a ts outer kept')
})

test('the hunk of a review comment is indexed as context, apart from the comment', () => {
  const row = only({
    identity: { type: 'pr_review_comment', commentId: 1 },
    repository,
    body: 'Why twice?',
    number: 8,
    path: 'src/a.ts',
    diffHunk: '@@ -1 +1 @@\n+again',
  })
  expect(row.columns).toMatchObject({ b: 'why twice', x: 'again' })
})

test('a term counts 2 in the title or path, 1 in the body and a half in the context, and a compound half of that', () => {
  const row = only({ identity: { type: 'issue', number: 1 }, repository, title: 'crash', body: 'crash in fooBar' })
  expect(counts(row)).toEqual({
    [termKey('crash')]: 3,
    [termKey('in')]: 1,
    [termKey('foobar')]: 1,
    [termKey('foo')]: 0.5,
    [termKey('bar')]: 0.5,
  })
  expect(row.length).toBe(6)
})

test('a long body gives several rows in order, each with the title and the path', () => {
  const body = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} ${'word '.repeat(20)}`).join('\n\n')
  const rows = toWordRows({ identity: { type: 'doc', path: 'docs/webSocket.md' }, repository, title: 'Sockets', body })
  expect(rows.length).toBeGreaterThan(4)
  expect(
    rows.every(({ columns }) => columns.t === 'sockets ＿ socket' && columns.p.startsWith('docs websocket md ＿ doc')),
  ).toBe(true)
  expect(rows.at(-1)!.start + rows.at(-1)!.chars).toBe(body.length)
  expect(unpackSequence(rows[0]!.pathTerms)).toEqual(['doc', 'web', 'socket', 'md'].map(termKey))
})

test('every chunk of a patch of one long line has the sign of that line', () => {
  const rows = toWordRows({
    identity: { type: 'diff', commitSha: SHA, path: 'a' },
    repository,
    body: `+${'word '.repeat(1000)}`,
  })
  expect(rows.length).toBeGreaterThan(3)
  expect(rows.every(({ columns }) => columns.x === '' && columns.b.startsWith('word'))).toBe(true)
})

test('the indexed title of a release contains its tag, and that of a review its verdict', () => {
  const release: Document = {
    identity: { type: 'release', tagName: 'nightly-build' },
    repository,
    body: '',
    title: 'Borealis',
  }
  expect(only(release).columns.t).toMatch(/^borealis nightly build/)
  const review: Document = {
    identity: { type: 'pr_review', reviewId: 1 },
    repository,
    body: '',
    number: 8,
    reviewState: 'approved',
  }
  expect(only(review).columns.t).toBe('approved ＿ approv')
})
