import { describe, expect, test } from 'vitest'
import { DOCUMENT_TYPES } from '../../../src/base/vocabulary.ts'
import { toPageSchema, toPageSchemaPage } from '../../../scripts/gen/docs.ts'
import { parseImportPage } from '../../../src/contracts/import/parse-page.ts'
import { LINES, removalOf, toNdjson, type Line } from '../../support/lines.ts'

function parsed(...lines: Line[]) {
  const result = parseImportPage(toNdjson(lines))
  if (!result.ok) throw new Error(result.failure.message)
  return result.value
}

function refusal(text: string): string {
  const result = parseImportPage(text)
  if (result.ok) throw new Error('was taken')
  return `${result.failure.line} ${result.failure.field ?? '-'}: ${result.failure.message}`
}

const issue = (change: Line): string => toNdjson([{ ...LINES.issue, ...change }])

describe('import pages', () => {
  test.each(DOCUMENT_TYPES)('a page accepts a line and a removal of the type %s', (type) => {
    const [put, removal] = parsed(LINES[type], removalOf(LINES[type]))
    expect(put).toMatchObject({
      put: {
        identity: { type },
        repository: { name: 'acme/widgets' },
        ...(type !== 'commit' && { body: LINES[type]['body'] }),
      },
    })
    expect(removal).toMatchObject({ remove: { identity: (put as { put: { identity: object } }).put.identity } })
  })

  test('the body of a commit is its message and its files, and it is dated by its commit date', () => {
    expect(parsed(LINES.commit)).toMatchObject([
      {
        put: {
          body: 'Start each agent once\n\nThe loop ran over both lists.\n\nmodified src/launch.ts\nmodified package-lock.json',
          fileCount: 2,
          createdAt: Date.UTC(2026, 10, 3, 10),
          updatedAt: Date.UTC(2026, 10, 3, 10),
        },
      },
    ])
    expect(refusal(toNdjson([{ ...LINES.commit, body: 'x' }]))).toContain('body')
  })

  test('a page gives every field of an issue to the document', () => {
    expect(parsed(LINES.issue)).toEqual([
      {
        put: {
          identity: { type: 'issue', number: 11 },
          repository: { name: 'acme/widgets' },
          body: 'The launcher starts every agent twice.',
          title: 'Agents start twice',
          state: 'open',
          labels: ['bug', 'area: launcher, core'],
          assignees: ['octocat'],
          milestone: 'v1.0',
          author: 'Hubot',
          authorAssociation: 'MEMBER',
          url: 'https://github.com/acme/widgets/issues/11',
          createdAt: Date.UTC(2026, 10, 1, 10),
          updatedAt: Date.UTC(2026, 10, 2, 10),
        },
      },
    ])
  })

  test('SHAs and review states are converted to lower case', () => {
    const [review, comment] = parsed(LINES.pr_review, LINES.pr_review_comment)
    expect(review).toMatchObject({ put: { reviewState: 'approved' } })
    expect(comment).toMatchObject({ put: { commitSha: '9f1c2d3e4b5a69788776655443322110ffeeddcc' } })
  })

  test('null, an empty string and an empty list count as absent', () => {
    expect(parsed({ ...LINES.doc, title: null, author: '', created_at: null })[0]).toEqual({
      put: {
        identity: { type: 'doc', path: 'docs/launch guide.md' },
        repository: { name: 'acme/widgets' },
        body: 'The launcher starts every agent twice.',
      },
    })
  })

  test('blank lines are skipped, and the line numbers of errors count them', () => {
    expect(parseImportPage(`\n${toNdjson([LINES.doc])}\r\n\n`)).toMatchObject({ ok: true })
    expect(refusal(`\n\n${issue({ number: 0 })}`)).toMatch(/^3 number/)
  })

  test.each([
    ['{"type":"issue"', /^1 -: line 1: line: not JSON/],
    ['[]', /^1 -: line 1: line: not an object/],
    ['null', /^1 -: line 1: line: not an object/],
    [issue({ type: 'discussion' }), /^1 type: line 1: type: must be one of issue, pull_request/],
    [issue({ number: '11' }), /^1 number: .*expected/],
    [issue({ number: 1.5 }), /^1 number/],
    [issue({ number: undefined }), /^1 number/],
    [issue({ body: undefined }), /^1 body/],
    [issue({ body: null }), /^1 body/],
    [issue({ labels: 'bug' }), /^1 labels/],
    [issue({ labels: [''] }), /^1 labels/],
    [issue({ state: 'merged' }), /^1 state/],
    [issue({ repo: 'acme' }), /^1 repo: .*owner\/name/],
    [issue({ repo: '../..' }), /^1 repo: .*owner\/name/],
    [issue({ repo: './widgets' }), /^1 repo: .*owner\/name/],
    [issue({ updated_at: 'yesterday' }), /^1 updated_at: .*RFC 3339/],
    [issue({ updated_at: '2026-02-30' }), /^1 updated_at/],
    [issue({ url: 'javascript:alert(1)' }), /^1 url/],
    [issue({ colour: 'red' }), /^1 colour: .*not a field/],
    [issue({ doc_path: 'a.md' }), /^1 doc_path: .*not a field/],
    [toNdjson([{ ...LINES.diff, commit_sha: 'main' }]), /^1 commit_sha/],
    [toNdjson([{ ...LINES.issue_comment, number: undefined }]), /^1 number/],
    [toNdjson([{ ...removalOf(LINES.issue), body: 'x' }]), /^1 body: .*not a field/],
    [toNdjson([LINES.doc, { ...LINES.doc, doc_path: '' }]), /^2 doc_path/],
    [
      toNdjson([
        { ...LINES.doc, repo_private: true },
        { ...LINES.issue, repo: 'ACME/widgets', repo_private: false },
      ]),
      /^2 repo_private: .*disagree/,
    ],
    [
      toNdjson([
        { ...LINES.doc, repo_id: 1 },
        { ...LINES.issue, repo_id: 2 },
      ]),
      /^2 repo_id: .*disagree/,
    ],
  ])('a page refuses the line %s', (text, expected) => {
    expect(refusal(text)).toMatch(expected)
  })

  test('the key __proto__ is refused as an unknown field', () => {
    expect(refusal('{"type":"doc","repo":"a/b","doc_path":"x.md","body":"","__proto__":{"title":"y"}}')).toMatch(/^1 /)
  })
})

describe('the published schema', () => {
  test.each(DOCUMENT_TYPES)('the page and the JSON schema describe every field of the type %s', (type) => {
    const page = toPageSchemaPage()
    const [, section = ''] = page.split(`\n## ${type}\n`)
    const own = `${page.split('\n## issue\n')[0]}${section.split('\n## ')[0]}`
    for (const field of Object.keys(LINES[type])) expect(own).toContain(`\`${field}\``)
    const { anyOf } = toPageSchema() as { anyOf: { properties: Record<string, { const?: unknown }> }[] }
    const forms = anyOf.filter(({ properties }) => properties['type']?.const === type)
    expect(forms.map(({ properties }) => properties['deleted']?.const)).toContain(true)
    for (const field of Object.keys(LINES[type])) expect(forms[0]?.properties).toHaveProperty(field)
  })
})
