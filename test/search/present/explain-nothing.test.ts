import { beforeAll, expect, test } from 'vitest'
import { ask, guest, put, type Line } from '../../support/search-world.ts'

const thread = (number: number, more: Line): Line => ({
  type: 'issue',
  number,
  title: 'Thread',
  state: 'open',
  updated_at: '2026-11-29T00:00:00Z',
  ...more,
})

beforeAll(async () => {
  await put([
    thread(1, {
      labels: ['good first issue', 'bug', 'area: launcher'],
      author: 'octocat',
      assignees: ['Hubot'],
      milestone: 'Release 1.2',
    }),
    thread(2, { labels: ['zebra'], author: 'renovate[bot]' }),
  ])
  // Names that a guest may not see sort before visible ones.
  const hidden = Array.from({ length: 600 }, (_, at) => `hidden ${String(at).padStart(4, '0')}`)
  await put(
    [...Array(12).keys()].map((at) =>
      thread(at + 1, { repo: 'secret/lab', labels: hidden.slice(at * 50, at * 50 + 50), author: 'octocta' }),
    ),
  )
})

test.each<[Line, Line]>([
  [{ labels: ['bgu'] }, { labels: ['bug'] }],
  [{ labels: ['good-first-issue'] }, { labels: ['good first issue'] }],
  [{ labels: ['launcher'] }, { labels: ['area: launcher'] }],
  [{ labels: ['zebrs'] }, { labels: ['zebra'] }],
  [{ author: 'octcoat' }, { author: ['octocat'] }],
  [{ author: '@octocatt' }, { author: ['octocat'] }],
  [{ author: 'renovate' }, { author: ['renovate[bot]'] }],
  [{ assignee: 'hubto' }, { assignee: ['Hubot'] }],
  [{ milestone: 'release 1.2' }, { milestone: ['Release 1.2'] }],
  [{ milestone: '1.2' }, { milestone: ['Release 1.2'] }],
  [{ repo: 'acme/wigdet' }, { repo: ['acme/widget'] }],
  [{ repo: 'acne/widget' }, { repo: ['acme/widget'] }],
  [{ repo: 'widgets' }, { repo: ['acme/widget'] }],
])('for the filter %o, %o are suggested from visible rows', async (filter, suggestions) => {
  for (const call of [filter, { ...filter, query: 'thread' }]) {
    const answer = await ask(call, guest)
    expect(answer).toMatchObject({ count: 0, filters_unmatched: Object.keys(filter), suggestions })
    expect(answer.suggestions).toEqual(suggestions)
  }
})

test('nothing is suggested for a filter that selects rows, nor without a similar value', async () => {
  const answer = await ask({ labels: ['bug'], author: 'nobody-like-that', query: 'thread' }, guest)
  expect(answer.filters_unmatched).toEqual(['author'])
  expect(answer).not.toHaveProperty('suggestions')
})

test('names of one letter are similar to no other, names of two letters if the first is equal', async () => {
  await put([thread(9, { repo: 'x/a', labels: ['z', 'ab'], author: 'q' })])
  expect(await ask({ labels: ['y'], repo: 'x/b' }, guest)).not.toHaveProperty('suggestions')
  expect(await ask({ labels: ['xb'], author: 'w', query: 'thread' }, guest)).not.toHaveProperty('suggestions')
})

test('values that are too long to type are not suggested', async () => {
  await put([thread(10, { repo: 'x/long', milestone: 'Release 1.2'.repeat(300), labels: ['bug'.repeat(400)] })])
  const answer = await ask(
    { milestone: 'Release 1.2'.repeat(299), labels: ['bug'.repeat(399)], query: 'thread' },
    guest,
  )
  expect(answer.filters_unmatched).toContain('milestone')
  const values = Object.values(answer.suggestions ?? {}).flat()
  expect(values.filter((value) => value.length > 256)).toEqual([])
})
