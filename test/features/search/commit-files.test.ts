/** The files of a commit: which hunk represents a file, the message, and copies of one file. */
import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { ask, put } from '../../support/search-world.ts'
import type { Line } from '../../support/search-world.ts'

const REPO = 'acme/history'
const sha = (digit: string) => digit.repeat(40)

function diff(commit: string, file: string, message: string, body: string): Line {
  return { repo: REPO, type: 'diff', commit_sha: sha(commit), file_path: file, message, body }
}

const hunk = (at: number, ...lines: string[]) => `@@ -${at},9 +${at},9 @@\n${lines.join('\n')}`
const filler = (name: string) => Array.from({ length: 30 }, (_, at) => `+const ${name}${at} = compute(${at}) // step`)

const COPIED = hunk(1, '-  return token.trim()', '+  return token.normalize().trim()')

beforeAll(async () => {
  await put([
    diff(
      'a',
      'src/session.ts',
      'Tidy the session code\n\nThe watchdog timer also resets after a suspended laptop wakes.',
      [
        hunk(1, ...filler('alpha')),
        hunk(200, ...filler('beta')),
        hunk(400, '-  watchdog.stop()', '+  watchdog.restart()'),
        hunk(600, ...filler('gamma')),
      ].join('\n'),
    ),
    diff('b', 'src/token.ts', 'Normalize tokens', COPIED),
    diff('b', 'dist/token.js', 'Normalize tokens', COPIED.replaceAll('1,9', '7,9')),
    diff(
      'b',
      'deno_dist/token.ts',
      'Normalize tokens',
      `--- a/deno_dist/token.ts\n+++ b/deno_dist/token.ts\n${COPIED}`,
    ),
    diff('b', 'test/token.test.ts', 'Normalize tokens', hunk(1, '+  expect(token).toBe(normalized)')),
    diff('c', 'src/tokens/list.ts', 'List tokens', hunk(1, '+  return tokens.map((token) => token.name)')),
    diff('d', 'src/clock.ts', 'Handle leap seconds in billing', hunk(1, ...filler('delta'))),
    diff('e', 'src/notes.ts', 'Notes', hunk(1, '+// billing of seconds', '+leap()')),
  ])
})

test('the hunk that matches represents a file, although the message of the commit matches too', async () => {
  const [first] = (await ask({ repo: REPO, query: 'watchdog restart' })).results
  expect(first?.files?.[0]?.path).toBe('src/session.ts')
  expect(first?.snippet).toContain('**watchdog.restart**()')
})

test('every hunk of a file is found by the message of its commit', async () => {
  const [first] = (await ask({ repo: REPO, query: 'suspended laptop gamma7' })).results
  expect(first?.snippet).toContain('**gamma7**')
})

test('the subject of a commit weighs as much as a patch with its words', async () => {
  const [first] = (await ask({ repo: REPO, query: 'handle leap seconds in billing' })).results
  expect(first?.commit_sha).toBe(sha('d'))
})

test('copies of a file that a commit changes alike have one patch in spite of their paths and places', async () => {
  const { results } = await env.DB.prepare(
    'SELECT d.path, c.patch FROM chunks c JOIN documents d ON d.document = c.chunk / 8192 WHERE c.commit_sha = ?1',
  )
    .bind(sha('b'))
    .all<{ path: string; patch: number }>()
  const byPatch = Map.groupBy(results, ({ patch }) => patch)
  expect([...byPatch.values()].map((alike) => alike.map(({ path }) => path).sort())).toEqual([
    ['deno_dist/token.ts', 'dist/token.js', 'src/token.ts'],
    ['test/token.test.ts'],
  ])
})

test('copies of a file are named once among the files of their commit', async () => {
  const [first] = (await ask({ repo: REPO, query: 'normalize token expect', detail: 'full' })).results
  const paths = first?.files?.slice(0, 2).map(({ path }) => path) ?? []
  expect(paths).toContain('test/token.test.ts')
  expect(paths.filter((path) => path !== 'test/token.test.ts')).toHaveLength(1)
})

test('a copy that is named comes first', async () => {
  expect((await ask({ repo: REPO, query: 'deno_dist/token.ts' })).results[0]?.snippet).toContain('normalize')
})
