import { expect, test } from 'vitest'
import { REPOSITORY_NAME } from '../../src/base/repository-name.ts'

test.each(['a/b', 'acme/.github', 'A_1/b.c-d', '.../..a', '-/-'])('The text %s names a repository.', (name) => {
  expect(REPOSITORY_NAME.test(name)).toBe(true)
})

test.each(['a', 'a/', '/b', 'a/b/c', '../..', './.', '../b', 'a/..', 'a/.', './b', 'a b/c', 'a/b\n', 'é/b', ''])(
  'The text %j names no repository.',
  (name) => {
    expect(REPOSITORY_NAME.test(name)).toBe(false)
  },
)
