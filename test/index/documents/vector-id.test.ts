import { expect, test } from 'vitest'
import { derivedRepoId, vectorIdOf } from '../../../src/index/documents/vector-id.ts'

test('the id of a document consists of its prefix and the hash of its repository and identity', () => {
  const id = vectorIdOf({ type: 'diff', commitSha: 'abc1234', path: 'src/a.ts' }, 42)
  expect(id).toMatch(/^c:[\w-]{43}$/)
  expect(vectorIdOf({ type: 'diff', commitSha: 'abc1234', path: 'src/a.ts' }, 42)).toBe(id)
  expect(vectorIdOf({ type: 'diff', commitSha: 'abc1234', path: 'src/a.ts' }, 43)).not.toBe(id)
})

test('an issue and a pull request of one number share an id, and comments and reviews of one number do not', () => {
  expect(vectorIdOf({ type: 'issue', number: 7 }, 1)).toBe(vectorIdOf({ type: 'pull_request', number: 7 }, 1))
  const others = [
    vectorIdOf({ type: 'issue_comment', commentId: 7 }, 1),
    vectorIdOf({ type: 'pr_review_comment', commentId: 7 }, 1),
    vectorIdOf({ type: 'pr_review', reviewId: 7 }, 1),
  ]
  expect(new Set(others).size).toBe(3)
})

test('two identities whose fields concatenate to the same text have different ids', () => {
  const one = vectorIdOf({ type: 'diff', commitSha: 'abc1234', path: 'd' }, 1)
  expect(vectorIdOf({ type: 'diff', commitSha: 'abc1234d', path: '' }, 1)).not.toBe(one)
})

test('a repository without a GitHub id has a negative id that ignores the case of its name', () => {
  expect(derivedRepoId('Acme/Widgets')).toBe(derivedRepoId('acme/widgets'))
  expect(derivedRepoId('acme/widgets')).toBeLessThan(0)
})
