import { beforeAll, expect, test } from 'vitest'
import { ask, hits, put } from '../../support/search-world.ts'
import type { Line } from '../../support/search-world.ts'

const TOGETHER = 'a'.repeat(40)
const ALONE = 'b'.repeat(40)

function file(commit: string, path: string, added: string): Line {
  return {
    type: 'diff',
    commit_sha: commit,
    file_path: path,
    file_status: 'modified',
    body: `@@ -1 +1 @@\n+${added}`,
    updated_at: '2026-11-20T00:00:00Z',
  }
}

beforeAll(async () => {
  await put([
    file(ALONE, 'src/header.ts', 'allow samesite attribute'),
    file(TOGETHER, 'src/cookie.ts', 'allow samesite attribute'),
    file(TOGETHER, 'src/cookie.test.ts', 'lowercase letters pass'),
    { type: 'doc', doc_path: 'docs/garden.md', body: 'lowercase plants' },
  ])
})

test('a file whose commit contains the other words of the question comes before a file with the same words alone', async () => {
  expect(hits(await ask({ query: 'allow lowercase samesite attribute', group: 'none' }))[0]).toBe(
    'diff:aaaaaaa src/cookie.ts',
  )
})

test('for a question of few words each file of a commit is scored alone', async () => {
  const answer = await ask({ query: 'samesite attribute', group: 'none' })
  expect(hits(answer)).toEqual(['diff:bbbbbbb src/header.ts', 'diff:aaaaaaa src/cookie.ts'])
  const [one, other] = answer.results
  expect(one?.score).toBe(other?.score)
})
