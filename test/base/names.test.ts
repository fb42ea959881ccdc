import { expect, test } from 'vitest'
import { isLoopbackHost } from '../../src/base/loopback.ts'
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

test('Only hosts that always name this machine are loopback.', () => {
  for (const host of ['localhost', '127.0.0.1:80', '[::1]', 'LOCALHOST:65535']) expect(isLoopbackHost(host)).toBe(true)
  for (const host of [null, '', '127.0.0.2', '127.1', 'localhost.', 'a.localhost', '::1', '127.0.0.1:']) {
    expect(isLoopbackHost(host)).toBe(false)
  }
})
