/** A question that only names items is answered by them alone; a phrase that no row has is said. */
import { beforeAll, expect, test } from 'vitest'
import { clearIndex } from '../../support/index-world.ts'
import { ask, put } from '../../support/search-world.ts'

const SHA = 'abc1234def5678901234567890abcdef12345678'

beforeAll(async () => {
  await clearIndex()
  await put([
    { type: 'pull_request', number: 2, title: 'Walk the walrus', body: 'It walks. Widget proj.' },
    { type: 'issue_comment', number: 2, comment_id: 9, body: 'The walrus walks well now, thanks.' },
    { type: 'issue', number: 3, title: 'Other widget', body: 'Version 2 of acme widget, see #2.' },
    { type: 'issue', number: 22, title: 'Acme', body: 'acme widget pull 2 github com https' },
    { type: 'commit', commit_sha: SHA, message: 'Walk slowly', body: undefined },
    { type: 'doc', doc_path: 'a.md', body: `abc 1234 def 5678 and ABC1234DEF` },
  ])
})

const numbers = async (query: string) =>
  (await ask({ query })).results.map(({ type, number, commit_sha: sha }) => `${type} ${number ?? sha?.slice(0, 7)}`)

test.each([
  ['acme/widget#2', ['pull_request 2']],
  ['https://github.com/acme/widget/pull/2', ['pull_request 2']],
  ['https://github.com/acme/widget/pull/2#issuecomment-9', ['issue_comment 2']],
  [SHA.toUpperCase(), ['commit abc1234']],
  ['abc1234', ['commit abc1234']],
  [`${SHA}, acme/widget#2`, ['commit abc1234', 'pull_request 2']],
])('%s is answered by what it names alone', async (query, expected) => {
  expect((await numbers(query)).toSorted()).toEqual(expected)
})

test('a number without its repository also finds what mentions it', async () => {
  const found = await numbers('#2')
  expect(found[0]).toBe('pull_request 2')
  expect(found).toContain('issue 3')
})

test.each(['acme/widget#777', 'fedcba9876543210fedcba9876543210fedcba98', 'acme/widget#2 walrus'])(
  'the question %s, which names nothing alone, is searched by its words too',
  async (query) => {
    const { warnings = [] } = await ask({ query })
    expect(warnings).toEqual([])
  },
)

test('a quoted phrase that no row has is said', async () => {
  expect((await ask({ query: '"walrus walks backwards"' })).warnings).toEqual([
    'No row has the quoted phrase; rows that have words of it are shown.',
  ])
  expect((await ask({ query: '"walrus walks well"' })).warnings).toBeUndefined()
  expect((await ask({ query: 'walrus walks backwards' })).warnings).toBeUndefined()
})
