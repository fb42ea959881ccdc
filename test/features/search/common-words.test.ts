/** Questions whose words are in more rows than one search scores. */
import { beforeAll, expect, test } from 'vitest'
import { ask, guest, hits, put } from '../../support/search-world.ts'
import type { Line } from '../../support/search-world.ts'

/** Words that every chunk of a long page has: together they are in more than 10,000 rows. */
const COMMON = 'meadow garden orchard hedge ditch fence gate barn stable mill pond brook bridge lane'
const PARAGRAPH = `${`${COMMON} `.repeat(14).slice(0, 1_150)}\n\n`

beforeAll(async () => {
  await put([
    issue(1, 'Zanzibar', 'The zanzibar clause beside the orchard.'),
    { ...issue(2, 'Orchard', 'a meadow with a gate'), labels: ['rare'] },
    { ...issue(3, 'Quiet', 'a brook under the bridge'), labels: ['rare'] },
    { ...issue(4, 'Hidden', `${COMMON} by night`), repo: 'secret/farm' },
  ])
  await put([{ type: 'doc', doc_path: 'docs/farm.md', title: 'Farm', body: PARAGRAPH.repeat(900) }])
})

function issue(number: number, title: string, body: string): Line {
  return { type: 'issue', number, title, body, state: 'open' }
}

test('A rare word selects beside common ones, and the rows of these still answer.', async () => {
  const found = hits(await ask({ query: `zanzibar ${COMMON}` }))
  expect(found).toContain('issue#1')
  expect(found).toContain('doc:docs/farm.md')
})

test('A filter keeps its rows where all words are common.', async () => {
  expect(hits(await ask({ query: COMMON, labels: ['rare'] })).sort()).toEqual(['issue#2', 'issue#3'])
  expect(hits(await ask({ query: COMMON, type: 'issue' }))).toHaveLength(4)
})

test('A row that the viewer may not see stays hidden, and the others answer.', async () => {
  const found = hits(await ask({ query: COMMON }, guest))
  expect(found).toContain('doc:docs/farm.md')
  expect(found).not.toContain('issue#4')
})
